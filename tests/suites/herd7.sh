#!/bin/sh
# SPDX-License-Identifier: MIT
# herd7's catalogue of the Linux kernel, against the logs of herd7 that lie beside its tests (catalogue/linux of
# herd/herdtools7): states, numbers of executions, and conditions.
# usage: tests/suites/herd7.sh FOLDER                 (LITSCOPE: the program, else ./litscope)
set -eu
folder=${1:?usage: tests/suites/herd7.sh FOLDER}
litscope=${LITSCOPE:-./litscope}
models=$folder/cats
all=0 agree=0
answers() { grep -E '^(Test|States|Ok|No|Positive:|Condition|Observation|Hash=)|;$' "$1" | sort; }
folder_of_logs=$(mktemp -d)
trap 'rm -r "$folder_of_logs"' EXIT
for test in "$folder"/tests/*.litmus; do
  [ -f "$test.expected" ] || continue
  all=$((all + 1))
  "$litscope" check -q -fail-on nothing -I "$models" -bell "$models/linux-kernel.bell" -macros "$models/linux-kernel.def" \
    -model "$models/linux-kernel.cat" -variant lkmmv2 "$test" >"$folder_of_logs/ours" 2>/dev/null || true
  answers "$test.expected" >"$folder_of_logs/theirs"
  if answers "$folder_of_logs/ours" | cmp -s - "$folder_of_logs/theirs"; then
    agree=$((agree + 1))
  else
    echo "not as in herd7: $test"
  fi
done
echo "$agree of $all logs of the Linux kernel's tests agree"
[ "$agree" = "$all" ]
