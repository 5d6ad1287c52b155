# SPDX-License-Identifier: MIT
# No shipped test takes more than 48 bytes a state, table and parents included.
litscope explore -stats -no-por -no-symmetry -max-states 20000 litmus/rsp/*.litmus >"$TMP/log" 2>"$TMP/stats" || [ $? = 3 ]
grep -c '^Stats' "$TMP/stats"
awk '/^Stats/ { n++; for (i = 2; i <= NF; i++) if ($i ~ /^bytes\/state/ && $(i - 1) > 48) { print; bad = 1 } }
  END { exit bad || n < 30 }' "$TMP/stats"
