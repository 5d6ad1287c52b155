# Where hashes mean the same in both logs, a test that changed is told apart.
litscope check litmus/c11/SB_sc.litmus litmus/c11/CoRR.litmus >$TMP/a
sed 's/^Hash=./Hash=-/' $TMP/a >$TMP/other-tool
litscope compare $TMP/a $TMP/other-tool
sed '0,/^Hash=./s//Hash=-/' $TMP/a >$TMP/changed
litscope compare $TMP/a $TMP/changed
