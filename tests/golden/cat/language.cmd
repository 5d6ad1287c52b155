# Two writers of two locations: no flag may be raised, and the last choice multiplies executions.
litscope check -model tests/golden/cat/language.cat tests/golden/cat/SB.litmus tests/golden/cat/rmw.litmus
