#!/bin/sh
# SPDX-License-Identifier: MIT
# opencl-rsp and hrf-rsp say the same of every program of two threads with two
# operations each, and of three threads with one.  unit/test_promotion.c takes
# samples of these and of larger families.
# slow
status=0
expect() {
  if ! SWEEP_STEP=1 SWEEP_FAMILY="$1" "$BUILD/tests/unit/test_promotion" >"$TMP/out" 2>"$TMP/err" ||
    ! grep -qxF "$1: $2" "$TMP/out"; then
    echo "expected $1: $2"
    cat "$TMP/out" "$TMP/err"
    status=1
  fi
}
expect 2x2 "49511 same, 61457 undefined in both"
expect 3x1 "522 same, 776 undefined in both"
exit $status
