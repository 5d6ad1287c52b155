mkdir $TMP/a
cp litmus/rsp/RSP_Test2.litmus litmus/rsp/RSP_Test5.litmus $TMP/a
printf "# an index\nRSP_Test5.litmus\n\n@more\n" >$TMP/a/@all
printf "RSP_Test2.litmus\n" >$TMP/a/@more
litscope $TMP/a/@all | grep "^Observation"
cp $TMP/a/@more $TMP/a/list
cd $TMP/a && litscope @list | grep "^Observation"
