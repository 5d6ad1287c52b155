# The same rules for rumur, of a test with an array, narrow types and a loop: conditions and values in its notation.
litscope explore -q -emit murphi -mapping rsp-corrected tests/golden/hw/rules/words.litmus >"$TMP/words.m"
sed -n -e '1,/^procedure/p' -e '/^rule "P/,$p' "$TMP/words.m"
