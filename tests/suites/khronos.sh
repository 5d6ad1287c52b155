#!/bin/sh
# SPDX-License-Identifier: MIT
# Khronos' tests of the Vulkan memory model: alloy/tests of KhronosGroup/Vulkan-MemoryModel.
# usage: tests/suites/khronos.sh FOLDER [MODEL]       (LITSCOPE: the program, else ./litscope)
set -eu
folder=${1:?usage: tests/suites/khronos.sh FOLDER [MODEL]}
log=$("${LITSCOPE:-./litscope}" check -q -fail-on nothing -model "${2:-vulkan}" "$folder"/*.test)
echo "$log" | awk '
  /^Test / { tests++; test = $2 }
  /^Assertion / { all++; answer = $0; sub(/.*: /, "", answer); sub(/ .*/, "", answer); count[answer]++ }
  /^Assertion .*: (No|Unsupported)/ { print test ": " $0 }
  END { printf "%d tests, %d assertions: %d Ok, %d No, %d Unsupported\n", tests, all, count["Ok"], count["No"], count["Unsupported"] }'
