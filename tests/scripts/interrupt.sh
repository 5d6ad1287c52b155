# The first SIGINT or SIGTERM stops the engines: what is done is printed, JSON
# is whole, and the status says that something is missing.  A signal that
# follows at once (timeout signals the process, then its group) changes nothing.
{
  echo 'OpenCL Long'
  echo '{ [x]=0; }'
  for i in 0 1 2 3 4 5 6 7 8 9; do
    echo "P$i (global atomic_int* x) { int r = atomic_fetch_add(x, 1); }"
  done
  echo 'exists (x=99)'
} >"$TMP/long.litmus"
cat >"$TMP/send_signals.py" <<'END'
import signal, subprocess, sys, time
folder, names = sys.argv[1], sys.argv[2:]
command = ["litscope", "check", "-j", "1", "-json", folder + "/out.json", "litmus/rsp/RSP_Test2.litmus",
           folder + "/long.litmus"]
with open(folder + "/log", "w") as log, open(folder + "/err", "w") as err:
    process = subprocess.Popen(command, stdout=log, stderr=err)
    time.sleep(1)
    for name in names:
        process.send_signal(getattr(signal, "SIG" + name))
        time.sleep(0.01)
    status = process.wait(60)
if status != 3:
    sys.exit("%s: status %d" % (" ".join(names), status))
END
for signals in 'INT' 'TERM' 'INT INT' 'TERM INT'; do
  python3 "$TMP/send_signals.py" "$TMP" $signals || exit 1
  grep -q '^Observation RSP_Test2' "$TMP/log" || { echo "$signals: the finished test is missing"; exit 1; }
  grep -q '^Undecided: interrupt' "$TMP/log" || { echo "$signals: the interrupted test does not say so"; exit 1; }
  python3 -m json.tool "$TMP/out.json" >/dev/null || { echo "$signals: broken JSON"; exit 1; }
  grep -q 'interrupted after 2 of 2' "$TMP/err" || { cat "$TMP/err"; exit 1; }
done
