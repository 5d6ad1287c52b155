#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels in OpenCL C: the source through clang for the GPU, and through SPIR-V for the model. Locks and barriers are
# sound on every target; without invalidates they are not; and a lock that the model does not allow is undefined.
# Skipped where there is no clang-22.
# slow
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
folder=tests/compilers/kernels
targets=gfx906,gfx90a,gfx942,gfx950,gfx1010,gfx1030:cumode,gfx1100,gfx1201,gfx1250
litscope verify -q -target $targets $folder/ticket.cl $folder/spin.cl $folder/local.cl litmus/kernels/message.cl \
  > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 36 ] || { cat "$TMP/found"; exit 1; }

# How much code it is, and how much of that orders accesses: by target, as the code that is shown has it.
litscope verify -target $targets,gfx942:tgsplit $folder/grid_barrier.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 10 ] || { cat "$TMP/found"; exit 1; }
sed -n '/^Code of/,/^$/p' "$TMP/found" | sed '1d;/^$/d' > "$TMP/sizes"
[ "$(wc -l < "$TMP/sizes")" = 10 ]
litscope compile -target $targets,gfx942:tgsplit $folder/grid_barrier.cl | awk '
  NR == FNR { wanted[$1] = $0; next }
  /^Test / { target = $3; thread = 0 }
  /^P/ { thread++ }
  thread == 1 && /^         / { all[target]++; waits[target] += /^ *s_wait/; inv[target] += /^ *[a-z0-9_]*_w?b?inv/; back[target] += /^ *[a-z]*_wb(l2)?( |$)/ }
  END {
    for (t in wanted) {
      split(wanted[t], r)
      if (all[t] == r[2] && waits[t] == r[3] && inv[t] == r[4] && back[t] == r[5] && inv[t]) continue
      print wanted[t]
      wrong = 1
    }
    exit wrong
  }' "$TMP/sizes" - || exit 1
grep -q '^gfx1250/clang-22 .* [1-9]$' "$TMP/sizes"

# One work-item of each group speaks for it: what the others have stored before a barrier is not waited for on some
# GPUs. The run is found without reductions only among millions of states; it has what reductions leave out.
litscope verify -target gfx908,gfx90a:tgsplit,gfx942:tgsplit,gfx1030:cumode,gfx1201,gfx1250 $folder/leaders.cl > "$TMP/found" ||
  { cat "$TMP/found"; exit 1; }
for target in gfx90a gfx942 gfx950; do
  litscope verify -target $target $folder/leaders.cl > "$TMP/found" 2> "$TMP/err" && exit 1
  grep -q "^Verify leaders $target/clang-22 Unsound$" "$TMP/found" || { cat "$TMP/found"; exit 1; }
  grep -q 'this run of leaders need not be a shortest one' "$TMP/err"
  awk '/fetched\)$/ { fetched[$5 $7]++ } / hits in L0 / { hits++; if (!fetched[$11 $5 "=" $12]) exit 1 }
    END { exit !hits }' "$TMP/found" || { cat "$TMP/found"; exit 1; }
done

# Work-items and work-groups in two dimensions.
litscope verify -q -target gfx942,gfx1100 $folder/transpose.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { cat "$TMP/found"; exit 1; }
litscope explore -q -target gfx942 $folder/transpose.cl | sed -n '/^out/p' > "$TMP/states"
echo 'out[0]=0; out[1]=10; out[2]=1; out[4]=20; out[5]=30; out[6]=21;' | diff - "$TMP/states"

# Integers are divided by way of a float's reciprocal; functions that the compiler takes from a library are named.
cat > "$TMP/divide.cl" <<'EOF'
// @Input: %a = {7, -9, 2147483647, 100}
// @Input: %b = {2, 4, -2147483647, 7}
// @Input: %q = {0, 0, 0, 0}
// @Input: %r = {0, 0, 0, 0}
// @Output: forall (%q[0] == 3 and %q[1] == -2 and %q[2] == -1 and %q[3] == 14 and %r[0] == 1 and %r[1] == 3 and %r[2] == 2147483647 and %r[3] == 2)
// @Config: 4, 1, 1
kernel void divide(global const int *a, global const int *b, global int *q, global int *r) {
  int id = get_local_id(0);
  q[id] = a[id] / b[id];
  r[id] = (uint)a[id] % (uint)b[id];
}
EOF
for level in -O0 -O2; do
  litscope verify -q -target gfx906,gfx1250 -compiler-option $level "$TMP/divide.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
  [ "$(grep -c ' Sound$' "$TMP/found")" = 2 ]
