litscope check -svg -pdf -o "$TMP" litmus/c11/SB_sc.litmus
