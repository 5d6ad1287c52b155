# slow
for view in rsp-ops rsp-steal gpu-steal amo-lat amo-throughput amo-policy amo-programs amo-energy replay fear-rings fear-timed fear-check fear-mesh fear-network mapping; do litscope cost help $view; done
