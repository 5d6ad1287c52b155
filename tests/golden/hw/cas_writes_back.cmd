# OpenCL's failing compare-and-swap writes what it read: for models, machines and schedulers, and through compilers.
file=tests/golden/hw/cas_writes_back.litmus
litscope check -model sc,opencl-rsp $file
litscope check -model sc -variant cas-keeps-expected $file
litscope explore -mapping rsp-corrected $file | grep Observation
litscope explore -machine sc,amo $file | grep Observation
litscope verify -strict -mapping rsp-corrected $file
litscope check -mapping opencl-ptx $file | grep Observation
# Otherwise this loop goes on for ever once its first attempt has failed.
litscope progress -scheduler fair tests/golden/hw/cas_loop.litmus
litscope progress -scheduler fair -variant cas-keeps-expected tests/golden/hw/cas_loop.litmus | head -n 1
# The old reading in what it compiles to, and what that costs.
for variant in lkmmv2 cas-keeps-expected; do
  litscope compile -mapping opencl-ptx -variant $variant $file
  litscope cost mapping -variant $variant $file | tail -n 1
done
