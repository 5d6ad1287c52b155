printf "RSP_Test2\n" >$TMP/conds; cd $TMP && litscope check -conds conds x.litmus
