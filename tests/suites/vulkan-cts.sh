#!/bin/sh
# SPDX-License-Identifier: MIT
# The Vulkan CTS's tests of the memory model, by their names: mustpass/main/vk-default/memory-model.txt of
# KhronosGroup/VK-GL-CTS.  A conforming device never fails one, and none has a data race.
# usage: tests/suites/vulkan-cts.sh LIST [MODEL]      (LITSCOPE: the program, else ./litscope)
set -eu
list=${1:?usage: tests/suites/vulkan-cts.sh LIST [MODEL]}
folder=$(mktemp -d)
trap 'rm -r "$folder"' EXIT
"${LITSCOPE:-./litscope}" check -q -fail-on nothing -model "${2:-vulkan}" "@$list" >"$folder/log" 2>"$folder/errors" || true
awk -v names="$(grep -c '^dEQP-VK\.memory_model\.' "$list")" '
  /^Observation / { tests++; if ($3 == "Never") never++; else print "not Never: " $2 }
  /^Flag / { print; racy++ }
  /^Hash=/ { programs += !seen[$0]++ }
  END { printf "%d names, %d of them tests of the model, with %d programs: %d Never, %d undefined\n", names, tests, programs, never, racy
        exit tests != never || racy }' "$folder/log"
sed -n 's/.*:[0-9]*:[0-9]*: error: //p' "$folder/errors" | sort | uniq -c
