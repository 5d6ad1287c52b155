litscope verify -family adsm,2 litmus/c11/SB_sc.litmus
