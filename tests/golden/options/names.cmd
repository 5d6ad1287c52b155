printf "# wanted\nRSP_Test2\nWSQ1\n" >$TMP/names
litscope check -names $TMP/names litmus/rsp | grep "^Observation"
