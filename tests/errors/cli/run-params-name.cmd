litscope run -params strid=4 litmus/c11/SB_sc.litmus
