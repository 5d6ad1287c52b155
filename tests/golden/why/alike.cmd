# Two stores that read the same race with a third in each execution: executions are counted, not pairs.
litscope check -why -model rc11 tests/golden/why/alike.litmus | grep execution
