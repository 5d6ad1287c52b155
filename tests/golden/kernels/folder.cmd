# A folder stands for its tests; one hears that it has kernels in source form, of which nobody knows how to run them
mkdir "$TMP/both"
cp litmus/kernels/message.cl litmus/c11/SB_sc.litmus "$TMP/both"
litscope check "$TMP/both" | grep ^Test
