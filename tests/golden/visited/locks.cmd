# Queue locks, barriers of two phases, and locks that readers share and are tried once: hardly more is visited than there
# is. A read sees nothing that comes of it, and waits for no thread that is behind it; a compare-and-swap does not succeed
# on what another has taken, nor on a value that nobody is to write; and a thread does not read a location again while it
# waits for a write to it. (162, 54 and 111 candidates without; GenMC counts as many executions.)
for family in queue phases readers; do
  perl -Itests/bench -MPrograms -e "print Programs::test('$family', 3)" >"$TMP/$family.litmus"
  litscope check -j 1 -stats -model rc11 "$TMP/$family.litmus" 2>&1 |
    sed -n -e 's/^Stats \(.*\) (ratio.*/\1/p' -e /^Observation/p
done
