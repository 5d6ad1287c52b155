printf "MP Allowed\nSB Forbiden\n" >$TMP/kinds
litscope check -expect $TMP/kinds litmus/c11/CoRR.litmus
