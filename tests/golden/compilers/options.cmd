# Targets, modes and knobs that do not exist; a compiler that does not.
litscope verify -target gfx1250 litmus/opencl/MP_rel_acq.litmus
litscope verify -target gfx90a:cumode litmus/opencl/MP_rel_acq.litmus
litscope verify -target gfx90a -compiler llvm-3 litmus/opencl/MP_rel_acq.litmus
litscope verify -target gfx90a -compiler ./tests/run litmus/opencl/MP_rel_acq.litmus
PATH=/nowhere $(command -v litscope) verify -target gfx90a litmus/opencl/MP_rel_acq.litmus
litscope explore -knob upd=2 tests/compilers/columns.litmus
litscope explore -knob l2=2 tests/compilers/assembly/MP_dev.gfx1030.llvm-22.litmus
litscope check tests/compilers/columns.litmus
litscope explore -machine amdgpu -knob updo=1 tests/compilers/columns.litmus
