litscope cost adsm litmus/adsm/A1.litmus litmus/adsm/A2.litmus | head -12
litscope explore -cost litmus/adsm/A8.litmus | grep ^Cost
