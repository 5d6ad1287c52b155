litscope check -q -json - tests/golden/khronos/mp_stale.test tests/golden/khronos/predicates.test | grep -oE '"(assertions|verdict)": *("[A-Z][a-z]*"|\[.*\])'
