# Where the program that draws is missing, or ends at a picture, the others are drawn and the run goes on.
litscope=$(readlink -f "$(command -v litscope)")
cp "$litscope" $TMP/litscope
export LITSCOPE_LIB=.
tests="litmus/rsp/RSP_Test2.litmus litmus/hrf/D1.litmus"
$TMP/litscope check -q -o $TMP/o litmus/rsp/RSP_Test2.litmus; echo "status $?"
$TMP/litscope report -q -o $TMP/page litmus/rsp/RSP_Test2.litmus >/dev/null; echo "status $?"
cp "$(dirname "$litscope")/litscope-draw" $TMP/draws
cat >$TMP/litscope-draw <<'END'
#!/bin/sh
[ ! -e "$0.once" ] || exec "$(dirname "$0")/draws"
touch "$0.once"
read -r request
kill -s ABRT $$
END
chmod +x $TMP/litscope-draw
$TMP/litscope check -j 1 -q -through invalid -o $TMP/o $tests | grep Observation; ls $TMP/o
rm $TMP/litscope-draw.once
$TMP/litscope report -j 1 -q -o $TMP/page $tests >/dev/null; echo "status $?"
grep -c '<figure' $TMP/page/index.html
grep -o 'A picture is missing.*' $TMP/page/index.html
