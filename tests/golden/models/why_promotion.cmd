litscope check -model hrf-rsp-native -why litmus/hrf/D9.litmus litmus/hrf/D1.litmus litmus/rsp/RSP_Test9.litmus | sed -n '/^Why/,/^$/p'
