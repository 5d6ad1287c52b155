litscope check -q -why litmus/vulkan/MP_av_vis.litmus litmus/vulkan/Cbar.litmus
