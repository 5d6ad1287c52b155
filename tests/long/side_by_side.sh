# SPDX-License-Identifier: MIT
# As scripts/side_by_side.sh, of all shipped tests with at most SIDE_STATES states under SIDE_MAPPING; minutes.
. tests/scripts/side_by_side
side_by_side_tools || exit 77
compared=0
for test in litmus/rsp/*.litmus litmus/opencl/*.litmus litmus/hsa/*.litmus; do
  litscope explore -q -no-por -no-symmetry -mapping "${SIDE_MAPPING:-rsp-corrected}" \
    -max-states "${SIDE_STATES:-300000}" "$test" >"$TMP/log" 2>&1 || continue
  side_by_side "$test" -mapping "${SIDE_MAPPING:-rsp-corrected}"
  compared=$((compared + 1))
done
echo "$compared compared"
[ "$compared" -ge 100 ]
