litscope compile litmus/adsm/A1.litmus
