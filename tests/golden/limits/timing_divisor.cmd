# A divisor that no number holds.
perl -0pe 'my $i; s{(<parameter name="\w+" value=)"[^"]*"}{$1 . ($i++ ? "\"n/99999999999999999999\"" : "\"16\"")}ge' mappings/timing-rsp.xml >$TMP/t.xml
litscope cost mapping -machine $TMP/t.xml litmus/rsp/RSP_Test2.litmus
