litscope-certify -strict tests/certify/model.cert
