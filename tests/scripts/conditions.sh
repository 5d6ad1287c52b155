# SPDX-License-Identifier: MIT
# Random models and tests with conditions (tests/naive/conditions.pl): the naive enumerator has the same counts and
# states, and certificates are accepted.  long/conditions.sh has more of them, and herd7.
set -eu
mkdir "$TMP/n"
for kind in naive:"$BUILD/tests/naive/naive" certify:litscope-certify; do
  tests/naive/conditions.pl "${kind%%:*}" "${kind#*:}" litscope 1 20 "$TMP/n" || { cat "$TMP"/n/d*; exit 1; }
done
