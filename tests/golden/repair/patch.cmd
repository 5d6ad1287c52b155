# The patch applies, and the test is right then.
cp tests/golden/repair/plain.litmus "$TMP/plain.litmus"
litscope repair "$TMP/plain.litmus" | sed -n '/^---/,/^ exists/p' >"$TMP/patch"
patch -s "$TMP/plain.litmus" "$TMP/patch" && cat "$TMP/plain.litmus"
litscope check "$TMP/plain.litmus" | grep -e Flag -e Observation
litscope repair "$TMP/plain.litmus"
