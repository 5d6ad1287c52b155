litscope progress tests/errors/many-threads.litmus
