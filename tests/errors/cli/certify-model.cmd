# The verdict is there, its certificate is not.
litscope check -model hrf-rsp -certify "$TMP/cert" litmus/hrf/D3.litmus >/dev/null
