# Loops, conditions, compare-and-swap, arrays, 64 bits, a barrier under a condition, and jumps that do not nest.
for test in tests/golden/run/tests/*.litmus; do
  rm -rf "$TMP/o"
  litscope run -emit opencl $TMP/o -params lanes=1 $test
  sed -n '/void litmus/,$p' $TMP/o/kernel.cl
done
