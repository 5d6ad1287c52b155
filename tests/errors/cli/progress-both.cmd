litscope progress -scheduler fair -model ptx litmus/ptx/Spin.litmus
