litscope compile -mapping opencl-ptx litmus/rsp/RSP_Test2.litmus tests/golden/translate/cannot_*.litmus
