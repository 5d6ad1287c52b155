# A machine's rules for SPIN: every step is one d_step, and the state is in the variables.
litscope explore -emit promela -mapping rsp-corrected litmus/rsp/Plain_remote_load.litmus
