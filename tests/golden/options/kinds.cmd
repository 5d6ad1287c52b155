printf "%%%% a comment\nRSP_Test2 Forbidden # why\nWSQ1	Require %%%% as herd writes it\n" >$TMP/kinds
litscope check -kinds $TMP/kinds litmus/rsp | grep -E "^(Test|Ok|No|Positive|Condition|Observation)"
