litscope progress -model ptx -o "$TMP/out" litmus/ptx/Spin.litmus
