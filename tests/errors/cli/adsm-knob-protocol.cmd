litscope explore -machine adsm-rolling -knob protocol=lasy litmus/adsm/A1.litmus
