# Branches on what was read: a read sees a write that is there, or its thread waits for one. Once both branches of each
# compare-and-swap were followed, and then there was nothing to read: 1,114 candidates for these 399 executions.
litscope check -j 1 -stats -model rc11 tests/golden/visited/steal.litmus 2>&1 |
  sed -n -e 's/^Stats \(.*\) events.*/\1/p' -e /^Observation/p
# All rounds of a loop count here, in which nothing waits in vain.
litscope check -j 1 -rounds all -model rc11 tests/golden/visited/steal.litmus | grep ^Observation
