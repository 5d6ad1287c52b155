# As in herd, `x=y` asks whether x holds the address of y, `[x]=[y]` and `x=*y` whether they hold the same.
litscope check tests/golden/herd/content.litmus tests/golden/herd/content2.litmus | grep -E '^(Condition|Observation)'
