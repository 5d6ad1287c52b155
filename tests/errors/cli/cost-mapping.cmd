litscope cost rsp-ops -mapping rsp-revisd
