# SPDX-License-Identifier: MIT
# Random models and tests with conditions (tests/naive/conditions.pl): herd7 (HERD7=COMMAND), the naive enumerator and
# litscope-certify agree with litscope.  CONDITIONS=N tests from CONDITIONS_FIRST=N on; some minutes.
set -eu
count=${CONDITIONS:-2000} first=${CONDITIONS_FIRST:-1}
mkdir "$TMP/n"
ask() { tests/naive/conditions.pl "$1" "$2" litscope "$first" "$count" "$TMP/n" || { cat "$TMP"/n/d*; exit 1; }; }
ask naive "$BUILD/tests/naive/naive"
ask certify litscope-certify
herd=${HERD7:-herd7}
command -v "${herd%% *}" >/dev/null || { echo 'no herd7: HERD7=COMMAND says where it is'; exit 77; }
ask herd7 "$herd"
