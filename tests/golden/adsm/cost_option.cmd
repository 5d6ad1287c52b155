litscope check -q -cost litmus/adsm/A1.litmus litmus/adsm/A2.litmus | grep -E "^(Test|Cost)"
litscope verify -cost -machine rolling -knob rolling=1 litmus/adsm/A10.litmus
litscope explore -cost litmus/adsm/A8.litmus | grep ^Cost
