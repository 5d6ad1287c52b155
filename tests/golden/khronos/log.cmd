# Without an assertion nothing is asked.
printf 'NEWTHREAD\nst.sc0 x = 1\n' >"$TMP/nothing.test"
litscope check "$TMP/nothing.test" | grep Ok
# Khronos' tests are read as they are, by their file's name; assertions stand in the log, and one that is false makes it No.
litscope check tests/golden/khronos/mp.test tests/golden/khronos/mp_stale.test
