#!/bin/sh
# SPDX-License-Identifier: MIT
# The search of `repair` against asking about each cheaper change: 500 random programs of two and three threads, under
# models in which stronger words never allow more. LITSCOPE_REPAIRS=N: so many of each language.
set -eu
each=${LITSCOPE_REPAIRS:-250}
mkdir -p "$TMP/tests"
"$BUILD/tests/naive/generate" -language c -o "$TMP/tests" 1 "$each"
"$BUILD/tests/naive/generate" -language ptx -o "$TMP/tests" 1001 "$each"
same=0; cut=0
for test in "$TMP"/tests/*.litmus; do
  litscope repair -q -timeout 20 "$test" >"$TMP/all" 2>/dev/null || true
  grep '^Repair' "$TMP/all" >"$TMP/few" || true
  litscope repair -q -timeout 20 -every 3000 "$test" >"$TMP/all" 2>/dev/null || true
  if grep -qE '^(Limit|Undecided)|so many' "$TMP/all"; then
    cut=$((cut + 1))
    continue
  fi
  grep '^Repair' "$TMP/all" >"$TMP/each" || true
  cmp "$TMP/few" "$TMP/each" || { cat "$test"; exit 1; }
  ! grep -q ' [1-9]' "$TMP/few" || same=$((same + 1))
done
echo "$same repaired alike, $cut not compared to the end"
