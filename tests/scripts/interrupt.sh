# The first SIGINT stops the engines: what is done is printed, JSON is whole,
# and the status says that something is missing.
{
  echo 'OpenCL Long'
  echo '{ [x]=0; }'
  for i in 0 1 2 3 4 5 6 7 8 9; do
    echo "P$i (global atomic_int* x) { int r = atomic_fetch_add(x, 1); }"
  done
  echo 'exists (x=99)'
} >"$TMP/long.litmus"
timeout -s INT 2 litscope check -j 1 -json "$TMP/out.json" litmus/rsp/RSP_Test2.litmus "$TMP/long.litmus" \
  >"$TMP/log" 2>"$TMP/err"
status=$?
cat "$TMP/err"
# `timeout` reports 124 for a command that it had to interrupt.
[ $status = 124 ] || { echo "status $status"; exit 1; }
grep -q '^Observation RSP_Test2' "$TMP/log" || { echo "the finished test is missing"; exit 1; }
grep -q '^Undecided: interrupt' "$TMP/log" || { echo "the interrupted test does not say so"; exit 1; }
python3 -m json.tool "$TMP/out.json" >/dev/null || { echo "broken JSON"; exit 1; }
grep -q 'interrupted after 2 of 2' "$TMP/err"
