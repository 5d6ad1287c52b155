litscope explore -machine sc -shard 1/2 -certify "$TMP/c" litmus/c11/SB_sc.litmus
