# SPDX-License-Identifier: MIT
# What `make demo` shows: the twelve tests' verdicts, and pictures of what is forbidden.
# slow
set -eu
tests/demo.sh litscope "$TMP/out" >"$TMP/log" || { cat "$TMP/log"; exit 1; }
grep -q '^  8 good, 2 racy, 1 enforced broken behaviour, 1 forbade reasonable behaviour$' "$TMP/log" || { cat "$TMP/log"; exit 1; }
test -s "$TMP/out/RSP_Test2-opencl-rsp-forbidden-0.svg"
