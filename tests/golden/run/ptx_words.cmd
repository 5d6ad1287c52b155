# Tests of PTX as CUDA, each operation its own instruction; what kernels or a device cannot do is refused in words.
dir=litmus/ptx
for test in CoRR_weak MP_fence_sc MP_rmw_chain Red_acquire Cas_cas Barrier_sync MP_volatile; do
  litscope run -q -emit cuda $TMP/$test $dir/$test.litmus
  grep -E 'cells\[at_|locals\[at_|FENCE|JOIN|BY_PTX' $TMP/$test/kernel.cu | sed 's/^ *//'
done
sed 's/atom.relaxed.gpu.add/atom.relaxed.gpu.sub/' $dir/MP_rmw_chain.litmus > $TMP/subtraction.litmus
sed 's/red.relaxed/red.acq_rel/' $dir/Red_acquire.litmus > $TMP/reduction.litmus
litscope run -q -emit cuda $TMP/refused $TMP/subtraction.litmus $TMP/reduction.litmus $dir/Proxy_texture_constant.litmus $dir/MP_cluster.litmus \
  $dir/MP_mixed_size.litmus $dir/MP_fence_shared_only.litmus $dir/Barrier_quorum.litmus $dir/Grid.litmus $dir/Arithmetic.litmus
litscope run -q -emit hip $TMP/refused $dir/MP_fences.litmus
litscope run -q -emit cuda -mutate relaxed $TMP/mutated $dir/MP_fence_sc.litmus && grep 'cells.at_' $TMP/mutated/kernel.cu | sed 's/^ *//'
# A kernel's values of 32 bits are written as such, though the module extends them.
litscope run -q -emit cuda $TMP/message litmus/kernels/message.ptx && grep -E 'typedef.* value;|cells\[at_' $TMP/message/kernel.cu | sed 's/^ *//'
sed 's/x=0/x=5000000000/' $dir/CoRR_weak.litmus >$TMP/large.litmus
litscope run -q -emit cuda $TMP/refused $TMP/large.litmus
