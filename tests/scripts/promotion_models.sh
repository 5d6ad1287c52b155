#!/bin/sh
# SPDX-License-Identifier: MIT
# opencl-rsp and hrf-rsp say the same of every program of three threads with one
# operation each, and of every thirtieth of two threads with two; tests/long/promotion_families.sh
# takes all of them, and unit/test_promotion.c samples of larger families.
# slow
status=0
expect() { # FAMILY STEP COUNTS
  if ! SWEEP_STEP="$2" SWEEP_FAMILY="$1" "$BUILD/tests/unit/test_promotion" >"$TMP/out" 2>"$TMP/err" ||
    ! grep -qxF "$1: $3" "$TMP/out"; then
    echo "expected $1: $3"
    cat "$TMP/out" "$TMP/err"
    status=1
  fi
}
expect 2x2 30 "2142 same, 1557 undefined in both"
expect 3x1 1 "522 same, 776 undefined in both"
exit $status
