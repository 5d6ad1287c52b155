#!/bin/sh
# SPDX-License-Identifier: MIT
# Kernels through clang 22's NVPTX back end: barriers, fences of one direction, loops, and memory of
# which nothing is said; and what is refused there rather than computed with too few bits. Skipped where there is no
# clang-22.
# slow
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
folder=tests/compilers/kernels
litscope verify -q -target sm_70,sm_100 $folder/local.cl $folder/uniform.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 4 ] || { cat "$TMP/found"; exit 1; }

# On sm_60 every barrier has fences that are all ordered, in more than a million ways here, of which one will do.
litscope verify -q -target sm_60 $folder/tree_sum.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }

# Loops that wait are followed to their end in what the compiler makes of them, too.
litscope verify -q -target sm_70,sm_100 $folder/ticket.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { cat "$TMP/found"; exit 1; }
litscope compile -target sm_70 -through llc $folder/ticket.cl > "$TMP/code"
grep -q 'add.s32 .* // add.s32 r[0-9]*, r[0-9]*, 1$' "$TMP/code" # numbers of 32 bits are extended to more, and are the same

# What 32 bits hold of arithmetic.
for through in llc clang; do
  litscope verify -q -target sm_70 -through $through $folder/narrow.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
done

# Without the barrier, a work-item may read what the other one has not written yet, on the GPU as in the model.
sed '/barrier(/d' $folder/local.cl > "$TMP/unfenced.cl"
litscope verify -q -target sm_100 "$TMP/unfenced.cl" > "$TMP/found" && exit 1
grep -q '^Verify unfenced sm_100/clang-22 Undefined$' "$TMP/found"
litscope compile -target sm_100 -through clang $folder/local.cl > "$TMP/code"
for fence in release acquire; do grep -q "fence.$fence.sys;" "$TMP/code"; done

# Two loops in one another; nothing sets the lock before.
cat > "$TMP/lock.cl" <<'EOF'
// @Input: %x = {0}
// @Output: forall (%x[0] == 1)
kernel void lock(global atomic_int *l, global int *x) {
  int e = 0;
  while (1) {
    while (atomic_load_explicit(l, memory_order_relaxed, memory_scope_device) != 0) {}
    e = 0;
    if (atomic_compare_exchange_strong_explicit(l, &e, 1, memory_order_acquire, memory_order_relaxed, memory_scope_device))
      break;
  }
  x[0] = x[0] + 1;
  atomic_store_explicit(l, 0, memory_order_release, memory_scope_device);
}
EOF
litscope verify -target sm_70 "$TMP/lock.cl" > "$TMP/found" 2> "$TMP/err" || { cat "$TMP/found" "$TMP/err"; exit 1; }
grep -q '^Verify lock sm_70/clang-22 Sound$' "$TMP/found"
litscope compile -target sm_70 -through clang -config 1,1,2 -input 'l={0}' "$TMP/lock.cl" > "$TMP/code"
[ "$(sed -n '/^P0:/,/^P1:/p' "$TMP/code" | grep -c ' bra ')" = 2 ] || { cat "$TMP/code"; exit 1; } # a loop in a loop, as written

# Cells and numbers that have no 32 bits: through clang, and with the IR that litscope writes itself refused.
sed 's/((uint)old >> 28)/((ulong)(uint)old > 70000)/' $folder/narrow.cl > "$TMP/extended.cl"
litscope verify -q -target sm_70,sm_90 $folder/wide.cl $folder/sizes_apart.cl "$TMP/extended.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 6 ] || { cat "$TMP/found"; exit 1; }
litscope verify -target sm_70 -through llc $folder/wide.cl 2> "$TMP/err" && exit 1
grep -q 'wide.cl:11:11: error: P0 cannot be compiled: lock\[0\] has no 32 bits$' "$TMP/err"
litscope verify -target sm_70 -through llc "$TMP/extended.cl" 2> "$TMP/err" && exit 1
grep -q 'extended.cl:10:42: error: P0 cannot be compiled: it computes with numbers of 64 bits$' "$TMP/err"

