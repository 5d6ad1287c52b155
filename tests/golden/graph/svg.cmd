litscope check -o $TMP -svg -through invalid -show all litmus/rsp/RSP_Test2.litmus >/dev/null
for f in $TMP/*.svg; do basename $f; xmllint --noout $f; done