done
litscope explore -q -target gfx942 "$TMP/divide.cl" | grep -q '^Observation divide Always 1 0$'
cat > "$TMP/library.cl" <<'EOF'
// @Input: %a = {1, 2}
// @Output: forall (%a[0] == 3)
// @Config: 2, 1, 1
kernel void library(global int *a) { a[get_local_id(0)] = work_group_reduce_add(a[get_local_id(0)]); }
EOF
litscope verify -target gfx942 "$TMP/library.cl" 2> "$TMP/err" && exit 1
grep -q 'calls work_group_reduce_add(), which is not in the code' "$TMP/err"

# As many work-items as the machine has waves.
cat > "$TMP/round.cl" <<'EOF'
// @Input: %in = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
// @Input: %out = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}
// @Output: forall (%out[0] == 2 and %out[8] == 10 and %out[15] == 1)
// @Config: 16, 1, 1
kernel void round(global int *in, global int *out) {
  int id = get_local_id(0);
  in[id] = id + 1;
  barrier(CLK_GLOBAL_MEM_FENCE);
  out[id] = in[(id + 1) % 16];
}
EOF
litscope verify -q -target gfx942,gfx1201 "$TMP/round.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }

# More executions than can be counted: the model is asked whether it is undefined, and about what the machine shows.
cat > "$TMP/many.cl" <<'EOF'
// @Input: %next = {0}
// @Input: %x = {0}
// @Output: forall (%x[0] == 7)
// @Config: 1, 1, 7
kernel void many(global atomic_int *next, global atomic_int *x) {
  atomic_fetch_add_explicit(next, 1, memory_order_relaxed, memory_scope_device);
  atomic_fetch_add_explicit(x, 1, memory_order_relaxed, memory_scope_device);
  atomic_load_explicit(next, memory_order_relaxed, memory_scope_device);
}
EOF
litscope verify -q -target gfx942,gfx1250 "$TMP/many.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { cat "$TMP/found"; exit 1; }
cat > "$TMP/clang-twice" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec clang-22 --version
clang-22 "$@" | sed '0,/v_mov_b32_e32 v1, 1$/s//v_mov_b32_e32 v1, 2/'
EOF
chmod +x "$TMP/clang-twice"
litscope verify -q -target gfx942 -compiler "$TMP/clang-twice" "$TMP/many.cl" > "$TMP/found" && exit 1
grep -q '^Verify many gfx942/clang-twice(.*) Unsound$' "$TMP/found" || { cat "$TMP/found"; exit 1; }
litscope verify -q -target gfx942 -config 2,2,2 -source-options -DACQUIRE=memory_order_relaxed $folder/ticket.cl > "$TMP/found" && exit 1
grep -q '^Verify ticket gfx942/clang-22 Undefined$' "$TMP/found" || { cat "$TMP/found"; exit 1; }

# Many inputs that nobody writes, each of which must still be waited for.
for level in -O0 -O2; do
  litscope verify -q -target gfx942,gfx1030,gfx1100,gfx1201 -compiler-option $level $folder/inputs.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
  [ "$(grep -c ' Sound$' "$TMP/found")" = 4 ] || { cat "$TMP/found"; exit 1; }
done
cat > "$TMP/clang-hasty" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec clang-22 --version
clang-22 "$@" | sed '/s_waitcnt vmcnt/d'
EOF
chmod +x "$TMP/clang-hasty"
litscope verify -q -target gfx942 -compiler "$TMP/clang-hasty" $folder/inputs.cl > "$TMP/found" && exit 1
grep -q '^Verify inputs gfx942/clang-hasty(.*) Hazard$' "$TMP/found" || { cat "$TMP/found"; exit 1; }

