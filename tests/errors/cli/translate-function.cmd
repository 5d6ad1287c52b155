litscope translate -mapping opencl-vulkan litmus/opencl/Lock_wg_same.litmus
litscope translate -mapping tests/golden/translate/no-min.xml tests/golden/translate/everything.litmus
