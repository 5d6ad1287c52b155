# One warning a test, and none with -q; the log is the same.
litscope check tests/golden/litmus/odd_orders | grep "^Observation"
litscope check -q tests/golden/litmus/odd_orders | grep "^Observation"
