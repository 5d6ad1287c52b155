litscope progress -model sc -certify "$TMP/c" litmus/opencl/Lock_dev_apart.litmus
