#!/bin/sh
# SPDX-License-Identifier: MIT
# The two models of promotion on larger families, to their ends: programs on two devices
# do not tell them apart, and guarded ones only where models/README.md says.
set -eu
row() { # FAMILY MODELS, then the counts: same, both undefined, only A, only B, A more, B more
  case="$1 $2"
  litscope diff -q -family "$1" -model "$2" >"$TMP/table" || [ $? = 1 ]
  shift 2
  found=$(awk '/^all/ { print $2, $3, $4, $5, $6, $7, $8 }' "$TMP/table")
  [ "$found" = "$* 0" ] || { echo "$case: $found instead of $* 0" >&2; exit 1; }
}
row 2x2 opencl-rsp,hrf-rsp 49511 61457 0 0 0 0
row 3x1 opencl-rsp,hrf-rsp 522 776 0 0 0 0
row 2x2,guarded opencl-rsp,hrf-rsp 176046 112130 0 46 0 0
[ "$(grep -c '^only-B-undefined' "$TMP/table")" = 46 ]
row 2x2,guarded opencl-rsp,hrf-rsp:n3:no-thin-air 176092 111752 378 0 0 0
row 2x2,devices=2 opencl-rsp,hrf-rsp 427906 495041 0 0 0 0
