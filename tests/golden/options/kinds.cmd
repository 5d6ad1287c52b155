printf "RSP_Test2 Forbidden\nWSQ1 Required\n" >$TMP/kinds
litscope check -kinds $TMP/kinds litmus/rsp | grep -E "^(Test|Ok|No|Positive|Condition|Observation)"
