#!/bin/sh
# SPDX-License-Identifier: MIT
# The forms of instructions to which libcu++ maps C++'s atomics, cuda_ptx_generated.h of NVIDIA/cccl, and accesses of
# several devices, cuda/__ptx/instructions/generated/multimem_*.h.  Each, less its type, must be read in a test of one
# thread.
# usage: tests/suites/libcuxx.sh HEADER...            (LITSCOPE: the program, else ./litscope)
set -eu
[ $# -gt 0 ] || { echo 'usage: tests/suites/libcuxx.sh HEADER...' >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
grep -ohE 'asm( volatile)?\("(ld|st|atom|red|fence|membar|multimem)[a-z0-9_.]*' "$@" | sed -E 's/.*\("//; s/\.[busf](8|16|32|64|128)$//' |
  sort -u >"$folder/forms"
all=0 read=0
while read -r form; do
  case $form in
    ld*) operands='r0, x' ;;
    st* | red*) operands='x, 1' ;;
    atom.cas*) operands='r0, x, 0, 1' ;;
    atom*) operands='r0, x, 1' ;;
    multimem.ld*) operands='r0, m' ;;
    multimem*) operands='m, 1' ;;
    *) operands= ;;
  esac
  printf 'PTX form\n{ x=0; y=0; m @ multimem aliases x, y; }\n P0@cta 0,cluster 0,gpu 0 ;\n %s %s ;\nexists (x=0)\n' "$form" "$operands" >"$folder/form.litmus"
  all=$((all + 1))
  if "${LITSCOPE:-./litscope}" check -q "$folder/form.litmus" >/dev/null 2>&1; then read=$((read + 1)); else echo "not read: $form"; fi
done <"$folder/forms"
echo "$read of $all forms are read"
[ "$read" = "$all" ]
