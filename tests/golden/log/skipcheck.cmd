litscope check -skipcheck coherence litmus/rsp/RSP_Test2.litmus
