# slow
litscope verify -exhaustive 2x2 -mapping rsp-corrected,rsp-revised -j 2
