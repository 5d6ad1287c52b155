# What cannot be divided or merged.
litscope merge
litscope merge $TMP/none
litscope merge litmus/rsp/MP_dev.litmus
litscope diff -model opencl,opencl-rsp -family 2x1 -shard 0/2
litscope diff -model opencl,opencl-rsp -family 2x1 -shard 3/2
litscope diff -model opencl,opencl-rsp -family 2x1 -shard 1/1 -q >$TMP/one
grep -v '^files' $TMP/one | head -4 | cut -d ' ' -f 1,3- | sed 's/^version .*/version/'
litscope merge $TMP/one | head -5
litscope gen -cycles 3 -shard 1/2
# A journal of something else, one that is in use, and none.
litscope diff -model opencl,opencl-rsp -family 2x1 -journal $TMP/journal | head -2
litscope diff -model opencl,hrf-rsp -family 2x1 -journal $TMP/journal
flock $TMP/journal litscope diff -model opencl,opencl-rsp -family 2x1 -journal $TMP/journal
litscope diff -model opencl,opencl-rsp -family 2x1 -journal $TMP/no/folder
litscope diff -model opencl,opencl-rsp -family 2x1 -journal /dev/full
# A disk that is full in the middle.
(trap "" XFSZ; ulimit -f 1; litscope diff -model opencl,opencl-rsp -family 3x1 -journal $TMP/large 2>&1 >/dev/null) | cat
# A file of parts without the last line says so.
head -4 $TMP/one >$TMP/less && litscope merge $TMP/less
litscope diff -model opencl,opencl-rsp -family 2x2 -timeout 0.001 -q -j 1 -journal $TMP/late
# A part that is no test's result.
litscope check litmus/rsp/MP_dev.litmus -shard 1/1 >$TMP/test
(head -5 $TMP/test; echo 'part 0 x' | tests/add_checksums) >$TMP/broken && litscope merge $TMP/broken -- check litmus/rsp/MP_dev.litmus
# Files that are others now: a test, what a model includes, macros, a Bell file.
cp litmus/rsp/MP_dev.litmus $TMP/mp.litmus && echo 'acyclic po | rf | co | fr as sc' >$TMP/part.cat
printf '"mine"\ninclude "cos.cat"\ninclude "part.cat"\n' >$TMP/mine.cat
run="litscope check -model $TMP/mine.cat $TMP/mp.litmus -journal $TMP/files"
$run | grep Observation && $run | grep Observation
echo 'empty co & rf as none' >>$TMP/part.cat && $run
rm $TMP/files && $run | grep Observation && echo >>$TMP/mp.litmus && $run
cp tests/golden/linux/linux.* tests/golden/linux/ops.litmus $TMP
run="litscope check -bell $TMP/linux.bell -macros $TMP/linux.def -model $TMP/linux.cat $TMP/ops.litmus -journal $TMP/kernel"
$run | grep -c Observation
echo 'more() __fence{mb}' >>$TMP/linux.def && $run
rm $TMP/kernel && $run | grep -c Observation && echo >>$TMP/linux.bell && $run
# What has no end, nor lines.
litscope merge /dev/zero
