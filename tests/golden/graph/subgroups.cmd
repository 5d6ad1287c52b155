# Sub-groups are boxes of their own where some hold several threads, in pictures and on the page.
cat >$TMP/t.litmus <<'END'
OpenCL subgroups
{ x = 0; }
P0 (global atomic_int* x) { atomic_store_explicit(x, 1, memory_order_relaxed, memory_scope_work_group); }
P1 (global atomic_int* x) { int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group); }
P2 (global atomic_int* x) { int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_work_group); }
scopeTree (device (work_group (sub_group P0 P1) (sub_group P2)))
exists (1:r0=1 /\ 2:r0=1)
END
litscope check -o $TMP/g -show prop $TMP/t.litmus >$TMP/log
grep -ho 'subgraph cluster_[a-z0-9]*\|label="\(device\|work-group\|sub-group\) [0-9]"' $TMP/g/*.dot
litscope report -o $TMP/page $TMP/t.litmus >$TMP/log
grep -o '<div class="tree">.*' $TMP/page/index.html
