litscope compile -mapping rsp-corected tests/errors/carrier.litmus
