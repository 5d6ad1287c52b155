# plain
# The table of ../shared/spec/search.md at 2x1, and what differs there.
I="-I tests/golden/search/models -I models -j 2"
litscope diff $I -model opencl-rsp-own-future:remote-any,hrf-rsp:k1 -family 2x1
litscope diff $I -model opencl,opencl-rsp -family 2x1 | head -7
litscope diff $I -model opencl-rsp,hrf-rsp -family 2x1 && echo the same
# An ordinary load that reads its own thread's later store: nothing smaller shows it.
litscope diff $I -model opencl-rsp-own-future,opencl-rsp -family 2x2,locations=1,scopes=dev
# A model less a check; other languages; two checks and a word.
litscope diff -model opencl-rsp,opencl-rsp-from_the_past -family 2x2,locations=1,scopes=dev -json - | grep '"program"'
litscope diff -model hrf-rsp:k1:n2-coherence-atomicity,hrf-rsp -family 2x1,scopes=wg -q | head -6
litscope diff -model hrf-rsp:k4,hrf-rsp
litscope diff -model opencl-rsp-coherense,opencl
litscope diff -model rc11,sc -family 2x2,orders=rlx+sc | head -9
litscope diff -model ptx,ptx-atomicity -family 2x1
litscope diff -model vulkan,vulkan-nochains -family 2x1,devices=2
litscope diff -model opencl,rc11 -family 2x1,scopes=dev
litscope diff -force -model ptx,vulkan -family 2x1,language=ptx,scopes=gpu | head -6
# Tests that are written, with what both models say of them.
litscope diff -model ptx,ptx-atomicity -family 2x1 -o $TMP/ptx >/dev/null
litscope diff -model opencl,opencl-rsp -family 2x1,devices=2 -o $TMP/opencl >/dev/null
ls $TMP/ptx | head -4
cat $TMP/ptx/Uxw+Uxd-wg00.litmus $TMP/opencl/RxS+UxD-dev01.litmus
litscope check -model ptx,ptx-atomicity -expect $TMP/ptx/expected.tsv $TMP/ptx >/dev/null && echo as expected
litscope check -model opencl,opencl-rsp -expect $TMP/opencl/expected.tsv $TMP/opencl >/dev/null && echo as expected
# The lists in place of a family.
litscope verify -mapping rsp-corrected -family M3 -j 2 | sed -n '2,8p'
litscope diff -q -model opencl,opencl-rsp -family 2x1,locations=1,G2 -j 2 | tail -1
# A file beside us does not hide a list of its name.
(cd $TMP && echo 'Wxd|Rxd' >G2 && litscope diff -q -model opencl,sc -family G2 | grep '^Programs' &&
  litscope diff -q -model opencl,sc -family ./G2 | grep '^Programs')
# What cannot be compared.
litscope diff -model opencl,sc,rc11
litscope diff
litscope diff -model ptx,vulkan
litscope diff -model opencl,opencl-rsp -family 2x2,fenced
litscope diff -model opencl,opencl-rsp -family 2x1 -o $TMP/ptx/expected.tsv 2>&1 | tail -1
# A model with a part in C says which axiom fails.
echo 'Wxw1 Wyw2|RyD RxD (wg 0,1 dev 0,0)' >$TMP/native
litscope diff -model hrf-indirect-relaxed,hrf-rsp-native -family $TMP/native | tail -2
litscope diff -model opencl,opencl-rsp -family 2x2 -timeout 0.001 -q -j 1
