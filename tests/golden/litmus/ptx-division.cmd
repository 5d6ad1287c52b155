# A division after an operation of an mbarrier is none of the checks that arrivals have.
cat >$TMP/after.litmus <<'END'
PTX after
{ b @ mbarrier = 1; x=0; }
 P0@cta 0,gpu 0                                         ;
 ld.relaxed.gpu r1, x                                   ;
 mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 16 ;
 div r0, 1, r1                                          ;
exists (true)
END
litscope check -q $TMP/after.litmus | grep -e Flag -e Undefined
litscope check -q tests/golden/litmus/ptx-division.litmus
