litscope check -model tests/golden/visited/counter_not_atomic.cat tests/golden/visited/counter_not_atomic.litmus | grep Observation
