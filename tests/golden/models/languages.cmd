# Only the models of the languages that occur are read; all, where that cannot be known beforehand or words are for them.
models() { litscope check -v -q "$@" 2>&1 >"$TMP/log" | sed -n 's/^model \([a-z0-9-]*\):.*/\1/p' | tr '\n' ' '; echo; }
models litmus/opencl/CoRR_dev.litmus
models litmus/opencl/CoRR_dev.litmus litmus/ptx/Spin.litmus litmus/c11/CoRR.litmus
models - <litmus/c11/CoRR.litmus
models -variant normw litmus/c11/CoRR.litmus
printf 'litmus/c11/CoRR.litmus\n' >"$TMP/@index" && models "$TMP/@index"
