#!/bin/sh
# SPDX-License-Identifier: MIT
# Ablations of what LLVM emits against the recorded table, ../shared/corpus/compilers/goldens.tsv: all rows of the part
# `ablation`, with occurrences, unsound programs, hazards and the smallest program (a minute or two of processor time).
# Skipped where there is no table, or no llc-22.
set -eu
table=${LITSCOPE_CORPUS:-../shared/corpus}/compilers/goldens.tsv
[ -f "$table" ] || { echo "no $table"; exit 77; }
command -v llc-22 > /dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
tab=$(printf '\t')
failed=0 rows=0

# A line for each kind of change: name, counts, smallest program.
changes() {
  sed -nE 's/^(.*[^ ]) +([0-9]+) +([0-9]+) +([0-9]+)  (.*)$/\1\t\2\t\3\t\4\t\5/p' "$1" |
    sed -E 's/ \([0-9,]+\)$//' | awk -F'\t' -v OFS='\t' '{ if ($5 == "") $5 = "-" } 1' | sort
}

awk -F'\t' '$1 == "ablation" { print $2 "\t" $3 "\t" $4 }' "$table" | sort -u > "$TMP/targets"
while IFS=$tab read -r target mode compiler; do
  name=$target
  [ "$mode" = default ] || name=$target:$mode
  litscope verify -target "$name" -compiler "$compiler" -ablate > "$TMP/log"
  changes "$TMP/log" > "$TMP/found"
  awk -F'\t' -v OFS='\t' -v t="$target" -v m="$mode" \
    '$1 == "ablation" && $2 == t && $3 == m { print $8, $9, $10, $11, $12 }' "$table" | sort > "$TMP/expected"
  rows=$((rows + $(wc -l < "$TMP/expected")))
  awk -F'\t' -v t="$target" -v m="$mode" \
    '$1 == "ablation" && $2 == t && $3 == m { print "Programs " $6; print "Changes " $7; exit }' "$table" >> "$TMP/expected"
  grep -E '^(Programs|Changes) ' "$TMP/log" >> "$TMP/found"
  diff "$TMP/expected" "$TMP/found" || { echo "$name $compiler"; failed=1; }
done < "$TMP/targets"
echo "$rows rows"
exit $failed
