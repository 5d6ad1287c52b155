printf "RSP_Test2 Forbiden\n" >$TMP/kinds; cd $TMP && litscope check -kinds kinds x.litmus
