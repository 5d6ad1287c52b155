# Prices: of the timed machine's code; of what stands in the text, by a list; the number of changes again.
litscope repair -q -cost timing-rsp tests/golden/repair/handshake.litmus | sed -n '1,/^---/p'
litscope repair -q -cost timing-rsp -weaken -json "$TMP/r.json" tests/golden/repair/spare.litmus | sed -n '1,/^---/p'
tests/schema/validate checker/report/results.schema.json "$TMP/r.json" && grep -o '"cost": *-*[0-9]*' "$TMP/r.json"
sed '/<parameter/d; /<about>/,/<\/about>/d; s,<title>.*,<title>A list</title><about>For a test</about>,' mappings/timing-emitted.xml >"$TMP/none.xml"
price() { echo "<parameter name='$1' value='$2' low='0' high='100' unit='cycles' source='chosen'>One.</parameter>"; }
{ grep -v '^</timing>' "$TMP/none.xml"; price fence.sc 30; price fence 20; price st.release 4; price ld.acquire 3; price else 1; echo '</timing>'; } >"$TMP/list.xml"
sed '/else/d; /ld.acq/d' "$TMP/list.xml" >"$TMP/short.xml"
litscope repair -q -cost "$TMP/list.xml" litmus/ptx/MP_weak.litmus | sed -n '1,/^---/p' | sed "s,$TMP/,,"
litscope repair -q -cost changes tests/golden/repair/handshake.litmus | head -1
# What has no price.
litscope repair -q -cost "$TMP/short.xml" litmus/ptx/MP_weak.litmus 2>&1 | sed "s,$TMP/,,"
litscope repair -q -cost timing-rsp litmus/adsm/*.litmus 2>&1 | head -1
litscope repair -cost timing-rsp -mapping rsp-corrected,rsp-original tests/golden/repair/handshake.litmus
litscope repair -cost nothing tests/golden/repair/handshake.litmus
litscope repair -cost timing-rsp litmus/ptx/MP_weak.litmus
for words in '-compiler llvm-22' '-mapping rsp-original' '-cost changes -params n=2' '-cost timing-emitted -mapping rsp-original'; do
  litscope repair $words tests/golden/repair/handshake.litmus
done
