# Assembly that is there already, by hand or from any compiler: it stands for a compiler
# that has written it.
dir=tests/compilers/written test=tests/compilers/MP_dev.litmus
for code in fences bare; do litscope verify -q -target sm_70 -compiler $dir/$code.ptx $test; done
litscope verify -q -target gfx942 -compiler $dir/gfx942.s $test
litscope compile -target sm_70 -compiler $dir/bare.ptx -o "$TMP" $test >/dev/null
litscope check -model ptx "$TMP/MP_dev.sm_70.bare.litmus" | grep ^Observation
# A jump by number, whose labels are on one line or on several.
sed 's/^\tsetp.*/on: .branchtargets none, some;/; s/@%p1 bra .*/brx.idx %r1, on;\nsome:/' $dir/fences.ptx >"$TMP/one.ptx"
sed 's/branchtargets none,/branchtargets\n\tnone,/' "$TMP/one.ptx" >"$TMP/several.ptx"
for code in one several; do litscope verify -q -target sm_70 -compiler "$TMP/$code.ptx" $test; done
# An address of one location or another, and in the end of neither.
litscope verify -q -target sm_70 -compiler $dir/beyond.ptx $test
# It is the code of one test, whole, and of nothing else.
litscope verify -q -target sm_70 -compiler $dir/fences.ptx $test tests/compilers/MP_rmw.litmus
litscope verify -target sm_70 -compiler $dir/fences.ptx -family 2x2
litscope verify -target sm_70 -compiler $dir/cut.ptx $test
cat $dir/fences.ptx $dir/fences.ptx >"$TMP/twice.ptx"
(cd "$TMP" && litscope verify -target sm_70 -compiler twice.ptx "$OLDPWD/$test")
litscope verify -target sm_70 -compiler $dir/unknown.ptx $test
litscope verify -target sm_70 -compiler $dir/fences.ptx -compiler-option -O0 $test
litscope verify -target sm_70 -compiler $dir/none.ptx $test
litscope list targets -compiler $dir/fences.ptx
