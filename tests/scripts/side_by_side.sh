# SPDX-License-Identifier: MIT
# SPIN and rumur visit as many states by as many transitions as litscope does without reductions, and see the same
# final states; under knobs that change many rules.  tests/long/side_by_side.sh compares all shipped tests.
. tests/scripts/side_by_side
side_by_side_tools || exit 77
side_by_side tests/golden/hw/rules/words.litmus -machine gpu -mapping rsp-original \
  -knob "write-back=any,invalidate-dirty=drop,lock-rmw-taken=in-order,broadcast=ascending,fifo-entries=1"
