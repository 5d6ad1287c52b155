litscope cost mapping -mapping rsp-original
