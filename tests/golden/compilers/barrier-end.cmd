# A thread that ends opens the barrier that the others wait at: no deadlock, whether lines are fetched or not.
litscope explore tests/compilers/barrier_end.litmus | grep -vE '^(Time|Hash)'
litscope explore -no-por -knob fill=0 tests/compilers/barrier_end.litmus | grep -E '^(Observation|Deadlocks|States-explored)'
