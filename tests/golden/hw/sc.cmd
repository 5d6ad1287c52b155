# The machine of sequential consistency in every command that takes a machine.
litscope explore -machine sc litmus/rsp/RSP_Test2.litmus
litscope explore -machine sc,gpu -mapping rsp-original -cost litmus/rsp/RSP_Test2.litmus
litscope verify -machine sc litmus/rsp/RSP_Test2.litmus
litscope verify -machine sc -strict litmus/rsp/RSP_Test2.litmus; test $? = 3
litscope verify -family 2x1 -machine sc
# A machine that does not run a test leaves it to the usual ones.
litscope explore -machine sc litmus/adsm/A1.litmus | grep Mapping
# Barriers, and a compare-and-swap in its three accesses.
litscope explore -machine sc litmus/opencl/Barrier_both.litmus
litscope verify -machine sc -model tests/golden/hw/never.cat tests/golden/hw/cas.litmus; test $? = 1
