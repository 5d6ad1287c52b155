# Headers are read in every comment, also after GLSL's first line, a licence and code: one that is not would ask nothing.
{ printf '; Copyright (c) nobody\n;\n'; sed '/@/d' litmus/kernels/message_device.spvasm; grep @ litmus/kernels/message_device.spvasm; echo '; @param is no header here'; } >$TMP/late.spvasm
litscope check $TMP/late.spvasm | grep -E '^(Cond|Obs)'
litscope check -dump program litmus/kernels/message_device.spvasm >$TMP/above
litscope check -dump program $TMP/late.spvasm | sed s/late/message_device/ | diff $TMP/above - && echo same
