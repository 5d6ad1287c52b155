#!/bin/sh
# SPDX-License-Identifier: MIT
# Programs of three threads that are in no family (tests/compilers/held_out.tsv): the sweep finds unsound those that the
# second AMD machine does.  Columns of compilers that are not installed are left out; skipped without any.
set -eu
table=tests/compilers/held_out.tsv tab=$(printf '\t') column=2 ran=0
for target in $(grep ^work_groups $table | cut -f3-); do
  column=$((column + 1)) compiler=${target#*/}
  command -v "llc-${compiler#llvm-}" > /dev/null || continue
  for verdict in Sound Unsound; do
    grep '^[0-9]' $table | awk -F"$tab" -v c=$column -v v=$verdict '$c == v { print $2 " (wg " $1 ")" }' > "$TMP/$verdict"
    [ -s "$TMP/$verdict" ] || continue
    litscope verify -target "${target%/*}" -compiler "$compiler" -family "$TMP/$verdict" > "$TMP/log" || [ $? = 1 ]
    wanted=0
    [ $verdict = Sound ] || wanted=$(wc -l < "$TMP/$verdict")
    counts=$(awk '/^(Race-free|Unsound|Hazard|Deadlock|Undecided) / { printf "%s ", $2 }' "$TMP/log")
    [ "$counts" = "$(wc -l < "$TMP/$verdict") $wanted 0 0 0 " ] || { echo "$target, recorded as $verdict:"; cat "$TMP/$verdict" "$TMP/log"; exit 1; }
    ran=1
  done
done
[ $ran = 1 ] || { echo "none of the table's compilers: apt-get install llvm-22"; exit 77; }
