# A shortest run to an outcome that is asked for: stale under the published mapping, fresh under the sound one.
for mapping in rsp-original rsp-corrected; do
  litscope explore -mapping $mapping -outcome '1:r0=1 /\ 1:r1=0' -o $TMP/drawn litmus/rsp/RSP_Test2.litmus | sed -n '/^Condition/p; /^Run/,$p; /^No run/p'
done
ls $TMP/drawn
# The test's own condition, and what does not meet it.
litscope explore -show all litmus/rsp/RSP_Test2.litmus | grep -A3 ' run \|^Run'
litscope explore -outcome '1:r0=1' -max-states 10 litmus/rsp/RSP_Test2.litmus | tail -2
# Another machine.
litscope explore -outcome '1:r1=1' -machine sc litmus/rsp/MP_dev.litmus | sed -n '/^Run/,$p'
litscope explore -show none litmus/rsp/MP_dev.litmus | grep -c Run
