# SPDX-License-Identifier: MIT
# plain
# One thread, four, and compressed states: the same states, transitions, outcomes and runs, to the end and where a limit
# cuts; and compressed states are smaller.
set -eu
explored() {
  status=0
  litscope explore -no-por -no-symmetry -show all -stats -max-states 70000 "$@" >"$TMP/log" 2>"$TMP/stats" || status=$?
  [ "$status" = 0 ] || [ "$status" = 3 ]
  sed '/^Time/d' "$TMP/log"
}
bytes() { sed -n 's/.* \([0-9]*\)\.[0-9]* bytes\/state.*/\1/p' "$TMP/stats"; }

for test in RSP_Test8 RSP_Test2; do
  explored -j 1 "litmus/rsp/$test.litmus" >"$TMP/one"
  explored -j 4 "litmus/rsp/$test.litmus" | diff "$TMP/one" -
  explored -j 3 -compress true "litmus/rsp/$test.litmus" | diff "$TMP/one" -
  explored -j 1 -compress true "litmus/rsp/$test.litmus" | diff "$TMP/one" -
done
explored -j 1 litmus/rsp/RSP_Test8.litmus >"$TMP/one"
plain=$(bytes)
explored -j 1 -compress true litmus/rsp/RSP_Test8.litmus >"$TMP/two"
[ "$(bytes)" -lt "$plain" ] || { echo "compressed $(bytes) bytes a state, plainly $plain" >&2; exit 1; }
