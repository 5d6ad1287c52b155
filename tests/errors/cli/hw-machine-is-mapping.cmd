litscope explore -machine mappings/rsp-corrected.xml tests/errors/carrier.litmus
