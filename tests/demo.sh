#!/bin/sh
# SPDX-License-Identifier: MIT
# What `make demo` shows: the twelve remote-scope-promotion tests with their
# verdicts, races and the class that the designers' intent puts them in, and
# pictures of what is forbidden.
set -eu
litscope=${1:-./litscope}
out=${2:-out}
mkdir -p "$out"
log=$out/rsp.log

tests=
for i in 1 2 3 4 5 6 7 8 9 10 11 12; do tests="$tests litmus/rsp/RSP_Test$i.litmus"; done
grep -E '^(test|RSP_Test[0-9]+[.]litmus)[[:space:]]' litmus/rsp/expected.tsv > "$out/expected.tsv"
# shellcheck disable=SC2086
$litscope check -expect "$out/expected.tsv" $tests > "$log"
# To draw what is forbidden is to let it through, and such a log counts it.
# shellcheck disable=SC2086
$litscope check -q -o "$out" -svg -through invalid -nshow 3 $tests > /dev/null

echo
echo "Remote-scope promotion: twelve tests under OpenCL with promotion (model opencl-rsp)"
echo
# Intent: what the authors of a test wanted its condition to be, `never` (it
# names a failure) or `race` (a negative test, meant to be undefined).
awk '
  BEGIN {
    split("never never never never never never race never never never never race", intent)
    printf "  %-12s %-10s %10s %10s %6s  %s\n", "test", "condition", "meeting", "failing", "racy", "class"
  }
  /^Bad executions/ { racy = substr($3, 2) + 0 }
  /^Observation/ {
    name = $2; number = substr(name, 9) + 0
    if (intent[number] == "race") class = racy ? "good" : "race missed"
    else if (racy) class = "unintentional race"
    else if ($3 == "Never") class = "good"
    else if (number == 11) class = "enforced broken behaviour"
    else class = "forbade reasonable behaviour"
    count[class]++
    printf "  %-12s %-10s %10d %10d %6d  %s\n", name, $3, $4, $5, racy, class
  }
  END {
    printf "\n  %d good, %d racy, %d enforced broken behaviour, %d forbade reasonable behaviour\n",
      count["good"], count["unintentional race"], count["enforced broken behaviour"], count["forbade reasonable behaviour"]
  }' "$log"

echo
echo "Why RSP_Test2 cannot fail (litscope check -why litmus/rsp/RSP_Test2.litmus):"
echo
$litscope check -why litmus/rsp/RSP_Test2.litmus | sed -n '/^Why/,/^$/p'
echo "Compiler mappings on the machine: what each finding's program can show"
echo "(litscope verify -mapping rsp-original,rsp-revised,rsp-corrected litmus/rsp/...)"
echo
findings=
for test in MP_dev MP_dev_rmw MP_remote_load Atomicity_store Atomicity_rmw WWW_remote_rmw Lock_handover Steal_full; do
  [ -f "litmus/rsp/$test.litmus" ] && findings="$findings litmus/rsp/$test.litmus"
done
# shellcheck disable=SC2086
$litscope verify -mapping rsp-original,rsp-revised,rsp-corrected -o "$out" -svg $findings > "$out/verify.log" || true
awk '
  function cell(text) { return length(text) > 30 ? substr(text, 1, 27) "..." : text }
  function row() {
    if (test != "") printf "  %-16s %-32s %-32s %s\n", test, cell(answer[1]), cell(answer[2]), cell(answer[3])
  }
  BEGIN { printf "  %-16s %-32s %-32s %s\n", "test", "rsp-original", "rsp-revised", "rsp-corrected" }
  $1 == "Verify" {
    if ($2 != test) { row(); test = $2; column = 0 }
    answer[++column] = $4
  }
  $1 == "Outcome" { sub(/^Outcome /, ""); answer[column] = $0 }
  END { row() }' "$out/verify.log"
echo
echo "Log: $log.  Pictures: $(find "$out" -name 'RSP_*.svg' | wc -l) in $out/, such as"
find "$out" -name 'RSP_Test[258]-*forbidden-0.svg' | sort
echo "(forbidden executions show the axiom and its cycle in bold; open them in a browser)"
