litscope-certify -strict tests/certify/base.cert
