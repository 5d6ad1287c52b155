# A loop that polls shows something new a few times at most, however often it is
# unrolled: also one that keeps in a register what it has read last.
for unroll in 2 40; do
  litscope check -stats -j 1 -rounds new -unroll $unroll -model rc11 tests/golden/visited/polls.litmus 2>&1 |
    sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Observation/p
done
