# Variations of tests whose threads wait are decided: rounds in vain are left out.
litscope diff -q -changes 1 -model ptx,ptx-atomicity litmus/ptx/Exch_lock.litmus
litscope diff -q -changes 1 -model ptx,ptx-causality litmus/ptx/Spin.litmus
litscope diff -q -changes 1 -model ptx,ptx-v7.5 litmus/ptx/Mbarrier.litmus
