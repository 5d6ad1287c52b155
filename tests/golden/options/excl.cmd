# Tests that -excl names are left out, whatever else chooses them.
printf '# too big\nRSP_Test1\nRSP_Test12_same_device\n' > "$TMP/out"
printf 'RSP_Test1\nRSP_Test10\n' > "$TMP/in"
litscope check -q -excl "$TMP/out" litmus/rsp/RSP_Test1*.litmus | grep Observation
litscope check -q -names "$TMP/in" -excl "$TMP/out" litmus/rsp | grep Observation
