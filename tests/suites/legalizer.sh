#!/bin/sh
# SPDX-License-Identifier: MIT
# LLVM's tests of the code for AMD GPUs' atomics and fences, llvm/test/CodeGen/AMDGPU/memory-legalizer-*.ll of
# llvm-project: is each block of code that they state right in every context?  Unsound ones are counted by the GPU and
# the context that shows it, unread ones by the reason.
# usage: tests/suites/legalizer.sh FOLDER             (LITSCOPE: the program, else ./litscope)
set -eu
folder=${1:?usage: tests/suites/legalizer.sh FOLDER}
for file in "$folder"/memory-legalizer-*.ll; do # without the two that name no GPU, and have no blocks
  if grep -q '^; RUN:.*-mcpu=gfx.*prefix\|^; RUN:.*-mtriple=amdgpu[0-9].*prefix' "$file"; then set -- "$@" "$file"; fi
done
shift
"${LITSCOPE:-./litscope}" verify -blocks -q "$@" | awk '
  /^File / { files++ }
  /^Block / { blocks++; class = $4; sub(/[:,]$/, "", class); count[class]++; gpu = $3
              if (class != "Sound" && class != "Unsound") { sub(/.*(Unread|Vacuous): /, ""); reasons[class ": " $0]++ } }
  /^  in / && class == "Unsound" { sub(/^  in /, ""); sub(/:.*/, ""); reasons["Unsound: " gpu ", " $0]++; class = "" }
  END { for (reason in reasons) print reasons[reason], reason | "sort -rn"
        close("sort -rn")
        printf "%d files, %d blocks: %d sound, %d unsound, %d vacuous, %d unread\n", files, blocks, count["Sound"], count["Unsound"],
          count["Vacuous"], count["Unread"] }'
