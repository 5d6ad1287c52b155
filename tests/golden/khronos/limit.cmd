# A limit is one for assertions too.
litscope check -max-events 2 tests/golden/khronos/mp.test 2>/dev/null | grep -E '^(Undecided|Assertion)'
