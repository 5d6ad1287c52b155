litscope progress -model ptx litmus/ptx/Spin.litmus litmus/ptx/Barrier_quorum_hang.litmus litmus/ptx/Barrier_circle.litmus
litscope progress -model ptx litmus/ptx/Barrier_arrive.litmus litmus/ptx/Barrier_branch.litmus litmus/ptx/Barrier_quorum_all.litmus
litscope progress -model opencl-rsp tests/golden/progress/wait.litmus tests/golden/progress/counter.litmus
# A loop that waits ends where all is written that it waits for; the solver says the same of many more threads.
threads() {
  echo "C Relay$1"
  echo "{ [f]=0; }"
  for i in $(seq 0 $(($1 - 1))); do
    echo "P$i (atomic_int *f) {"
    echo "  int s = atomic_load_explicit(f, memory_order_acquire);"
    echo "  while (s != $i) { s = atomic_load_explicit(f, memory_order_acquire); }"
    echo "  atomic_store_explicit(f, $(($2 * i + 1)), memory_order_release);"
    echo "}"
  done
  echo "exists ([f]=0)"
}
threads 3 1 >"$TMP/relay3.litmus"
threads 8 1 >"$TMP/relay8.litmus"
threads 4 2 >"$TMP/broken.litmus"
litscope progress -model rc11 "$TMP/relay3.litmus"
litscope progress -model rc11 -engine solve "$TMP/relay3.litmus" "$TMP/relay8.litmus"
litscope progress -model rc11 -engine solve "$TMP/broken.litmus" | grep -e '^Progress' -e again
litscope progress -model ptx -engine solve litmus/ptx/Barrier_quorum_hang.litmus litmus/ptx/Barrier_branch.litmus litmus/ptx/Barrier_quorum_all.litmus
litscope progress -model ptx -engine solve litmus/ptx/Barrier_arrive.litmus
