# SPDX-License-Identifier: MIT
# slow
# The sweeps print what they have when a signal comes, and say that it is not all.
interrupted() {
  litscope verify "$@" >"$TMP/log" 2>"$TMP/err" &
  process=$!
  tests/wait_for_cpu_time $process 30 || { echo "$*: it has ended"; cat "$TMP/err"; exit 1; }
  kill -TERM $process
  wait $process
  status=$?
  [ $status = 3 ] || { echo "$*: status $status"; cat "$TMP/err"; exit 1; }
}
shows() {
  grep -qE "$1" "$TMP/err" || { echo "expected: $1"; cat "$TMP/err"; exit 1; }
}
interrupted -family 3x3
shows '^litscope: interrupted: the counts cover what was done until then$'
interrupted -ablate
shows '^litscope: interrupted: the counts cover what was done until then$'
