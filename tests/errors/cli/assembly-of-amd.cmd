printf '.amdgcn_target "amdgcn-amd-amdhsa--gfx90a"\n' > $TMP/mp.s && litscope verify -target sm_70 -compiler $TMP/mp.s litmus/c11/SB_sc.litmus
