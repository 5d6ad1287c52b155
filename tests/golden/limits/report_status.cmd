# plain
# A report's status is that of the answers in it, and its words are theirs.
page() {
  litscope report -q -nshow 1 -o $TMP "$@" >$TMP/path
  echo "status $?"
  sed -n 's/.*<h3>\(Mapping [^<]*\)<\/h3><pre[^>]*>\([^<]*\).*/\1 | \2/p' $TMP/index.html
}
page -mapping rsp-original litmus/rsp/RSP_Test2.litmus
page -mapping rsp-corrected litmus/rsp/RSP_Test2.litmus
page -mapping rsp-corrected -max-states 5 litmus/rsp/RSP_Test2.litmus
page -mapping rsp-original litmus/opencl/Barrier_diverges.litmus
# Cells are as long as what they say.
page -mapping rsp-original tests/golden/limits/many.litmus
sed -n 's/.*\(P0=[0-9P =]*P11=[0-9]*\)<.*/\1/p' $TMP/index.html
