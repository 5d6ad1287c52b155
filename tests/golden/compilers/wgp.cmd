# gfx1250: a WGP has one L0, which acknowledges stores, behind a queue for each wave. What LLVM's code for it needs, left out.
observe() { litscope explore "$@" | grep -E '^(Observation|States-explored)'; }
message=tests/compilers/assembly/MP_dev.gfx1250.llvm-22.litmus barrier=tests/compilers/assembly/ISA2_barrier.gfx1250.llvm-22.litmus
for test in $message $barrier; do observe $test; done
for change in '/global_wb/d' '/global_inv/d' '/s_wait_storecnt/d' 's/,\( s.2:3.*\) scope:SCOPE_DEV/,\1/'; do
  sed "$change" $message > "$TMP/changed.litmus"
  echo "MP_dev, $change" && observe "$TMP/changed.litmus"
done
# Before a barrier, stores must be in the L0.
awk '/^P/ { thread = $1 } thread != "P0" || !/s_wait_storecnt/' $barrier > "$TMP/changed.litmus"
observe "$TMP/changed.litmus"
observe -knob place=one $barrier
# Its addresses.
litscope explore tests/compilers/offsets.litmus | sed -n '/^0:v/p'
# A run: the store is done in the L0, and not yet in the L2.
awk '/^P[0-9]/ { print "t" substr($1, 2) ":"; on = 1; next } /^}/ { if (on) print ".Lfunc_end" n++ ":"; on = 0 } on && !/global_wb/' $message > "$TMP/mine.s"
litscope verify -target gfx1250 -compiler "$TMP/mine.s" tests/compilers/MP_dev.litmus | sed -n '/^Verify/p; /^Outcome/p; /^Trace/,$p'
