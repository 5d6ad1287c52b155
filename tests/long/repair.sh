#!/bin/sh
# SPDX-License-Identifier: MIT
# The search of `repair` against asking about each cheaper change: 500 random programs of two and three threads, which are
# not to end as they cannot under sequential consistency, or are not to race where they do.  Models are those in which
# stronger words never allow more.  LITSCOPE_REPAIRS=N: so many of each language.
set -eu
each=${LITSCOPE_REPAIRS:-100}
mkdir -p "$TMP/tests"
first=1
for language in c ptx opencl hsa vulkan; do
  "$BUILD/tests/naive/generate" -language $language -o "$TMP/tests" $first "$each"
  first=$((first + 1000))
done

# The first outcome of the test that it has not under sequential consistency, as what is not wanted; else nothing.
weak_outcome() {
  litscope check -q "$1" 2>/dev/null | grep ';$' | sort >"$TMP/weak"
  litscope check -q -model sc "$1" 2>/dev/null | grep ';$' | sort >"$TMP/sc"
  comm -23 "$TMP/weak" "$TMP/sc" | sed -n '1s/; *$//; 1s/\[\([a-z]*\)\]/[\1]/g; 1s/; / \/\\ /g; 1s/.*/~exists (&)/p'
}

same=0; none=0; cut=0
for test in "$TMP"/tests/*.litmus; do
  want=race-free
  litscope check -q "$test" 2>/dev/null | grep -q '^Flag' || want=$(weak_outcome "$test")
  [ -n "$want" ] || continue
  limit=
  for every in 0 3000; do
    status=0
    litscope repair -q -timeout 5 -every $every -want "$want" "$test" >"$TMP/all$every" 2>/dev/null || status=$?
    [ $status != 3 ] || limit=reached
    [ $status -le 1 ] || [ $status = 3 ] || { cat "$test"; echo "wanted: $want"; exit 1; }
  done
  if [ -n "$limit" ] || grep -q 'so many' "$TMP/all0" "$TMP/all3000"; then
    cut=$((cut + 1))
    continue
  fi
  grep '^Repair' "$TMP/all0" >"$TMP/few" || true
  grep '^Repair' "$TMP/all3000" >"$TMP/each" || true
  cmp "$TMP/few" "$TMP/each" || { cat "$test"; echo "wanted: $want"; exit 1; }
  if grep -q ' [1-9]' "$TMP/few"; then same=$((same + 1)); else none=$((none + 1)); fi
done
echo "$same repaired alike, $none without a repair alike, $cut not compared to the end"
