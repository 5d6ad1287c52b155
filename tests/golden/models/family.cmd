# Where the definitions part: the tests of litmus/hrf under the whole family.
litscope check -q -model hrf-direct,hrf-indirect,hrf-direct-relaxed,hrf-indirect-relaxed,hrf-rsp,opencl-rsp litmus/hrf/*.litmus | sed -n '/ hrf-direct /,$p'