# A loop that is counted to what was read: a product at -O2.
litscope verify -q -target gfx90a,gfx1100 $folder/bound.cl > "$TMP/found"
[ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { cat "$TMP/found"; exit 1; }
litscope explore -q -target gfx90a $folder/bound.cl | sed -n '/^x/p' > "$TMP/states"
printf '%s\n' 'x[0]=0;' 'x[0]=6;' | diff - "$TMP/states"

# Functions are inlined, without optimisation too; OpenCL 1's compare-exchange returns what it found; a sub-group of one
# work-item has nobody to wait for.
cat > "$TMP/once.cl" <<'EOF'
// @Input: %a = {0}
// @Input: %b = {0, 0}
// @Output: forall ((%b[0] == 0 and %b[1] == 1) or (%b[0] == 2 and %b[1] == 0))
// @Config: 1, 2, 1
int take(volatile global int *p, int mine) { return atomic_cmpxchg(p, 0, mine); }
kernel void once(volatile global int *a, global int *b) {
  b[get_local_id(0)] = take(a, 1 + get_local_id(0));
  sub_group_barrier(CLK_GLOBAL_MEM_FENCE);
}
EOF
litscope verify -q -target gfx90a,gfx1100 -compiler-option -O0 "$TMP/once.cl" $folder/ticket.cl > "$TMP/found"
[ "$(grep -c ' Sound$' "$TMP/found")" = 4 ] || { cat "$TMP/found"; exit 1; }
litscope explore -q -target gfx90a "$TMP/once.cl" | sed -n '/^b/p' > "$TMP/states"
printf '%s\n' 'b[0]=0; b[1]=1;' 'b[0]=2; b[1]=0;' | diff - "$TMP/states"
litscope verify -target gfx90a -config 2,1,1 "$TMP/once.cl" 2> "$TMP/err" && exit 1
grep -q 'lanes of one wave, and litscope runs each as a wave of its own' "$TMP/err"

# Scalar loads of what is written later, and arguments that a vector load reads; a loop that a counter bounds, with a
# store that is not waited for.
for level in -O0 -O1; do
  litscope verify -q -target gfx942,gfx1201 -compiler-option $level $folder/uniform.cl $folder/queue.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
done
litscope compile -target gfx90a -compiler-option -O1 $folder/uniform.cl > "$TMP/found"
grep -q '^ *s_load_dword .*; load of x\[0\] through the scalar cache$' "$TMP/found"

# What the kernel leaves behind, as the machine has it.
litscope explore -q -target gfx90a $folder/ticket.cl | grep -E '^(States |Observation)' > "$TMP/states"
printf '%s\n' 'States 2' 'Observation ticket Always 2 0' | diff - "$TMP/states"

# Work-groups have local memory of their own, where a variable is; without the second barrier, counts are lost.
litscope verify -q -target gfx942,gfx1201 $folder/histogram.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
litscope explore -q -target gfx942 -source-options -DLOST $folder/histogram.cl | sed -n '/^bins/p' > "$TMP/states"
printf '%s\n' 'bins[0]=1; bins[1]=2;' 'bins[0]=1; bins[1]=3;' | diff - "$TMP/states"

# Several variables in local memory are laid out as LLVM does it, with gaps too, where it leaves nothing out.
cat > "$TMP/several.cl" <<'EOF'
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 12 and %out[1] == 12)
// @Config: 2, 1, 1
#ifndef SIZE
#define SIZE 2
#endif
kernel void several(global int *out, local int *p) {
  local int part[SIZE], whole, other[SIZE];
  int id = get_local_id(0);
  part[id] = 2;
  other[id] = 7;
  p[id] = 3;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (id == 0) whole = part[1] + p[1] + other[1];
  barrier(CLK_LOCAL_MEM_FENCE);
  out[id] = whole;
}
EOF
for level in -O0 -O2; do
  litscope verify -q -target gfx90a,gfx1201 -compiler-option $level "$TMP/several.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
done
litscope verify -q -target gfx942 -source-options -DSIZE=3 "$TMP/several.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
sed 's/ + other\[1\]/ + 7/' "$TMP/several.cl" > "$TMP/unused.cl"
litscope verify -q -target gfx942 -compiler-option -O0 "$TMP/unused.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
litscope verify -target gfx942 "$TMP/unused.cl" 2> "$TMP/err" && exit 1
grep -q "unused.cl:1:1: error: its variables in local memory take 20 bytes, and in its code 12: the compiler has left out some, or added others, and which is not known" "$TMP/err"
sed 's/other\[SIZE\]/other[4]/' "$TMP/unused.cl" > "$TMP/left_out.cl" # only without it are they as large as in the code
litscope verify -q -target gfx942,gfx1201 "$TMP/left_out.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { cat "$TMP/found"; exit 1; }

