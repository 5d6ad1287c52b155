# A value that only a cycle of reads and writes justifies may be any, in C and OpenCL as in Vulkan: the constants of the
# condition are tried, and one other value. A model that forbids such cycles says so.
cat >"$TMP/coherence.cat" <<'M'
"Coherence alone"
acyclic po-loc | rf | fr | co as coherence
M
for head in C OpenCL; do
  cat >"$TMP/$head.litmus" <<T
$head LB_data_$head
{ x = 0; y = 0; }
P0 (atomic_int* x, atomic_int* y) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed);
  atomic_store_explicit(y, r0, memory_order_relaxed);
}
P1 (atomic_int* x, atomic_int* y) {
  int r1 = atomic_load_explicit(y, memory_order_relaxed);
  atomic_store_explicit(x, r1, memory_order_relaxed);
}
exists (0:r0=42 /\ 1:r1=42)
T
  litscope check -model "$TMP/coherence.cat" "$TMP/$head.litmus" | grep -v ^Hash
done
litscope check -model rc11 "$TMP/C.litmus" | grep Observation
litscope check -model opencl,opencl-rsp,hrf-rsp,hrf-rsp:no-thin-air "$TMP/OpenCL.litmus" | grep Observation
# It hangs on itself and on a constant: 0 alone is its own successor's half.
sed 's/y, r0,/y, r0 + 1,/; s/42 .* 1:r1=42/5/' "$TMP/C.litmus" >"$TMP/grows.litmus"
litscope check -model "$TMP/coherence.cat" "$TMP/grows.litmus" | sed -n '2,/Observation/p'
