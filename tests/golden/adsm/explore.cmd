litscope explore litmus/adsm/A2.litmus litmus/adsm/A10.litmus | grep -v "^Hash"; litscope explore -machine rolling -knob rolling=1 -stats litmus/adsm/A10.litmus 2>/dev/null | grep -v ^Hash
