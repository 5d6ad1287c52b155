#!/bin/sh
# SPDX-License-Identifier: MIT
# Random tests in Khronos' format: the reader and `vulkan:alloy` say of each what a second implementation of
# Khronos' formalisation says, which tries all executions (tests/naive/khronos.pl).
# KHRONOS_SEED, KHRONOS_COUNT: others, or more.
set -eu
tests/naive/khronos.pl -make "$TMP" "${KHRONOS_SEED:-1}" "${KHRONOS_COUNT:-300}"
tests/naive/khronos.pl "$TMP"/*.test >"$TMP/expected"
litscope check -q -fail-on nothing -model vulkan:alloy "$TMP"/*.test | awk '
  /^Test / { test = $2 }
  /^Assertion / { answer = $0; sub(/.*: /, "", answer); print test, $2, answer }' >"$TMP/actual"
[ "$(grep -c ' Ok$' "$TMP/expected")" -gt 100 ] && [ "$(grep -c ' No$' "$TMP/expected")" -gt 100 ]
diff "$TMP/expected" "$TMP/actual"
