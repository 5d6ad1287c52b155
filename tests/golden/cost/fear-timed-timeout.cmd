# plain: what is prepared until the limit takes its memory at once
# The limit holds from the first step of the preparations on.
# So it does where graphs are made, and for the protocols on this machine.
{
  litscope cost gpu-steal -timeout 0.05 -params V=4000000,lanes=256,program=pagerank
  litscope cost adsm -run -timeout 0.05 -params s=16777216,fault=1,latency=1
} 2>&1 | grep error
litscope cost fear-timed -csv -timeout 0.05 -params W=32,k=1024,ops=9000
