#!/bin/sh
# SPDX-License-Identifier: MIT
# Tests through LLVM 22's NVPTX back end: the sweeps, named tests, the PTX tests that
# are read back, and what is refused. Skipped where there is no llc-22.
# slow
set -eu
command -v llc-22 >/dev/null || { echo "no llc-22: apt-get install llvm-22"; exit 77; }

# Read-modify-writes lose their order: the smallest programs of two threads that show it.
litscope verify -target sm_70 -compiler llvm-22 -family 2x2 > "$TMP/out" || [ $? = 1 ]
grep -E '^(Race-free|Unsound|Hazard|Deadlock|Undecided|Threads|Smallest)' "$TMP/out" > "$TMP/2x2"
cat > "$TMP/expected" <<'EOF'
Race-free 4569
Unsound 87
Hazard 0
Deadlock 0
Undecided 0
Threads-compiled 469
Smallest Rxd Ryd|Uyd8 Uxd16 (wg 0,0 dev 0,0)
EOF
diff "$TMP/expected" "$TMP/2x2"

# Nothing else does: with no read-modify-writes, all are sound; each fence and order is needed.
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\nWxdc Rydc | Wydc Rxdc (wg 0,1)\nWxn Wyw | Ryw ! Rxn (wg 0,0)\nWxn Fdl Wydr | Rydr ! Fdq Rxn (wg 0,1)\n' \
  > "$TMP/family"
litscope verify -target sm_70,sm_90 -compiler llvm-22 -family "$TMP/family" | grep -E '^(Target|Unsound)' > "$TMP/sound"
printf 'Target sm_70/llvm-22\nUnsound 0\nTarget sm_90/llvm-22\nUnsound 0\n' | diff - "$TMP/sound"
litscope verify -target sm_70 -compiler llvm-22 -family "$TMP/family" -ablate |
  sed -n 's/^\([a-z_.]* as [a-z_.]*\|[a-z_.]* left out\) *\([0-9]*\) *\([0-9]*\) .*/\1: \3 of \2/p' > "$TMP/ablated"
cat > "$TMP/expected" <<'EOF'
fence.acq_rel.gpu as fence.acq_rel.cta: 2 of 2
fence.acq_rel.gpu as fence.acquire.gpu: 1 of 2
fence.acq_rel.gpu as fence.release.gpu: 1 of 2
fence.acq_rel.gpu left out: 2 of 2
fence.sc.gpu as fence.acq_rel.gpu: 2 of 4
fence.sc.gpu as fence.sc.cta: 2 of 4
fence.sc.gpu left out: 2 of 4
ld.acquire.cta as ld.relaxed.cta: 1 of 1
ld.acquire.gpu as ld.acquire.cta: 1 of 3
ld.acquire.gpu as ld.relaxed.gpu: 1 of 3
ld.relaxed.gpu as ld.relaxed.cta: 1 of 1
st.relaxed.gpu as st.relaxed.cta: 1 of 1
st.release.cta as st.relaxed.cta: 1 of 1
st.release.gpu as st.relaxed.gpu: 1 of 3
st.release.gpu as st.release.cta: 1 of 3
EOF
diff "$TMP/expected" "$TMP/ablated"

# A thread that the compiler refuses (sm_60 has no release store) is no reason to leave the others.
printf 'Wxn Wyd | Ryd ! Rxn (wg 0,1)\nCxd | Cxd (wg 0,1)\nWxdr Wydr | Rydr Rxdr (wg 0,1)\n' > "$TMP/family"
status=0
litscope verify -target sm_60 -compiler llvm-22 -family "$TMP/family" > "$TMP/out" || status=$?
[ $status = 3 ]
grep -E '^(Race-free|Unsound|Refused)' "$TMP/out" > "$TMP/refused"
cat > "$TMP/expected" <<'EOF'
Race-free 3
Unsound 0
Refused 1
Refused-for LLVM ERROR: PTX does not support "atomic" for orderings different than"NotAtomic" or "Monotonic" for sm_60 or older, but order is: "release".: 1, such as Wxn1 Wyd2|Ryd ! Rxn (wg 0,1 dev 0,0)
EOF
diff "$TMP/expected" "$TMP/refused"

# Named tests, and the pictures of what they show.
for row in 'MP_rmw sm_70 Unsound' 'MP_rmw sm_90 Unsound' 'Inc2_sys sm_70 Unsound' 'MP_cas sm_60 Unsound' \
  'MP_cas sm_70 Sound' 'MP_cas sm_90 Sound' 'ISA2_wd sm_70 Sound' 'ISA2_barrier sm_90 Sound' 'MP_dev sm_70 Sound'; do
  # shellcheck disable=SC2086
  set -- $row
  litscope verify -target "$2" -compiler llvm-22 "tests/compilers/$1.litmus" > "$TMP/out" || [ $? = 1 ]
  grep -qx "Verify $1 $2/llvm-22 $3" "$TMP/out" || { echo "expected: $row"; cat "$TMP/out"; exit 1; }
done
litscope verify -target sm_70 -compiler llvm-22 -o "$TMP/drawn" tests/compilers/MP_rmw.litmus > "$TMP/out" || [ $? = 1 ]
grep -q 'P0 W(rlx,gpu) y=1   \[line 6\]' "$TMP/out"
ls "$TMP"/drawn/MP_rmw-sm_70_llvm-22*-ptx-0.dot "$TMP"/drawn/MP_rmw-opencl-forbidden-0.dot >/dev/null

# The code as a test is what was kept, at any level of optimisation it means the same, and lines are told apart.
litscope compile -target sm_70 -compiler llvm-22 -o "$TMP/out.d" tests/compilers/MP_rmw.litmus > "$TMP/out"
diff tests/compilers/assembly/MP_rmw.sm_70.llvm-22.litmus "$TMP/out.d/MP_rmw.sm_70.llvm-22.litmus"
grep -q '    6  atomic_fetch_add_explicit(y, 1, memory_order_release, memory_scope_device);' "$TMP/out"
grep -q '^ *atom.global.add.u32 .*// atom.relaxed.gpu.add.s32 r0, y, 1$' "$TMP/out"
litscope explore -target sm_70 -compiler llvm-22 -compiler-option -O0 tests/compilers/MP_rmw.litmus | grep -q '^Observation MP_rmw Sometimes'

. tests/scripts/refused
refused 'option -place: sm_70 has a model and no machine to set' verify -target sm_70 -place far tests/compilers/MP_rmw.litmus
refused 'PTX does not support "atomic"' verify -target sm_60 -compiler llvm-22 tests/compilers/MP_dev.litmus
refused 'columns: tests of ADSM and of machine code are not compiled' compile -target sm_70 -compiler llvm-22 tests/compilers/columns.litmus
command -v llc-15 >/dev/null || exit 0
refused 'cannot compile for sm_90: LLVM 16 and newer can' verify -target sm_90 -compiler llvm-15 tests/compilers/MP_rmw.litmus
