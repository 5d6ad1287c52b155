# Machine code has no model: the page, JSON and JUnit say so of it.
litscope report -o "$TMP/page" tests/compilers/columns.litmus litmus/opencl/MP_local.litmus
litscope check -json - -junit "$TMP/junit.xml" tests/compilers/columns.litmus
grep -c '<error ' "$TMP/junit.xml"
