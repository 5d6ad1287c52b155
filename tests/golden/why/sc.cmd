litscope check -why -model sc litmus/rsp/RSP_Test1.litmus
# A flag is not undefined behaviour.
printf '"flags"\ninclude "cos.cat"\nflag ~empty rfe as told\n' >$TMP/flags.cat
litscope check -q -why -model $TMP/flags.cat litmus/rsp/RSP_Test1.litmus | sed -n '/^Why/,$p'
