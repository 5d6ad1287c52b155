# Results are not written over a test, and files are whole or as they were.
cp litmus/rsp/RSP_Test2.litmus $TMP/t.litmus
litscope check -q -json $TMP/t.litmus $TMP/t.litmus
echo "status $?"
litscope check -q -junit $TMP/t.litmus $TMP
echo "status $?"
cmp litmus/rsp/RSP_Test2.litmus $TMP/t.litmus
# A link is followed, a device written to, and nothing is left beside the file.
ln -s real.json $TMP/link.json
echo old >$TMP/real.json
litscope check -q -json $TMP/link.json $TMP/t.litmus >/dev/null
grep -c '"observation": "Never"' $TMP/real.json
litscope check -q -json /dev/null $TMP/t.litmus >/dev/null && [ -c /dev/null ] && echo a device
ls -A $TMP
