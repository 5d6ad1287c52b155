# An option whose file was forgotten
cp litmus/c11/SB_sc.litmus "$TMP"
litscope check -json "$TMP/SB_sc.litmus" litmus/c11/MP_rel_acq.litmus
