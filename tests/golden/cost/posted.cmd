# A posted invalidation is a message in the price, so also in the answer beside it: the machine that has messages has 210
# states on this test, the one that carries them out at once has 108.  `explore` says that a price is of
# another machine than theirs.
litscope cost mapping -max-states 209 -mapping rsp-original litmus/rsp/RSP_Test11.litmus; echo "status $?"
litscope cost mapping -max-states 210 -mapping rsp-original litmus/rsp/RSP_Test11.litmus
litscope explore -cost -max-states 108 -mapping rsp-original,rsp-corrected litmus/rsp/RSP_Test11.litmus | grep -E '^(Mapping|Cost)'
litscope explore -cost -knob posted-invalidate=acked -max-states 210 -mapping rsp-original litmus/rsp/RSP_Test11.litmus | grep -E '^(Mapping|Cost)'
