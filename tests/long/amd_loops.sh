#!/bin/sh
# SPDX-License-Identifier: MIT
# The AMD machine against the second one on random assembly with loops, with addresses that are known when they are
# used, with flat, local and private memory, and with loads through the scalar cache: the same outcomes.  AMD_LOOPS_TESTS and AMD_LOOPS_SEED choose others.
set -eu
for kind in '' memories scalars; do
  perl tests/naive/amd_loops.pl "${AMD_LOOPS_TESTS:-60}" "${AMD_LOOPS_SEED:-7}" "$TMP" $kind
  for place in far one; do
    perl tests/naive/amd_compare.pl outcomes fill=0,place=$place "$TMP"/R*.litmus
  done
done
