# That outcomes are allowed, which a certificate could say, is less than what was asked.
cp litmus/rsp/MP_dev.litmus "$TMP"
cd "$TMP"
litscope verify -strict -mapping rsp-corrected -certify cert MP_dev.litmus >/dev/null
