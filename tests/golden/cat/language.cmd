# Two writers of two locations, and a read-modify-write of two events (over one, some of the equations do not hold): no flag may be raised, and the last choice multiplies executions.
litscope check -variant normw -model tests/golden/cat/language.cat tests/golden/cat/SB.litmus tests/golden/cat/rmw.litmus
