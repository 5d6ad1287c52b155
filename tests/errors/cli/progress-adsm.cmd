litscope progress litmus/adsm/A1.litmus
