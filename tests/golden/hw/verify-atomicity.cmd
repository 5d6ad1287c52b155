litscope verify -mapping rsp-revised litmus/rsp/Atomicity_store.litmus litmus/rsp/Atomicity_rmw.litmus
