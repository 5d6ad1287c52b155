printf 'WSQ1 Allowed\nWSQ2 Allowed\nWSQ1 Forbidden\n' >$TMP/kinds; litscope check -kinds $TMP/kinds litmus/rsp
