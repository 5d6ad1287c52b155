# Limits are told: one that the machine met, and loops that a model followed only so far.
litscope progress -max-states 10 -scheduler fair tests/golden/progress/lock.litmus; echo "status $?"
litscope progress -max-states 1000 -scheduler fair tests/golden/progress/counter.litmus; echo "status $?"
litscope progress -model opencl-rsp tests/golden/progress/lock.litmus; echo "status $?"
