# JSON is as its schema says; pictures are written.
litscope progress -scheduler fair,hsa -o "$TMP/out" -json "$TMP/result.json" tests/golden/progress/lock.litmus >/dev/null
tests/schema/validate checker/report/results.schema.json "$TMP/result.json" && echo valid
cat "$TMP/result.json"
ls "$TMP/out"
xmllint --noout "$TMP"/out/*.svg && echo pictures
