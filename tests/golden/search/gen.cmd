# plain: thousands of programs, each judged as in other tests
# Tests that tell a model from itself less each of its checks.
litscope diff -model sc -family 2x2,orders=rlx,language=c | cut -c1-72 | head -30
litscope diff -model opencl-rsp -family 2x2,locations=1,scopes=dev | grep -v '^  '
litscope diff -model hrf-rsp -family 2x1,scopes=wg -o $TMP/hrf | grep -v '^  '
litscope diff -model vulkan -family 2x1 | grep -v '^  '
# The set is judged as it says, by the model and each mutant.
models=$(cut -f2 $TMP/hrf/expected.tsv | sed 1d | sort -u | paste -sd,)
echo $models
litscope check -q -model $models -expect $TMP/hrf/expected.tsv $TMP/hrf >/dev/null && echo as expected
# In shards.
for i in 1 2; do litscope diff -model opencl-rsp -family 2x1 -shard $i/2 >$TMP/part$i; done
litscope diff -model opencl-rsp -family 2x1 >$TMP/whole
litscope merge $TMP/part2 $TMP/part1 | cmp - $TMP/whole && echo the same
litscope gen
litscope diff -model opencl-rsp -family 2x2 -timeout 0.001 -q
litscope diff -model opencl-rsp -family 2x1 -o $TMP/whole
