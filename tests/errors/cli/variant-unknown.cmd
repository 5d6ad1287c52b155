litscope check -model hrf-rsp -variant cascde litmus/hrf/D9.litmus
