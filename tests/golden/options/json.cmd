litscope check -json $TMP/out.json -why litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test4.litmus litmus/nothing.litmus >$TMP/log
sed "s/\"seconds\": [0-9.]*/\"seconds\": 0/" $TMP/out.json
tests/schema/validate checker/report/results.schema.json $TMP/out.json || echo "no JSON"
litscope check -q -json - litmus/rsp/RSP_Test2.litmus | sed "s/\"seconds\": [0-9.]*/\"seconds\": 0/"
