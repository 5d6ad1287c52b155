# The answer, and what a certificate looks like.
litscope check -q -certify "$TMP/cert" litmus/c11/SB_sc.litmus litmus/c11/MP_rel_acq.litmus litmus/loops/Await_MP.litmus >/dev/null
litscope-certify "$TMP/cert" tests/certify/model.cert tests/certify/guess.cert tests/certify/solved.cert
sed -n '/^(observed/,/^(tree/p' "$TMP/cert"
