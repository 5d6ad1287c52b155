# herd7's options: each has an answer, and one that is not here is refused with it.
litscope help -format herd | grep -c '^-[a-zA-Z0-9-]*  *\(have\|other name\|always so\|no meaning\|not yet\)\( .*\)*$'
litscope help -format herd | grep -vc '^-[a-zA-Z0-9-]*  *\(have\|other name\|always so\|no meaning\|not yet\)\( .*\)*$'
litscope help -format herd | grep -e '^-\(unroll\|gv\|endian\|mono\) '
litscope check -gv litmus/rsp/RSP_Test2.litmus
litscope check -endian little litmus/rsp/RSP_Test2.litmus
litscope check -mono litmus/rsp/RSP_Test2.litmus
litscope check -evince litmus/rsp/RSP_Test2.litmus
