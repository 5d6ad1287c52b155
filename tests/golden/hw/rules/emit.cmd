# To files, one for each test and mapping; of machines without rules, and with options that need an exploration, none.
litscope explore -emit promela -o "$TMP/models" -mapping rsp-original,rsp-revised litmus/rsp/RSP_Test[12].litmus
litscope explore -emit murphi -o "$TMP/models" -outcome '1:r0=1' litmus/rsp/RSP_Test2.litmus
grep -c d_step "$TMP"/models/*-rsp-original.pml
grep '"wanted"' "$TMP"/models/*.m
litscope explore -emit promela -machine sc litmus/c11/SB_sc.litmus
echo "status $?"
litscope explore -emit murphi -stats -json "$TMP/json" litmus/rsp/RSP_Test1.litmus
echo "status $?"
