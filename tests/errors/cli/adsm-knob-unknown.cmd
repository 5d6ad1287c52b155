litscope explore -machine adsm-rolling -knob blokc=2 litmus/adsm/A1.litmus
