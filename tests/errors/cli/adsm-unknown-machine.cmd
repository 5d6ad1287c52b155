litscope explore -machine adsm-lasy litmus/adsm/A1.litmus
