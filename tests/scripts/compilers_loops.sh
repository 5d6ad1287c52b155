#!/bin/sh
# SPDX-License-Identifier: MIT
# Loops and computed addresses through LLVM 22: locks, queues and barriers are sound on every target, as llc and as
# clang compile them, optimised or not; without its invalidates, a lock is not.
# slow
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }
loops="litmus/loops/Lock_TAS_2.litmus litmus/loops/Lock_CAS_2.litmus litmus/loops/Ticket_2.litmus
  litmus/loops/Queue_1_2.litmus tests/compilers/Spin_bounded.litmus tests/compilers/Ring.litmus"
for through in llc clang; do
  [ $through = llc ] || command -v clang-22 >/dev/null || continue
  for level in -O0 -O2; do
    targets=gfx90a,gfx1200
    [ "$through$level" = clang-O2 ] && targets=gfx908,gfx90a,gfx942,gfx1030:cumode,gfx1100,gfx1200
    # shellcheck disable=SC2086
    litscope verify -q -target $targets -compiler llvm-22 -through $through -compiler-option $level $loops > "$TMP/found" || { cat "$TMP/found"; exit 1; }
    [ "$(grep -c ' Sound$' "$TMP/found")" = $((6 * $(echo "$targets" | tr , "\n" | wc -l))) ] || { echo "$through $level"; cat "$TMP/found"; exit 1; }
    litscope verify -q -target gfx90a,gfx1100 -compiler llvm-22 -through $through -compiler-option $level \
      tests/compilers/Ring_local.litmus > "$TMP/found"
    [ "$(grep -c ' Sound$' "$TMP/found")" = 2 ] || { echo "$through $level"; cat "$TMP/found"; exit 1; }
  done
done

cat > "$TMP/llc-mine" <<'EOF'
#!/bin/sh
[ "$1" = --version ] && exec llc-22 --version
llc-22 "$@" | sed '/buffer_gl[01]_inv/d'
EOF
chmod +x "$TMP/llc-mine"
# shellcheck disable=SC2086
litscope verify -q -target gfx1030 -compiler "$TMP/llc-mine" $loops > "$TMP/found" && exit 1
grep -E '^Verify' "$TMP/found" | sed 's/(22[.0-9]*)/(22)/' > "$TMP/answers"
cat > "$TMP/wanted" <<'EOF'
Verify Lock_TAS_2 gfx1030/llc-mine(22) Unsound
Verify Lock_CAS_2 gfx1030/llc-mine(22) Unsound
Verify Ticket_2 gfx1030/llc-mine(22) Unsound
Verify Queue_1_2 gfx1030/llc-mine(22) Unsound
Verify Spin_bounded gfx1030/llc-mine(22) Unsound
Verify Ring gfx1030/llc-mine(22) Unsound
EOF
diff "$TMP/wanted" "$TMP/answers"

# What instructions are said to do, where paths meet at them too; shifts in source.
litscope compile -q -target gfx90a -compiler llvm-22 litmus/loops/Lock_TAS_2.litmus | grep -m 1 global_atomic_swap > "$TMP/swap"
grep -q '; read-modify-write of l$' "$TMP/swap" || { cat "$TMP/swap"; exit 1; }
cat > "$TMP/shift.litmus" <<'EOF'
OpenCL shift
{ [x]=5; }
P0 (global atomic_int* x) {
  int r0 = atomic_load_explicit(x, memory_order_relaxed, memory_scope_device);
  int r1 = (r0 >> 1) << 2;
}
exists (0:r1=8)
EOF
! command -v clang-22 > /dev/null ||
  litscope verify -q -target gfx90a -compiler llvm-22 -through clang "$TMP/shift.litmus" | grep -q ' Sound$'
