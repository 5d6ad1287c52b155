litscope progress -scheduler strong:wg=obe/sg=hsa,wg=strong:obe,wg=obe/wg=hsa litmus/ptx/Spin.litmus
