printf '.version 7.0\n.target sm_70\n.address_size 64\n' > $TMP/mp.ptx && litscope verify -target gfx90a -compiler $TMP/mp.ptx litmus/c11/SB_sc.litmus