# Floats and doubles, of which IR that litscope writes itself has none; the exchange of the other lock is relaxed.
litscope verify -q -target sm_70,sm_80,sm_90,sm_100 $folder/real.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 4 ] || { cat "$TMP/found"; exit 1; }
litscope verify -q -target sm_100 $folder/floats.cl > "$TMP/found" && exit 1
grep -q '^Outcome seen\[0\]=1; seen\[1\]=1; sum\[0\]=0.75;$' "$TMP/found" || { cat "$TMP/found"; exit 1; }
litscope verify -target sm_70 -through llc $folder/real.cl 2> "$TMP/err" && exit 1
grep -q 'real.cl:12:12: error: P0 cannot be compiled: it computes with floats$' "$TMP/err"
for source in 'half:x[0] + (half)1' 'float:fma(1.1f, 1.3f, x[0])'; do
  printf '// @Config: 1, 1, 2\n// @Input: %%x = {0}\n#pragma OPENCL EXTENSION cl_khr_fp16 : enable\nkernel void k(global %s *x) { x[0] = %s; }\n' \
    "${source%%:*}" "${source#*:}" > "$TMP/k.cl"
  litscope compile -target sm_70 "$TMP/k.cl" > "$TMP/out" 2>> "$TMP/refused" && exit 1
done
grep -q 'it computes with floats of 16 bits$' "$TMP/refused" && grep -q 'it rounds a sum of doubles' "$TMP/refused" || { cat "$TMP/refused"; exit 1; }

# A semaphore, whose release LLVM loses for every GPU (its additions are relaxed): with the instructions that libcu++ has
# for it, it is sound, and no longer so without this order.
litscope verify -q -target sm_70,sm_80,sm_90,sm_100 $folder/semaphore.cl > "$TMP/found" && exit 1
[ "$(grep -c ' Unsound$' "$TMP/found")" = 4 ] || { cat "$TMP/found"; exit 1; }
litscope verify -q -target sm_80 -compiler tests/compilers/written/semaphore.ptx $folder/semaphore.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
grep -q ' Sound$' "$TMP/found"
sed 's/atom.add.release.gpu/atom.add.gpu/' tests/compilers/written/semaphore.ptx > "$TMP/relaxed.ptx"
litscope verify -q -target sm_80 -compiler "$TMP/relaxed.ptx" $folder/semaphore.cl > "$TMP/found" && exit 1
grep -q '^Outcome x\[0\]=1;$' "$TMP/found"

# Numbers of 64 bits that are taken apart: a scan that looks back.
litscope verify -q -target sm_70,sm_100 $folder/look_back.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { cat "$TMP/found"; exit 1; }

# As many locations as AMD's machine has, and more.
many() { # NUMBER
  { printf '// @Input: %%a = {0'; seq -s , 2 "$1" | sed 's/[0-9]*/0/g; s/^/,/; s/$/}/'; echo 'kernel void many(global int *a) { a[0] = 1; a[127] = 2; }'; } > "$TMP/many.cl"
}
many 128
litscope verify -q -target gfx942 "$TMP/many.cl" > "$TMP/found" || { cat "$TMP/found"; exit 1; }
grep -q '^Verify many gfx942/clang-22 Sound$' "$TMP/found"
many 129
litscope verify -target gfx942 "$TMP/many.cl" 2> "$TMP/err" && exit 1
grep -q 'many.cl:1:1: error: its code for a GPU cannot be run: 129 elements and variables, and the machine has at most 128 (@Input says how long an array is)' "$TMP/err" || { cat "$TMP/err"; exit 1; }

# Addresses that come from two paths; a lock of compare-and-swaps that write back what they read.
litscope verify -q -target sm_70,sm_80 $folder/hash.cl $folder/spin.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 4 ] || { cat "$TMP/found"; exit 1; }

