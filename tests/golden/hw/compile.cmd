litscope compile -mapping rsp-original,rsp-corrected litmus/rsp/Lock_handover.litmus litmus/opencl/Barrier_global.litmus
