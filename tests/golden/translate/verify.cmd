litscope compile -mapping opencl-ptx tests/golden/translate/write_back.litmus
litscope verify -mapping opencl-ptx tests/golden/translate/write_back.litmus
# What a fault in a mapping shows: the outcome, why it is forbidden, and an execution of the translated program.
litscope verify -mapping tests/mappings/languages/ptx-weak-fence.xml litmus/c11/SB_sc.litmus
litscope verify -mapping opencl-vulkan litmus/opencl/MP_release_sequence_own.litmus
litscope explore -mapping opencl-ptx litmus/c11/SB_rel_acq.litmus
litscope verify -mapping opencl-ptx -family 2x1,orders=na+rlx+ra+sc,scopes=wg+dev,fences
litscope verify -mapping tests/mappings/languages/ptx-narrow.xml -family 2x2,orders=na+ra,scopes=dev | grep -v ^Time
