litscope check -q -why litmus/ptx/MP_rel_acq.litmus litmus/ptx/SB_fence_sc.litmus litmus/ptx/Proxy_surface_fence.litmus litmus/ptx/Add_add.litmus
