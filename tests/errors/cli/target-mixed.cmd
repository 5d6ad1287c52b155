litscope explore -target gfx90a -mapping nosuch litmus/opencl/MP_dev_apart.litmus; litscope verify -place near litmus/opencl/MP_dev_apart.litmus