# Where a work-item waits for ever at a barrier, there is nothing that the GPU, which counts those that are left, could
# differ from.
cat > "$TMP/endless.cl" <<'EOF'
// @Input: %a = {0, 0}
// @Config: 2, 1, 1
kernel void endless(global int *a) {
  if (get_local_id(0) == 0) barrier(CLK_GLOBAL_MEM_FENCE);
  a[get_local_id(0)] = 1;
}
EOF
litscope verify -q -target gfx942 "$TMP/endless.cl" > "$TMP/found" && exit 1
cat > "$TMP/wanted" <<'EOF'
Verify endless gfx942/clang-22 Undecided
Reason the model has no execution that ends: some work-item waits for ever in each, at a barrier or in a loop

EOF
diff "$TMP/wanted" "$TMP/found"

litscope verify -q -target gfx90a -source-options -DACQUIRE=memory_order_relaxed $folder/ticket.cl > "$TMP/found" && exit 1
grep -q '^Verify ticket gfx90a/clang-22 Undefined$' "$TMP/found"

cat > "$TMP/clang-mine" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec clang-22 --version
clang-22 "$@" | sed '/buffer_gl[01]_inv/d'
EOF
chmod +x "$TMP/clang-mine"
litscope verify -q -target gfx1030 -compiler "$TMP/clang-mine" $folder/ticket.cl $folder/grid_barrier.cl > "$TMP/found" && exit 1
sed -n 's/(22[.0-9]*)/(22)/; /^Verify/p' "$TMP/found" | sort > "$TMP/answers"
cat > "$TMP/wanted" <<'EOF'
Verify grid_barrier gfx1030/clang-mine(22) Unsound
Verify ticket gfx1030/clang-mine(22) Unsound
EOF
diff "$TMP/wanted" "$TMP/answers"

# Without a condition, all that arguments point to is compared.
sed '/@Output/d' $folder/local.cl > "$TMP/quiet.cl"
sed 's!^clang-22 .*!clang-22 "$@" | sed /s_barrier/d!' "$TMP/clang-mine" > "$TMP/clang-apart"
chmod +x "$TMP/clang-apart"
litscope verify -q -target gfx942 "$TMP/quiet.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
litscope verify -q -target gfx942 -compiler "$TMP/clang-apart" "$TMP/quiet.cl" > "$TMP/found" && exit 1
grep -q '^Verify quiet gfx942/clang-apart(.*) Unsound$' "$TMP/found"

# Elements of 8, 16 and 64 bits: a lock, structs and small arguments, gaps in local memory; and arithmetic on them,
# which a wrong instruction changes.
for level in -O0 -O2; do
  litscope verify -q -target gfx90a,gfx1030,gfx1100,gfx1201,gfx1250 -compiler-option $level $folder/wide.cl $folder/sizes.cl \
    $folder/local_sizes.cl $folder/narrow.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
  litscope verify -q -target gfx942,gfx1030,gfx1100,gfx1201,gfx1250 -knob fill=0 -compiler-option $level \
    $folder/arithmetic.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
  [ "$(grep -c ' Sound$' "$TMP/found")" = 5 ] || { cat "$TMP/found"; exit 1; }
done
litscope verify -q -target gfx90a -source-options -DACQUIRE=memory_order_relaxed $folder/wide.cl > "$TMP/found" && exit 1
grep -q '^Verify wide gfx90a/clang-22 Undefined$' "$TMP/found"
# What is outside the kernel, by its name in the code, sums of floats, OpenCL's functions, and words of pairs
# that change places; a wrong constant or sum is noticed.
for level in -O0 -O2; do
  litscope verify -q -target gfx90a,gfx1030,gfx1100,gfx1201,gfx1250 -compiler-option $level $folder/outside.cl \
    $folder/floats.cl $folder/functions.cl $folder/bitonic.cl $folder/flag_lock.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
  [ "$(grep -c ' Sound$' "$TMP/found")" = 25 ] || { cat "$TMP/found"; exit 1; }
