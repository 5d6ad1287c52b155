# Strong fairness: a loop that could be left is left; one that nobody can leave, and
# a barrier at which nobody else arrives, are as without it.
litscope progress -q -scheduler fair,strong:fair,strong:hsa,strong:obe tests/golden/progress/exchange.litmus tests/golden/progress/turns.litmus
litscope progress -q -scheduler strong:lobe,strong:hsa+obe,wg=fair litmus/ptx/Barrier_quorum_hang.litmus tests/golden/progress/wait.litmus
litscope progress -q -scheduler strong:fair -certify $TMP/certificate tests/golden/progress/exchange.litmus; wc -l <$TMP/certificate
litscope progress -q -scheduler strong:fiar litmus/ptx/Spin.litmus
