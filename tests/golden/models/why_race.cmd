litscope check -model hrf-rsp,hrf-indirect-relaxed,opencl-rsp -why litmus/hrf/D7.litmus litmus/hrf/D2.litmus | sed -n '/^Why/,/^$/p'
