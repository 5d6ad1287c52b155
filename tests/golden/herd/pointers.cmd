# Addresses as values: in the init section, in registers, stored and loaded, compared, followed; in the logs by name.
# herd7 says the same of `publish`.  What follows NULL is undefined.
litscope check tests/golden/herd/publish.litmus tests/golden/herd/chase.litmus tests/golden/herd/null.litmus
litscope check -q -json - tests/golden/herd/publish.litmus | grep -o '"states": .*"flags"'
litscope check -dump program tests/golden/herd/chase.litmus
litscope explore tests/golden/herd/publish-ocl.litmus | grep -E '^(1:|Observation)'
litscope verify tests/golden/herd/publish-ocl.litmus
