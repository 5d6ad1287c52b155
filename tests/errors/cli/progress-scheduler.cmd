litscope progress -scheduler fiar litmus/ptx/Spin.litmus
