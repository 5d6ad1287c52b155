litscope verify -strict litmus/rsp/Steal_full.litmus litmus/rsp/Lock_handover.litmus
