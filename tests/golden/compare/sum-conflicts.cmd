# A sum of logs of different programs, or of tests that ask different conditions, says so.
cp litmus/c11/SB_sc.litmus "$TMP/SB_sc.litmus"
litscope check litmus/c11/SB_sc.litmus litmus/c11/CoRR.litmus >"$TMP/a.log"
sed -i 's/memory_order_seq_cst/memory_order_relaxed/' "$TMP/SB_sc.litmus"
litscope check "$TMP/SB_sc.litmus" >"$TMP/program.log"
echo 'SB_sc "exists (0:r0=1)"' >"$TMP/conds"
litscope check -conds "$TMP/conds" litmus/c11/SB_sc.litmus >"$TMP/condition.log"
litscope compare -sum "$TMP/a.log" "$TMP/program.log"
echo "status $?"
litscope compare -sum "$TMP/a.log" "$TMP/condition.log" "$TMP/a.log" | tee "$TMP/sum.log"
litscope compare -to-conds "$TMP/a.log" "$TMP/program.log"
echo "status $?"
litscope compare "$TMP/a.log" "$TMP/sum.log"
# Blanks and the brackets of locations make no other condition.
sed 's/^Condition .*/Condition exists (0:r0=0 \/\\ 1:r1=0) is NOT validated/' "$TMP/a.log" >"$TMP/litmus7.log"
litscope compare -sum "$TMP/a.log" "$TMP/litmus7.log" | sed -n '/^Test SB_sc/,/^$/p'
litscope compare -sum -to-conds "$TMP/a.log"
