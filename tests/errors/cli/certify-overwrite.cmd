cp litmus/c11/SB_sc.litmus "$TMP"
litscope check -certify "$TMP/SB_sc.litmus" "$TMP/SB_sc.litmus"
