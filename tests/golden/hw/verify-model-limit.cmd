litscope verify -max-events 3 litmus/rsp/WSQ1.litmus
