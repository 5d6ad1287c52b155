litscope cost mapping -mapping adsm-lazy litmus/rsp/WSQ1.litmus
