litscope verify -variant k22 litmus/hsa/WSQ1.litmus
