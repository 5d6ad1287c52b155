# SPDX-License-Identifier: MIT
# No files call each other in circles (tests/call_circles), and the check notices one, but not in objects left from files
# that are no more.
# plain
set -eu
tests/call_circles "$BUILD"

planted=$TMP/planted/checker/base
mkdir -p "$planted"
echo 'int two(void); int one(void) { return two(); }' >"$planted/one.c"
echo 'int one(void); int two(void) { return one(); }' >"$planted/two.c"
for file in one two; do cc -c -o "$planted/$file.o" "$planted/$file.c"; done
! tests/call_circles "$TMP/planted" >"$TMP/said" || { echo "no circle is seen"; exit 1; }
grep -qx 'these files call each other in a circle: checker/base/one checker/base/two' "$TMP/said"
rm "$planted/one.c"
tests/call_circles "$TMP/planted"
