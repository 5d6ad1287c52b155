# SPDX-License-Identifier: MIT
# No files call each other in circles (tests/circles), and the check notices one.
# slow
set -eu
tests/circles "$BUILD"

mkdir -p "$TMP/planted/checker/base"
echo 'int two(void); int one(void) { return two(); }' | cc -x c -c -o "$TMP/planted/checker/base/one.o" -
echo 'int one(void); int two(void) { return one(); }' | cc -x c -c -o "$TMP/planted/checker/base/two.o" -
! tests/circles "$TMP/planted" >"$TMP/said"
grep -qx 'these files call each other in a circle: checker/base/one checker/base/two' "$TMP/said"
