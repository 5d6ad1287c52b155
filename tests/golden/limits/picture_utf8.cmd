# Bytes that are no UTF-8 do not make pictures and pages that are no XML.
printf 'OpenCL t\377\n{ [x]=0; }\nP0 (global atomic_int* x) { *x = 1; }\nexists ([x]=1)\n' >$TMP/t.litmus
litscope check -q -o $TMP/o -svg $TMP/t.litmus >/dev/null
litscope report -q -o $TMP/o $TMP/t.litmus >/dev/null
litscope verify -q -mapping rsp-original -o $TMP/o $TMP/t.litmus >/dev/null
litscope check -q -junit $TMP/o/t.xml $TMP/t.litmus >/dev/null
for file in $TMP/o/*.svg $TMP/o/*.xml; do xmllint --noout "$file" && echo XML; done
iconv -f UTF-8 -t UTF-8 $TMP/o/index.html >/dev/null && echo UTF-8
