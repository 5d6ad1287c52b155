# Which models allow failed rounds of loops that wait to be left out, and why.
for model in sc rc11 rc11-scoped opencl opencl-rsp opencl-published opencl-rsp-published hrf-direct hrf-indirect \
  hrf-direct-relaxed hrf-indirect-relaxed hrf-rsp hrf-rsp-native ptx ptx-v6.0 ptx-v7.5 vulkan vulkan-final vulkan-nochains adsm; do
  litscope check -dump rounds -model $model
done
