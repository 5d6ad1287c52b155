#!/bin/sh
# SPDX-License-Identifier: MIT
# Random tests in Khronos' format: the reader and `vulkan:alloy` say of each what a second implementation of
# Khronos' formalisation says, which tries all executions (tests/naive/khronos.pl), and `vulkan` what one of the
# specification's text says.  The two differ in some.
# KHRONOS_SEED, KHRONOS_COUNT: others, or more (long/khronos_naive.sh).
set -eu
tests/naive/khronos.pl -make "$TMP" "${KHRONOS_SEED:-1}" "${KHRONOS_COUNT:-100}"
tests/naive/khronos.pl "$TMP"/*.test >"$TMP/vulkan:alloy"
tests/naive/khronos.pl -text "$TMP"/*.test >"$TMP/vulkan"
for model in vulkan:alloy vulkan; do
  [ "$(grep -c ' Ok$' "$TMP/$model")" -gt 40 ]
  [ "$(grep -c ' No$' "$TMP/$model")" -gt 40 ]
  litscope check -q -fail-on nothing -model "$model" "$TMP"/*.test | awk '
    /^Test / { test = $2 }
    /^Assertion / { answer = $0; sub(/.*: /, "", answer); print test, $2, answer }' | diff "$TMP/$model" -
done
[ "$(diff "$TMP/vulkan:alloy" "$TMP/vulkan" | grep -c '^<')" -gt 0 ]
