# The protocol as the promotion paper has it: a remote invalidation is under way while its issuer goes on.
litscope verify -mapping rsp-original,rsp-corrected -machine gpu-asplos litmus/rsp/Atomicity_store.litmus
# Small caches and queues: what a small program shows depends on room.
for knob in fifo-entries=unbounded fifo-entries=1 l1-lines=1 l1-lines=1,write-allocate=no; do
  echo "$knob"
  litscope explore -mapping rsp-original -knob $knob litmus/rsp/WWW_remote_rmw.litmus | grep -v '^Time\|^Hash'
done
# All programs of two operations.
litscope verify -family 2x1 -model hrf-rsp -mapping rsp-original,rsp-revised,rsp-corrected -machine gpu-asplos | grep -v '^Time\|^Trace\|^ \|^Outcome'
# Executions cannot be followed where messages are under way, or lines are not read back.
litscope verify -strict -mapping rsp-original -knob posted-invalidate=lazy litmus/rsp/Atomicity_rmw.litmus
litscope verify -strict -mapping rsp-original -knob write-allocate=no litmus/rsp/Atomicity_rmw.litmus
