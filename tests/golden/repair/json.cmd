# JSON is as its schema says.
litscope repair -json "$TMP/r.json" tests/golden/repair/handshake.litmus tests/golden/repair/spare.litmus >"$TMP/log"
tests/schema/validate checker/report/results.schema.json "$TMP/r.json" && echo valid
cat "$TMP/r.json"
