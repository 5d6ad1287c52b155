# Loads through the scalar cache of what another thread writes: with lines that are fetched at any time, without, and
# without reductions; and a run.
litscope explore -q tests/compilers/scalar_cache.litmus
litscope explore -q -knob fill=0 tests/compilers/scalar_cache.litmus | sed -n '/^States /,/^No/p'
litscope explore -q -knob reduce=0 tests/compilers/scalar_cache.litmus | sed -n '/^States /,/^Ok/p'
litscope explore -outcome '0:v2=1 /\ 0:s4=0' tests/compilers/scalar_cache.litmus | sed -n '/^Trace/,$p'
