litscope verify -mapping rsp-original,rsp-original litmus/rsp/WSQ1.litmus
