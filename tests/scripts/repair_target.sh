#!/bin/sh
# SPDX-License-Identifier: MIT
# `repair -target`: changes cost what a compiler makes of them on a GPU. Where work-groups share a cache an acquire among
# them costs nothing. Skipped where a compiler is missing.
# slow
set -eu
for tool in llc-22 clang-22; do command -v "$tool" >/dev/null || { echo "no $tool"; exit 77; }; done
answer() { litscope repair -q "$@" 2>&1 | sed -n "1,/^---/ { s,$TMP/,,; /^---/!p }"; }
for gpu in gfx942 gfx942:tgsplit; do answer -target $gpu tests/golden/repair/group.litmus; done >"$TMP/said"
sed 's/memory_order_[a-z]*/memory_order_seq_cst/' litmus/kernels/message.cl >"$TMP/seq.cl"
answer -weaken -target gfx90a "$TMP/seq.cl" >>"$TMP/said"
answer -every 0 -target gfx1100 litmus/kernels/message_group.spvasm >>"$TMP/said"
# The machine says what the answer is worth: this compiler drops the orders of read-modify-writes.
sed 's/atomic_store/atomic_exchange/' tests/golden/repair/spare.litmus >"$TMP/exchange.litmus"
answer -weaken -target sm_80 "$TMP/exchange.litmus" >>"$TMP/said"
# What has no price.
sed '/name="else"/d' mappings/timing-emitted.xml >"$TMP/short.xml"
answer -cost "$TMP/short.xml" -target gfx90a tests/golden/repair/group.litmus >>"$TMP/said"
answer -cost timing-rsp -target gfx90a tests/golden/repair/group.litmus >>"$TMP/said"
answer -target gfx90a,gfx942 tests/golden/repair/group.litmus >>"$TMP/said"
answer -target gfx90a litmus/kernels/lock_vulkan.spvasm >>"$TMP/said"
diff - "$TMP/said" <<'END'
Prices timing-emitted of gfx942/llvm-22
Repair group 0
  P1 line 9: atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group) -> atomic_load_explicit(y, memory_order_acquire, memory_scope_work_group) (+0)
  before: undefined: data_race
  after: right
  on gfx942/llvm-22: Sound
Prices timing-emitted of gfx942:tgsplit/llvm-22
Repair group 1
  P1 line 9: atomic_load_explicit(y, memory_order_relaxed, memory_scope_work_group) -> atomic_load_explicit(y, memory_order_acquire, memory_scope_work_group) (+1)
  before: undefined: data_race
  after: right
  on gfx942:tgsplit/llvm-22: Sound
Prices timing-emitted of gfx90a/clang-22
Weaken seq 0
  line 14: atomic_store_explicit(flag, 1, memory_order_seq_cst, SCOPE) -> atomic_store_explicit(flag, 1, memory_order_release, SCOPE) (+0)
  line 15: atomic_load_explicit(flag, memory_order_seq_cst, SCOPE) -> atomic_load_explicit(flag, memory_order_acquire, SCOPE) (+0)
  after: right
  on gfx90a/clang-22: Sound
Prices timing-emitted of gfx1100/llvm-22
Repair message_group 1
  line 40: OpAtomicStore Workgroup Release -> OpAtomicStore Device Release (+0)
  line 43: OpAtomicLoad Workgroup Acquire -> OpAtomicLoad Device Acquire (+1)
  before: undefined: data_race
  after: right
  on gfx1100/llvm-22: Sound
Prices timing-emitted of sm_80/llvm-22
Weaken spare -66
  alternative 1 of 2, each of which is enough
  P0 line 5: remove atomic_thread_fence(memory_order_seq_cst) (-33)
  P0 line 6: atomic_exchange(y, 1) -> atomic_exchange_explicit(y, 1, memory_order_release) (+0)
  P1 line 10: atomic_load(y) -> atomic_load_explicit(y, memory_order_acquire) (-33)
  after: right
  on sm_80/llvm-22: Unsound
litscope: error: short.xml has no price for 's_load_dwordx4'
litscope: error: option -cost: 'timing-rsp' is not a list of instructions, by which -target's code is priced
litscope: error: repair takes one target and one compiler, not 2
litmus/kernels/lock_vulkan.spvasm:28:9: error: P0 cannot be compiled: only OpenCL, C and HSA tests can be compiled to LLVM IR
    28 |         %old = OpAtomicExchange %uint %lock %device %acquire %one
       |         ^~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~~
END
