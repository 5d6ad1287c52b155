#!/bin/sh
# SPDX-License-Identifier: MIT
# The classes of all 110,968 programs of 2x2 for pairs of models, as an independent
# generator counted them whose programs were files judged by `check`.
# `opencl-rsp-own-future` has the axiom `from_the_past` of that time.
set -eu
own=tests/golden/search/models/opencl-rsp-own-future.cat
row() { # A B, then the counts: same, both undefined, only A, only B, A more, B more
  pair="$1 $2"
  litscope diff -q -model "$1,$2" >"$TMP/table" || [ $? = 1 ]
  shift 2
  found=$(awk '/^all/ { print $2, $3, $4, $5, $6, $7, $8 }' "$TMP/table")
  [ "$found" = "$* 0" ] || { echo "$pair: $found instead of $* 0" >&2; exit 1; }
}
row $own:remote-any hrf-rsp:k1 49125 41407 9356 10694 386 0
awk '/^[234] / { print $1, $4, $5, $6 }' "$TMP/table" >"$TMP/sizes"
printf '2 8 10 0\n3 584 700 15\n4 8764 9984 371\n' | diff - "$TMP/sizes"
row opencl $own:remote-any 24325 50763 35656 0 0 224
row $own:remote-any opencl-rsp-published 60205 50763 0 0 0 0
row hrf-indirect-relaxed hrf-direct-relaxed 58169 52799 0 0 0 0
row hrf-indirect-relaxed hrf-rsp:k1 57813 52101 698 0 356 0
row opencl hrf-indirect-relaxed 24549 52799 33620 0 0 0
row opencl-rsp:remote-any hrf-rsp:k1 49511 41407 9356 10694 0 0
row opencl opencl-rsp:remote-any 24549 50763 35656 0 0 0
row opencl-rsp hrf-rsp:k1 49511 52101 9356 0 0 0
row opencl-rsp hrf-rsp 49511 61457 0 0 0 0
