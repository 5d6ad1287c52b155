#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests as OpenCL C and as C source through clang 22, with its optimisers: named
# tests, source lines, local memory; families at levels of optimisation: long/clang_families.sh.
# Skipped where there is no clang-22.
# slow
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }

# Named tests.
for row in 'ISA2_wd gfx90a Unsound' 'ISA2_wd gfx90a:tgsplit Sound' 'ISA2_barrier gfx942 Unsound' 'MP_dev gfx1030:cumode Sound' \
  'MP_rmw gfx1200 Sound' 'MP_rmw sm_90 Unsound' 'MP_cas sm_70 Sound' 'Inc2_sys sm_70 Unsound'; do
  # shellcheck disable=SC2086
  set -- $row
  for through in clang clang-c; do
    litscope verify -target "$2" -compiler llvm-22 -through "$through" "tests/compilers/$1.litmus" > "$TMP/out" || [ $? = 1 ]
    grep -qx "Verify $1 $2/clang-22 $3" "$TMP/out" || { echo "expected: $row"; cat "$TMP/out"; exit 1; }
  done
done

# The source, and its lines beside the assembly; what is kept is a test.
litscope compile -target gfx90a -compiler llvm-22 -through clang -ir tests/compilers/MP_dev.litmus > "$TMP/out"
litscope compile -target gfx90a -compiler llvm-22 -through clang -o "$TMP/kept" tests/compilers/MP_dev.litmus >> "$TMP/out"
grep -qF 'atomic_store_explicit(&((__global atomic_value *)at_y)[id], 1, memory_order_release, memory_scope_device);' "$TMP/out"
grep -qF '    6  atomic_store_explicit(y, 1, memory_order_release, memory_scope_device);' "$TMP/out"
litscope explore "$TMP/kept/MP_dev.gfx90a.clang-22.litmus" | grep -q '^Observation MP_dev.gfx90a.clang-22 Never'
litscope compile -target gfx90a -compiler llvm-22 -through clang-c -ir tests/compilers/MP_dev.litmus |
  grep -qF '__scoped_atomic_store_n(&at_y[id], 1, __ATOMIC_RELEASE, __MEMORY_SCOPE_DEVICE);'

# C tests, and local memory, which optimisers must take for shared.
litscope verify -target gfx90a -compiler llvm-22 -through clang litmus/c11/MP_rel_acq.litmus | grep -q '^Verify MP_rel_acq gfx90a/clang-22 Sound$'
cat > "$TMP/lds.litmus" <<'END'
OPENCL lds
{ local int a=0; local int b=0; }
P0 (local int* a, local int* b) { *a = 1; barrier(CLK_LOCAL_MEM_FENCE); int r0 = *b; }
P1 (local int* a, local int* b) { *b = 2; barrier(CLK_LOCAL_MEM_FENCE); int r0 = *a; int r1 = *b; }
scopeTree (device (work_group P0 P1))
exists (0:r0=2 /\ 1:r0=1 /\ 1:r1=2)
END
for target in gfx90a gfx1200 sm_70; do
  for through in clang clang-c; do
    litscope explore -target $target -compiler llvm-22 -through $through "$TMP/lds.litmus" > "$TMP/out"
    grep -q '^Observation lds Always' "$TMP/out" || { echo "$target $through"; cat "$TMP/out"; exit 1; }
  done
done
