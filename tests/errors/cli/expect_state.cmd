printf "test\tmodel\tstates\nMP\trc11\t0:r0=1; | soon\n" >$TMP/expected.tsv
litscope check -expect $TMP/expected.tsv litmus/c11/CoRR.litmus
