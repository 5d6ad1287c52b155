#!/bin/sh
# SPDX-License-Identifier: MIT
# The broken locks and barriers of Dat3M's suite are repaired: their patches apply, and `check` finds the patched modules
# right; and what the sound ones can spare. Skipped where there is no suite. long/repair_corpus.sh does all of them.
# slow
set -eu
suite=${LITSCOPE_CORPUS:-../shared/corpus}/spirv
[ -d "$suite" ] || { echo "no $suite"; exit 77; }

few='opencl/benchmarks/caslock-acq2rx opencl/benchmarks/caslock-rel2rx opencl/benchmarks/caslock-dv2wg-1.1.2
  opencl/benchmarks/ttaslock-rel2rx opencl/benchmarks/xf-barrier-fail1 opencl/benchmarks/xf-barrier-fail3
  vulkan/benchmarks/xf-barrier-fail2'
for broken in ${LITSCOPE_BROKEN:-$few}; do
  cp "$suite/$broken.spvasm" "$TMP/kernel.spvasm"
  echo "$broken"
  litscope repair -q "$TMP/kernel.spvasm" >"$TMP/said" 2>/dev/null || { cat "$TMP/said"; exit 1; }
  awk '/^Repair/ { answers++ } answers == 1' "$TMP/said" >"$TMP/first"
  grep '^  line [0-9]*: ' "$TMP/first"
  grep -q '^  after: right$' "$TMP/first"
  sed -n '/^---/,/^\(Not enough\|Cheaper\|Asked\)/p' "$TMP/first" >"$TMP/patch"
  patch -s "$TMP/kernel.spvasm" "$TMP/patch"
  litscope check -q "$TMP/kernel.spvasm" >"$TMP/checked" 2>/dev/null
  ! grep -q Flag "$TMP/checked" || exit 1
done
for sound in opencl/benchmarks/caslock-1.1.2 vulkan/benchmarks/caslock-2.1.1 vulkan/benchmarks/xf-barrier-2.1.1; do
  echo "$sound"
  litscope repair -q -weaken "$suite/$sound.spvasm" 2>/dev/null | grep -E '^(Weaken|  line|Not enough|  after)'
done
