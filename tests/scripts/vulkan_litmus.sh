#!/bin/sh
# SPDX-License-Identifier: MIT
# A test or kernel for Vulkan that is printed as a litmus test (-mapping vulkan-litmus) has the verdict, the flags and,
# of tests, the states that it had; printed once more, it is the same text.
set -eu
judge() { # FOLDER FILES...: the lines that say what is so, for each test by name
  folder=$1
  shift
  litscope check "$@" 2> "$TMP/err" | grep -E '^(Test|Flag|States|Observation)' | sed -E "$strip" > "$folder.verdicts"
}
round() { # NAME FILES...
  name=$1
  shift
  litscope compile -mapping vulkan-litmus -o "$TMP/$name" "$@" > "$TMP/$name.paths" 2> "$TMP/$name.err"
  judge "$TMP/$name.source" "$@"
  # shellcheck disable=SC2046
  judge "$TMP/$name" $(cat "$TMP/$name.paths")
  diff "$TMP/$name.source.verdicts" "$TMP/$name.verdicts"
  [ "$(grep -c ^Observation "$TMP/$name.verdicts")" = $# ] || { echo "$name: not all of them"; exit 1; }
  # shellcheck disable=SC2046
  litscope compile -mapping vulkan-litmus $(cat "$TMP/$name.paths") 2> "$TMP/err" | sed 's/^"\(.*\) by vulkan-litmus"/"\1"/' > "$TMP/$name.again"
  # shellcheck disable=SC2046
  sed 's/^"\(.*\) by vulkan-litmus"/"\1"/' $(cat "$TMP/$name.paths") | diff - "$TMP/$name.again"
}
strip=
round tests litmus/vulkan/*.litmus
strip='/^States/d; s/^(Observation [^ ]* [^ ]*).*/\1/' # kernels are asked only until the condition is settled
set -- litmus/kernels/*.comp litmus/kernels/lock_vulkan.spvasm
round kernels "$@"
