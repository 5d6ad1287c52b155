# SPDX-License-Identifier: MIT
# plain
# Whether programs with waiting loops end does not hang on the order of what threads do by themselves: `progress` with
# and without partial-order reduction, random tests and each kind of scheduler.
# usage, for more tests: PROGRESS_REDUCED=FIRST,COUNT tests/run scripts/progress_reduced
range=${PROGRESS_REDUCED:-1,60}
schedulers=fair,hsa,obe,hsa+obe,lobe,strong:fair,strong:hsa,wg=obe/sg=hsa,wg=lobe/sg=unfair,strong:wg=fair/sg=unfair,strong:wg=obe/sg=hsa
"$BUILD/tests/naive/generate" -language opencl -waits yes -o "$TMP" "${range%,*}" "${range#*,}"
# A thread that has not begun owes nobody its first step, even one that nobody sees.
cat >"$TMP/begins.litmus" <<'EOF'
OpenCL begins
{ [x]=0; }
P0 (global atomic_int* x) {
  while (atomic_load_explicit(x, memory_order_acquire, memory_scope_device) == 0) {}
}
P1 (global atomic_int* x) {
  int r0 = 1;
  atomic_store_explicit(x, r0, memory_order_release, memory_scope_device);
}
exists ([x]=1)
EOF
litscope progress -q -scheduler obe "$TMP/begins.litmus" | grep -q ' Endless$' || { echo "begins: not Endless"; exit 1; }
for por in true false; do
  litscope progress -q -por "$por" -max-states 30000 -scheduler "$schedulers" "$TMP"/*.litmus 2>"$TMP/err" |
    grep ^Progress >"$TMP/$por"
done
diff "$TMP/true" "$TMP/false" || exit 1
for answer in Ends Endless; do
  [ "$(grep -c " $answer\$" "$TMP/true")" -ge "${range#*,}" ] || { echo "hardly any $answer"; exit 1; }
done
