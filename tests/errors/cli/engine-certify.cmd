litscope check -engine solve -certify "$TMP/cert" litmus/c11/SB_sc.litmus
