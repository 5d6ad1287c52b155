litscope compile -mapping opencl-vulkan litmus/opencl/MP_sys_devices.litmus
