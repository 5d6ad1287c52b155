litscope compile -mapping opencl-ptx litmus/ptx/MP_cta.litmus litmus/adsm/A1.litmus
