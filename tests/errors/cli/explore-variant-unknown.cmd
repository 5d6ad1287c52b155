litscope explore -variant k2 litmus/hsa/WSQ1.litmus
