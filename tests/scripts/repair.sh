#!/bin/sh
# SPDX-License-Identifier: MIT
# The conflicts of `repair` speak against many changes at once; asked one by one, every cheaper change is wrong too, and
# the answer stays. Random programs and shipped tests, under models in which stronger words never allow more.
set -eu
tests=$TMP/repair; mkdir -p "$tests"
"$BUILD/tests/naive/generate" -language c -o "$tests" 1 12
"$BUILD/tests/naive/generate" -language ptx -o "$tests" 103 4
same=0
for test in "$tests"/*.litmus tests/golden/repair/*.litmus litmus/ptx/MP_*.litmus litmus/ptx/SB_fence_acq_rel.litmus; do
  litscope repair -q -every 0 "$test" 2>/dev/null | grep '^Repair' >"$tests/few" || true
  litscope repair -q -every 3000 "$test" 2>/dev/null | grep '^Repair' >"$tests/all" || true
  cmp "$tests/few" "$tests/all" || { echo "$test"; exit 1; }
  ! grep -q ' [1-9]' "$tests/few" || same=$((same + 1))
done
[ "$same" -ge 8 ] || { echo "only $same tests were repaired: nothing was compared"; exit 1; }
