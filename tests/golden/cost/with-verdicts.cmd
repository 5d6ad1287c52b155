# One command prices runs; others say who does.
litscope explore -cost -params n=4,q=3 -mapping rsp-corrected litmus/rsp/RSP_Test2.litmus | grep -v "^Hash"
for command in check verify report; do litscope $command -cost litmus/rsp/RSP_Test2.litmus || echo "status $?"; done
litscope synth -price || echo "status $?"
