# A picture for LaTeX: boxes, events, curves and labels, with what means something to LaTeX escaped.
litscope check -tikz -q -o $TMP/o -through invalid litmus/rsp/RSP_Test2.litmus >$TMP/log
cat $TMP/o/RSP_Test2-opencl-rsp-forbidden-0.tikz
# More than three relations beside program order: a legend, in the colours of the edges.
litscope check -q -dot -o $TMP/o -doshow hb tests/golden/graph/four.litmus >$TMP/log
grep -o '^key[0-9]* \|label="→ [a-z]*"\|^ *key[0-9]* .*' $TMP/o/Four-rc11-0.dot | head
litscope check -q -tikz -o $TMP/o -doshow hb tests/golden/graph/four.litmus >$TMP/log
grep '→' $TMP/o/Four-rc11-0.tikz | sed 's/ at .*{/ {/'
litscope check -q -tikz -o $TMP/o -doshow sw tests/golden/graph/four.litmus >$TMP/log
grep -c '→' $TMP/o/Four-rc11-0.tikz
# The second line of a title may begin with a bracket, which LaTeX must not take for a distance.
litscope check -q -tikz -o $TMP/o -show all -nshow 1 litmus/opencl/2+2W_sc_dev.litmus >$TMP/log
grep -o 'allowed by.*' $TMP/o/2+2W_sc_dev-opencl-rsp-0.tikz
