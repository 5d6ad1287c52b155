# SPDX-License-Identifier: MIT
# Results that could not be written are never lost in silence: whichever command
# and whichever option, the status is 2, and a message names the file unless a
# reader closed the pipe.
set -u
test=litmus/rsp/RSP_Test2.litmus
failed=0
complain() {
  echo "$*"
  failed=1
}
litscope check $test >"$TMP/log"

# What prints on standard output.
while read -r command; do
  # shellcheck disable=SC2086
  litscope $command >/dev/full 2>"$TMP/err" && complain "full disk, status 0: $command"
  grep -q 'standard output: ' "$TMP/err" || complain "full disk, no message: $command"
  # shellcheck disable=SC2086
  (litscope $command 2>"$TMP/err") >&-
  [ $? = 2 ] || complain "closed output, status not 2: $command"
done <<COMMANDS
check $test
check -why $test
check -model sc,opencl-rsp $test
check -dump program $test
check -dump model -model sc
check -json - $test
compile $test
explore $test
explore -json - $test
verify $test
verify -json - -mapping rsp-original $test
verify -family 2x1
verify -family adsm,2
report -o $TMP/page $test
cost
cost rsp-ops
cost rsp-ops -csv
cost rsp-ops -json
cost rsp-ops -svg -o $TMP/plots
cost help rsp-ops
cost mapping $test
cost adsm litmus/adsm/A1.litmus
compare $TMP/log $TMP/log
models
mappings
machines
help
help check
help -format man
-version
COMMANDS

# A reader that goes away: Perl waits until it has.
for command in "check litmus/rsp" "explore $test" "verify $test" "cost rsp-ops" "models"; do
  # shellcheck disable=SC2016,SC2086
  perl -e 'pipe(my $r, my $w); close $r; open(STDOUT, ">&", $w); open(STDERR, ">", shift); exec @ARGV' \
    "$TMP/err" litscope $command
  [ $? = 2 ] || complain "closed pipe, status not 2: $command"
  grep -q 'standard output' "$TMP/err" && complain "closed pipe, with a message: $command"
done

# What goes to files.
while read -r command; do
  # shellcheck disable=SC2086
  litscope $command >"$TMP/out" 2>"$TMP/err"
  [ $? = 2 ] || complain "file lost, status not 2: $command"
  grep -q '^litscope: error: /dev/full' "$TMP/err" || complain "file lost, no message: $command"
done <<COMMANDS
check -json /dev/full $test
check -junit /dev/full $test
check -o /dev/full $test
explore -json /dev/full $test
explore -junit /dev/full $test
verify -json /dev/full $test
verify -junit /dev/full $test
verify -o /dev/full $test
report -junit /dev/full -o $TMP/page $test
report -o /dev/full $test
COMMANDS

# Files that may grow no larger: an old one stays, a half one is removed.
mkdir "$TMP/small"
echo old >"$TMP/small/index.html"
echo old >"$TMP/small/expected.tsv"
for command in "check -o $TMP/small -show all $test" "report -o $TMP/small $test" "check -json $TMP/j $test" \
  "check -junit $TMP/j litmus/rsp" "gen -cycles 4 -orders rlx+sc -model rc11,sc -o $TMP/small"; do
  # shellcheck disable=SC2086
  (ulimit -f 1 && litscope $command) >/dev/null 2>"$TMP/err"
  [ $? = 2 ] || complain "limit of a file's size, status not 2: $command"
  grep -q "error: $TMP/.*File too large" "$TMP/err" || complain "limit of a file's size, no message: $command"
done
[ "$(cat "$TMP/small/index.html")" = old ] || complain 'an old page was destroyed by one that could not be written'
[ "$(cat "$TMP/small/expected.tsv")" = old ] || complain 'an old table was destroyed by one that could not be written'
[ -z "$(find "$TMP/small" -name '.*' -type f)" ] || complain 'an unfinished file was left'
exit $failed
