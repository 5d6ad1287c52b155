litscope verify litmus/adsm/A2.litmus litmus/adsm/A3.litmus litmus/adsm/A4.litmus litmus/adsm/A16.litmus litmus/adsm/A17.litmus
