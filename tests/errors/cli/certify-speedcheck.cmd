litscope check -speedcheck true -certify "$TMP/cert" litmus/c11/SB_sc.litmus
