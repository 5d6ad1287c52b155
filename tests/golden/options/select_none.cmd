litscope check -select NoSuchTest litmus/rsp/RSP_Test2.litmus
