litscope compile -mapping tests/mappings/languages/ptx-bad-word.xml litmus/opencl/MP_wg_same.litmus
