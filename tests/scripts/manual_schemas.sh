# SPDX-License-Identifier: MIT
# litscope-mapping.5 knows every element, attribute and word of the schemas, and its examples follow them.
set -eu
page=checker/man/litscope-mapping.5
for schema in mapping translation gpu adsm amo timing; do
  for word in $(grep -o '<\(element\|attribute\) name="[^"]*\|<value>[^<]*' "mappings/$schema.rng" | sed 's/.*[">]//'); do
    grep -q -e "[^a-zA-Z]$word\([^a-zA-Z-]\|$\)" "$page" || { echo "$page lacks '$word' of $schema.rng"; exit 1; }
  done
done

# The examples, in files: what is between .Bd and .Ed, `...` left out.
awk -v tmp="$TMP" '/^\.Bd/ { n++; next } /^\.Ed/ { next_text = 0; in_text = 0; next }
  /^</ { in_text = 1 } in_text && !/^ *\.\.\.$/ { print > (tmp "/example" n ".xml") }' "$page"
litscope compile -mapping "$TMP/example1.xml" tests/errors/carrier.litmus >"$TMP/out" 2>"$TMP/err" || status=$?
test "${status-0}" = 2 # it is no complete mapping
grep -q "mapping mine has no <operation> for" "$TMP/err"
status=0
litscope compile -mapping "$TMP/example2.xml" tests/errors/carrier.litmus >"$TMP/out" 2>"$TMP/err" || status=$?
test "$status" = 2
grep -q "by mine: the mapping does not have this operation" "$TMP/err"
litscope explore -q -machine "$TMP/example3.xml" tests/errors/carrier.litmus >"$TMP/out"
litscope explore -q -machine "$TMP/example4.xml" litmus/adsm/A1.litmus >"$TMP/out"