# Elements whose numbers only a run knows, in global memory and in local memory, where the compiler has written a barrier
# twice; and a product of two numbers of 32 bits.
litscope verify -q -target sm_70,sm_100 $folder/queue.cl $folder/bitonic.cl $folder/bound.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
[ "$(grep -c ' Sound$' "$TMP/found")" = 6 ] || { cat "$TMP/found"; exit 1; }
# LLVM makes the arrival relaxed: who comes last may miss what the other has written.
for through in llc clang; do
  litscope verify -q -target sm_90 -through $through $folder/last_in.cl > "$TMP/found" && exit 1
  grep -q '^Outcome sum\[0\]=1;$' "$TMP/found" || { cat "$TMP/found"; exit 1; }
done
litscope verify -q -target gfx942 $folder/last_in.cl > "$TMP/found" || { cat "$TMP/found"; exit 1; }
litscope verify -target gfx942 -through llc $folder/last_in.cl 2> "$TMP/err" && exit 1
grep -q 'last_in.cl:10:11: error: P0 cannot be compiled: which element this is, only a run knows$' "$TMP/err" || { cat "$TMP/err"; exit 1; }
sed 's/CLK_LOCAL_MEM_FENCE/0/' $folder/local.cl > "$TMP/fenceless.cl"
litscope compile -target sm_70 "$TMP/fenceless.cl" > "$TMP/out" 2> "$TMP/err" && exit 1
grep -q 'P0 cannot be compiled: a barrier that is no fence$' "$TMP/err"

# A collective is named, at its place; and what code costs is told for these GPUs, too.
cat > "$TMP/sum.cl" <<'EOF'
// @Config: 2, 1, 1
// @Input: %out = {0, 0}
// @Output: forall (%out[0] == 3)
kernel void sum(global int *out) {
  out[get_local_id(0)] = work_group_reduce_add((int)get_local_id(0) + 1);
}
EOF
litscope verify -target sm_70 "$TMP/sum.cl" 2> "$TMP/err" && exit 1
grep -q 'sum.cl:5:26: error: P0 cannot be compiled: work_group_reduce_add(), which the compiler takes from a library$' "$TMP/err" || { cat "$TMP/err"; exit 1; }
litscope verify -target gfx942,sm_70,sm_90 $folder/local.cl | sed -n '/^Code of/,/^$/p' > "$TMP/sizes"
grep -q '^Code of local  *instructions fences acquires/releases$' "$TMP/sizes"
for target in sm_70 sm_90; do
  litscope compile -target $target $folder/local.cl | awk '/^P/ { thread++ } thread == 1 && /^ +[a-z@].*;/ && !/:$/ { if ($1 ~ /^[0-9]/) next; all++; fences += /^ *fence/ }
    END { print all, fences }' > "$TMP/counted"
  read -r all fences < "$TMP/counted"
  grep -qE "^$target/clang-22 +$all +$fences +0\$" "$TMP/sizes" || { cat "$TMP/counted" "$TMP/sizes"; exit 1; }
done

# A lock of exchanges that acquire and release: the model's rounds end, and LLVM has dropped the order.
cat > "$TMP/exchanges.cl" <<'EOF'
// @Config: 1, 1, 2
// @Input: %l = {0}
// @Input: %x = {0}
// @Output: forall (%x[0] == 2)
kernel void exchanges(global atomic_uint *l, global uint *x) {
  while (atomic_exchange_explicit(l, 1, memory_order_acq_rel, memory_scope_device)) {}
  *x += 1;
  atomic_store_explicit(l, 0, memory_order_release, memory_scope_device);
}
EOF
litscope verify -q -target sm_70,gfx942 "$TMP/exchanges.cl" > "$TMP/found" && exit 1
grep -q '^Verify exchanges sm_70/clang-22 Unsound$' "$TMP/found" && grep -q '^Verify exchanges gfx942/clang-22 Sound$' "$TMP/found" || { cat "$TMP/found"; exit 1; }
