#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# The conflicts of `repair` speak against many changes at once; asked one by one, every cheaper change is wrong too, and
# the answer stays. Random programs and shipped tests, under models in which stronger words never allow more;
# long/repair.sh has more of them.
set -eu
tests=$TMP/repair; mkdir -p "$tests"
"$BUILD/tests/naive/generate" -language c -o "$tests" 1 12
"$BUILD/tests/naive/generate" -language ptx -o "$tests" 103 4
set -- "$tests"/*.litmus tests/golden/repair/*.litmus
for name in cluster_apart cta fence_wrong_order gpus one_side volatile weak; do set -- "$@" litmus/ptx/MP_$name.litmus; done
litscope repair -q -every 0 "$@" 2>/dev/null | grep '^Repair' >"$tests/few"
litscope repair -q -every 3000 "$@" 2>/dev/null >"$tests/all" || true
! grep -E '^(Limit|Undecided)|so many' "$tests/all" || exit 1
grep '^Repair' "$tests/all" | diff "$tests/few" -
same=$(grep -c ' [1-9][0-9]*$' "$tests/few")
[ "$same" -ge 12 ] || { echo "only $same answers: too little was compared"; exit 1; }
