# What one test of a suite kills is left out of the next: they are not done apart.
litscope gen -suite -model opencl -journal $TMP/journal litmus/opencl/MP_dev_apart.litmus
