#!/bin/sh
# SPDX-License-Identifier: MIT
# The AMD machine against the second one on random assembly with loops, with addresses that are known when they are
# used, with flat, local and private memory, and with loads through the scalar cache: the same outcomes.  Then without
# partial-order reduction against with it, on more, also of threads that meet at barriers: every knob.  AMD_LOOPS_TESTS and
# AMD_LOOPS_SEED choose others.
set -eu
for kind in '' memories scalars; do
  perl tests/naive/amd_loops.pl "${AMD_LOOPS_TESTS:-60}" "${AMD_LOOPS_SEED:-7}" "$TMP" $kind
  for place in far one; do
    perl tests/naive/amd_compare.pl outcomes fill=0,place=$place "$TMP"/R*.litmus
  done
done
for kind in '' memories scalars groups; do
  rm "$TMP"/R*.litmus
  perl tests/naive/amd_loops.pl "${AMD_LOOPS_TESTS:-200}" "${AMD_LOOPS_SEED:-7}" "$TMP" $kind
  for knobs in fill=1 fill=0 upd=1 place=one place=near,upd=1 place=packed wb=2; do
    perl tests/naive/amd_compare.pl por $knobs "$TMP"/R*.litmus
  done
  grep -l '^target gfx942' "$TMP"/R*.litmus > "$TMP/several"
  for knobs in l2=2 l2=2,fill=0 l2=2,place=near,upd=1; do
    xargs perl tests/naive/amd_compare.pl por $knobs < "$TMP/several"
  done
done
