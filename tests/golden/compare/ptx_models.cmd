# Several models, asked (-force) about other languages too: PTX's names are known and empty there.
litscope check -q -force -model ptx,ptx-v6.0,vulkan,opencl litmus/ptx/MP_rel_acq.litmus litmus/ptx/Proxy_surface.litmus litmus/vulkan/MP_av_vis.litmus | sed -n '/^Verdicts/,$p'
litscope check -q -force -model opencl litmus/ptx/MP_rel_acq.litmus | grep Observation
litscope check -q -json $TMP/x.json litmus/ptx/Final_two_names.litmus >/dev/null
sed 's/"seconds": [0-9.]*/"seconds": 0/' $TMP/x.json