done
# Sums that saturate: as the instruction has it, the carry of a sum left out, in halves whose registers' rest is cleared;
# gfx700 has none, and a number of 16 bits with a sign instead.
litscope verify -q -target gfx700,gfx803,gfx90a,gfx1030,gfx1100,gfx1201 $folder/saturate.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 6 ] || { cat "$TMP/found"; exit 1; }
sed 's!^clang-22 .*!clang-22 "$@" | sed "s/ clamp$//"!' "$TMP/clang-mine" > "$TMP/clang-wraps"
chmod +x "$TMP/clang-wraps"
litscope verify -q -target gfx90a -compiler "$TMP/clang-wraps" $folder/saturate.cl > "$TMP/found" && exit 1
grep -q '^Verify saturate gfx90a/clang-wraps(.*) Unsound$' "$TMP/found"
sed 's!^clang-22 .*!clang-22 "$@" | sed "s/long.60/long 61/"!' "$TMP/clang-mine" > "$TMP/clang-data"
chmod +x "$TMP/clang-data"
litscope verify -q -target gfx1201 -compiler "$TMP/clang-data" $folder/outside.cl > "$TMP/found" && exit 1
grep -q '^Verify outside gfx1201/clang-data(.*) Unsound$' "$TMP/found"
sed 's!^clang-22 .*!clang-22 "$@" | sed s/v_add_f32/v_sub_f32/!' "$TMP/clang-mine" > "$TMP/clang-less"
chmod +x "$TMP/clang-less"
litscope verify -q -target gfx1030 -compiler "$TMP/clang-less" $folder/floats.cl > "$TMP/found" && exit 1
grep -q '^Verify floats gfx1030/clang-less(.*) Unsound$' "$TMP/found"
for change in s/v_ffbh_u32/v_ffbl_b32/ s/v_med3_i32/v_min3_i32/ s/v_fmac_f32/v_sub_f32/ 's/ clamp$//'; do
  printf '%s\n' "$change" > "$TMP/change"
  sed "s!^clang-22 .*!clang-22 \"\$@\" | sed -f $TMP/change!" "$TMP/clang-mine" > "$TMP/clang-other"
  chmod +x "$TMP/clang-other"
  litscope verify -q -target gfx942 -compiler "$TMP/clang-other" $folder/functions.cl > "$TMP/found" && { echo "$change"; cat "$TMP/found"; exit 1; }
  grep -q '^Verify functions gfx942/clang-other(.*) Unsound$' "$TMP/found"
done

sed 's!^clang-22 .*!clang-22 "$@" | sed s/v_xor_b32/v_or_b32/!' "$TMP/clang-mine" > "$TMP/clang-xor"
chmod +x "$TMP/clang-xor"
litscope verify -q -target gfx90a -compiler "$TMP/clang-xor" $folder/arithmetic.cl > "$TMP/found" && exit 1
grep -q '^Verify arithmetic gfx90a/clang-xor(.*) Unsound$' "$TMP/found"

# Code that says nothing of the kernel's arguments.
printf 't0:\n\ts_endpgm\n.Lfunc_end0:\n' > "$TMP/mine.s"
litscope verify -target gfx90a -compiler "$TMP/mine.s" $folder/ticket.cl 2> "$TMP/err" && exit 1
grep -q 'ticket.cl: its code says of 0 arguments where they are, and it has 4' "$TMP/err"

# The code, as it is compiled.
litscope compile -target gfx90a $folder/ticket.cl | grep -q 'global_atomic_add v.*; read-modify-write of next\[0\]$'
litscope compile -target gfx90a -o "$TMP" $folder/ticket.cl 2> "$TMP/err" > "$TMP/found" && exit 1
grep -q 'ticket.cl: the code of a kernel is not written as a test: its arguments and work-items have no form there' "$TMP/err"

# What the model does not compute is no fault of the code.
cat > "$TMP/open.cl" <<'EOF'
// @Input: %n = {3}
// @Input: %out = {0.0}
// @Output: forall (%out[0] == 24.0)
// @Config: 1, 1, 1
kernel void open(global int *n, global float *out) { out[0] = ldexp(3.0f, n[0]); }
EOF
litscope verify -q -target gfx942 "$TMP/open.cl" > "$TMP/found" && exit 1
cat > "$TMP/wanted" <<'EOF'
Verify open gfx942/clang-22 Undecided
Reason the model leaves open a value: it is undefined, or of a function that is not computed there

EOF
diff "$TMP/wanted" "$TMP/found"

# Elements and arrays that only a run knows: of 64 bits, of local or global memory (GFX8 asks the caller where local memory
# begins), and private.
litscope verify -q -target gfx803,gfx942,gfx1250 $folder/jobs.cl $folder/either.cl $folder/chosen.cl $folder/private.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 12 ] || { cat "$TMP/found"; exit 1; }
