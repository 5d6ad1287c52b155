litscope compile -mapping rsp-corrected litmus/vulkan/MP_av_vis.litmus
