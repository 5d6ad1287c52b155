# Additions of nothing are writes like others: the two loads see any of three, in order, which is six executions.  herd7
# 7.57 has five (its equations lose the one in which one load sees the first addition and the other the second), and six
# with `-variant OldSolver`.
litscope check -model rc11 tests/golden/herd/add_nothing.litmus | grep -E '^(Positive|Observation)'
