litscope cost adsm -max-states 3 litmus/adsm/A1.litmus 2>&1
litscope explore -max-states 3 -machine lazy litmus/adsm/A1.litmus
