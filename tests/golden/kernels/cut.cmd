for engine in enumerate solve; do
  for unroll in 1 8; do
    litscope check -engine $engine -unroll $unroll tests/golden/kernels/cut.spvasm | grep -e Ok -e Observation
  done
done
litscope check -unroll 1 -junit $TMP/report tests/golden/kernels/cut.spvasm 2>$TMP/err >$TMP/log
echo $?
grep -o 'message="[^"]*"' $TMP/report
# In tests, too, but there such an answer is no failure: so it is in herd7.
printf 'C cut\n{ }\nP0 (atomic_int* x) { for (int i = 0; i < 3; i++) atomic_fetch_add(x, 1); }\nforall (x=4)\n' >$TMP/cut.litmus
litscope check -unroll 1 $TMP/cut.litmus | grep -e Ok -e Observation
