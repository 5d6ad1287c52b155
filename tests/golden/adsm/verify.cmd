litscope verify -machine adsm-batch,adsm-lazy,adsm-rolling $(ls litmus/adsm/*.litmus)
