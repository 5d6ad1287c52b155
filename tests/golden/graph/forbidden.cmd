# Without places and sizes, which depend on the fonts of the machine.
litscope check -o $TMP/g -dot -through invalid litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test3.litmus >/dev/null
ls $TMP/g
cat $TMP/g/* | perl -0pe 's/\b(?:bb|pos|lp|width|height|lwidth|lheight)=(?:"[^"]*"|[^",\]]*),?\s*//g; s/,\s*\]/]/g'
