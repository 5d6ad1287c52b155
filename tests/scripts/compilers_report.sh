#!/bin/sh
# SPDX-License-Identifier: MIT
# The report page has compilers and targets as columns, with the runs that violate the
# model. Skipped where there is no llc-22.
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
status=0
litscope report -o "$TMP/page" -target gfx90a,gfx90a:tgsplit,sm_70 -compiler llvm-22 -mapping rsp-corrected \
  tests/compilers/ISA2_wd.litmus tests/compilers/MP_rmw.litmus tests/compilers/Inc2_sys.litmus > "$TMP/out" || status=$?
[ $status = 1 ]
page=$TMP/page/index.html
for heading in gfx90a/llvm-22 gfx90a:tgsplit/llvm-22 sm_70/llvm-22 rsp-corrected; do
  grep -q "<th[^>]*>.*$heading" "$page" || { echo "no column $heading"; exit 1; }
done
for title in 'Target gfx90a/llvm-22 against opencl: Unsound' 'Target gfx90a:tgsplit/llvm-22 against opencl: Sound' \
  'Target sm_70/llvm-22 against opencl: Unsound' 'Target gfx90a/llvm-22 against opencl: not applicable' 'Mapping rsp-corrected against '; do
  grep -qF "$title" "$page" || { echo "no '$title'"; exit 1; }
done
grep -q 'ISA2_wd under gfx90a/llvm-22: Unsound' "$page" # the picture of the run
