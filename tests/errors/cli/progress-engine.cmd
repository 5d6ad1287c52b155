litscope progress -engine solve litmus/ptx/Spin.litmus
