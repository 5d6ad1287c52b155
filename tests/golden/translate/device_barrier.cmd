# The scope of a barrier is the one that is written, in its fences or in itself.
litscope compile -mapping opencl-ptx,opencl-vulkan tests/golden/translate/device_barrier.litmus
