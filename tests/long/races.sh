#!/bin/sh
# SPDX-License-Identifier: MIT
# Threads that share work have no data race: a build under ThreadSanitizer (TSAN_BUILD=DIR keeps it) checks tests,
# explores one large machine, verifies, sweeps and searches on several threads. Some minutes, most of them for the build.
set -eu
build=${TSAN_BUILD:-$TMP/tsan}
make -s -j 2 BUILD="$build" PROGRAM="$build/litscope" CFLAGS='-O1 -g -fsanitize=thread' "$build/litscope" >"$TMP/make" 2>&1 ||
  { tail -5 "$TMP/make"; exit 77; }
failed=0
try() {
  TSAN_OPTIONS='exitcode=66 halt_on_error=0' LITSCOPE_LIB=. timeout 300 "$build/litscope" "$@" >"$TMP/out" 2>"$TMP/err" && return
  status=$?
  [ $status = 66 ] || [ $status -gt 100 ] || return 0
  echo "litscope $*: status $status"
  grep -A12 'WARNING: ThreadSanitizer' "$TMP/err" | head -40
  failed=1
}
try check -q -j 4 litmus/rsp litmus/c11 litmus/hrf
try check -q -j 4 -why -model sc,opencl litmus/hrf
try check -q -j 4 litmus/opencl/IRIW_rel_acq_dev.litmus
try explore -q -j 4 -no-por -no-symmetry -max-states 100000 -mapping rsp-corrected litmus/rsp/RSP_Test9.litmus
try explore -q -j 4 -mapping rsp-original litmus/rsp
try verify -q -j 4 -mapping rsp-original,rsp-corrected litmus/hrf
try verify -q -j 4 -family 2x1 -mapping rsp-original
try verify -q -j 4 -ablate -mapping rsp-short-lock -timeout 5
try diff -q -j 4 -model opencl,opencl-rsp -family 2x1
try progress -q -j 4 litmus/loops
try synth -q -j 4 -cells 'load.acq.dev$' -steps 2 -family 2x1
exit $failed
