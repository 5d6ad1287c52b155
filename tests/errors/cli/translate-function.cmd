litscope compile -mapping opencl-vulkan litmus/opencl/Lock_wg_same.litmus
litscope compile -mapping tests/golden/translate/no-min.xml tests/golden/translate/everything.litmus
