#!/bin/sh
# SPDX-License-Identifier: MIT
# plain
# Patterns of GPU programs, right and with planted faults: each fault is found, in words that name it. Skipped where
# there is no clang-22 or glslangValidator.
set -eu
command -v clang-22 >/dev/null || { echo "no clang-22: apt-get install clang-22"; exit 77; }
command -v glslangValidator >/dev/null || { echo "no glslangValidator: apt-get install glslang-tools"; exit 77; }
cat >"$TMP/last_group.cl" <<'EOF'
// The last work-group to finish adds up what all have stored
// @Input: %in = {1, 2, 3, 4}
// @Input: %partial = {0, 0}
// @Input: %count = {0}
// @Input: %out = {0}
// @Output: forall (%out[0] == 10)
// @Config: 2, 1, 2
kernel void last_group(global const int *in, global int *partial, global atomic_int *count, global int *out) {
  local int part[2], last;
  int item = get_local_id(0);
  part[item] = in[get_global_id(0)];
  barrier(CLK_LOCAL_MEM_FENCE);
  if (item == 0) {
    partial[get_group_id(0)] = part[0] + part[1];
#ifdef FENCED
    atomic_work_item_fence(MEMORY, memory_order_release, SCOPE);
    int ticket = atomic_fetch_add_explicit(count, 1, memory_order_relaxed, memory_scope_device);
    if (FENCED) atomic_work_item_fence(MEMORY, memory_order_acquire, SCOPE);
#else
    int ticket = atomic_fetch_add_explicit(count, 1, ORDER, SCOPE);
#endif
    last = ticket == 1;
  }
  barrier(CLK_LOCAL_MEM_FENCE);
  if (last && item == 0) out[0] = partial[0] + partial[1];
}
EOF
cat >"$TMP/grid_barrier.comp" <<'EOF'
// Each work-item reads what one of the other work-group has stored before a barrier of all groups
// @Input: %a = {0, 0, 0, 0}
// @Input: %b = {0, 0, 0, 0}
// @Input: %count = 0
// @Output: forall (%b[0] == 3 and %b[1] == 4 and %b[2] == 1 and %b[3] == 2)
// @Config: 2, 1, 2
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : enable
#define BUFFER gl_StorageSemanticsBuffer
#define RELEASE (gl_SemanticsRelease | gl_SemanticsMakeAvailable)
#define ACQUIRE (gl_SemanticsAcquire | gl_SemanticsMakeVisible)
#define BOTH (gl_SemanticsAcquireRelease | gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible)
layout(local_size_x = 2) in;
layout(set = 0, binding = 0) KIND buffer A { int a[]; };
layout(set = 0, binding = 1) buffer C { uint count; };
layout(set = 0, binding = 2) buffer B { int b[]; };
void main() {
  uint item = gl_GlobalInvocationID.x;
  a[item] = int(item) + 1;
  controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, BUFFER, BOTH);
  if (gl_LocalInvocationID.x == 0) {
    atomicAdd(count, 1u, SCOPE, BUFFER, RELEASE);
    while (atomicLoad(count, SCOPE, BUFFER, ACQUIRE) != 2u) ;
  }
  if (MEETS) controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, BUFFER, BOTH);
  b[item] = a[(item + 2) % 4];
}
EOF
cat >"$TMP/look_back.cl" <<'EOF'
// Prefix sums with decoupled look-back: status 1 has the group's own sum, 2 that of all before it, too
// @Input: %in = {1, 2, 3}
// @Input: %own = {0, 0, 0}
// @Input: %prefix = {0, 0, 0}
// @Input: %status = {0, 0, 0}
// @Input: %out = {0, 0, 0}
// @Output: forall (%out[0] == 1 and %out[1] == 3 and %out[2] == 6)
// @Config: 1, 1, 3
void publish(global atomic_int *status, int what) {
  atomic_store_explicit(status, what, memory_order_release, memory_scope_device);
}
kernel void look_back(global const int *in, global int *own, global int *prefix, global atomic_int *status,
                      global int *out) {
  int group = get_group_id(0), sum = in[group];
  if (group > 0) {
    own[group] = sum;
    publish(&status[group], 1);
    for (int before = group - 1;; before -= STEP) {
      int seen;
      do
        seen = atomic_load_explicit(&status[before], memory_order_acquire, memory_scope_device);
      while (seen == 0);
      sum += seen == 2 ? prefix[before] : own[before];
      if (seen == 2) break;
    }
  }
  if (EARLY) publish(&status[group], 2);
  prefix[group] = sum;
  if (!EARLY) publish(&status[group], 2);
  out[group] = sum;
}
EOF
cat >"$TMP/scan.cl" <<'EOF'
// Prefix sums within a work-group: a sum may be added to before its neighbour has read it
// @Input: %in = {1, 2, 3, 4}
// @Input: %out = {0, 0, 0, 0}
// @Output: forall (%out[0] == 1 and %out[1] == 3 and %out[2] == 6 and %out[3] == 10)
// @Config: 4, 1, 1
kernel void scan(global const int *in, global int *out) {
  local int s[4];
  int t = get_local_id(0);
  s[t] = in[t];
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int d = 1; d < 4; d *= 2) {
    int v = t >= d ? s[t - d] : 0;
#ifndef MISSING
    barrier(CLK_LOCAL_MEM_FENCE);
#endif
    s[t] += v;
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  out[t] = s[t];
}
EOF
cat >"$TMP/bitonic.cl" <<'EOF'
// Bitonic sort of an array in global memory
// @Input: %a = {4, 3, 2, 1}
// @Output: forall (%a[0] == 1 and %a[1] == 2 and %a[2] == 3 and %a[3] == 4)
// @Config: 4, 1, 1
kernel void bitonic(global int *a) {
  int t = get_local_id(0);
  for (int k = 2; k <= 4; k *= 2)
    for (int j = k / 2; j > 0; j /= 2) {
      int p = t ^ j;
      if (p > t) {
        bool up = (t & k) == 0;
        int x = a[t], y = a[p];
        if ((x > y) == up) { a[t] = y; a[p] = x; }
      }
      barrier(MEMORY);
    }
}
EOF
cat >"$TMP/ring.cl" <<'EOF'
// One slot that is handed back and forth: giving it back must release, too
// @Input: %slot = {0}
// @Input: %state = {0}
// @Input: %sum = {0}
// @Output: forall (%sum[0] == 6)
// @Config: 1, 1, 2
kernel void ring(global int *slot, global atomic_int *state, global int *sum) {
  if (get_group_id(0) == 0) {
    for (int i = 1; i <= 3; i++) {
      while (atomic_load_explicit(state, memory_order_acquire, memory_scope_device) != 0);
      *slot = i;
      atomic_store_explicit(state, 1, memory_order_release, memory_scope_device);
    }
  } else {
    int s = 0;
    for (int i = 1; i <= 3; i++) {
      while (atomic_load_explicit(state, memory_order_acquire, memory_scope_device) != 1);
      s += *slot;
      atomic_store_explicit(state, 0, BACK, memory_scope_device);
    }
    *sum = s;
  }
}
EOF
cat >"$TMP/handshake.comp" <<'EOF'
// Fences around atomics without an order: KIND says what the compiler makes of ordinary accesses
// @Input: %data = 0
// @Input: %flag = 0
// @Input: %got = -1
// @Output: forall (%got == 42)
// @Config: 1, 1, 2
#version 450
#pragma use_vulkan_memory_model
#extension GL_KHR_memory_scope_semantics : require
layout(local_size_x = 1) in;
layout(binding = 0) KIND buffer B { int data; int flag; int got; };
void main() {
  if (gl_WorkGroupID.x == 0) {
    data = 42;
    memoryBarrierBuffer();
    atomicExchange(flag, 1);
  } else {
    while (atomicAdd(flag, 0) == 0);
    memoryBarrierBuffer();
    got = data;
  }
}
EOF
cat >"$TMP/barriers.cl" <<'EOF'
// Barriers that not all work-items reach, in all executions or in some
// @Input: %flag = {0}
// @Input: %a = {0, 0}
// @Output: forall (%a[0] == 1)
// @Config: 2, 1, 1
kernel void barriers(global atomic_int *flag, global int *a) {
  int item = get_local_id(0);
#ifdef LEAVES
  if (item == 1) return;
#endif
  a[item] = 1;
#ifdef ROUNDS
  for (int i = 0; i < 2; i++)
    if (i == item) barrier(CLK_GLOBAL_MEM_FENCE);
#endif
#ifdef APART
  if (item == 0)
    barrier(CLK_GLOBAL_MEM_FENCE);
  else
    barrier(CLK_GLOBAL_MEM_FENCE);
#endif
  if (item == 1) atomic_store_explicit(flag, 1, memory_order_relaxed, memory_scope_work_group);
#ifdef ASKS
  if (item == 0 && atomic_load_explicit(flag, memory_order_relaxed, memory_scope_work_group) == 1) return;
#endif
  barrier(CLK_GLOBAL_MEM_FENCE);
}
EOF
cat >"$TMP/decision.cl" <<'EOF'
// One work-item decides for its group whether it meets again; who is not shown the decision does not come
// @Input: %goes_on = {0}
// @Input: %a = {0, 0, 0, 0}
// @Output: forall (%a[0] == 2 and %a[1] == 3 and %a[2] == 4 and %a[3] == 1)
// @Config: 4, 1, 1
kernel void decision(global int *goes_on, global int *a) {
  int item = get_local_id(0);
  if (item == 0) *goes_on = 1;
  barrier(MEMORY);
  if (!*goes_on) return;
  a[item] = item + 1;
  for (int i = 0; i < 4; i++) {
    barrier(CLK_GLOBAL_MEM_FENCE);
    int other = a[(item + i + 2) % 4];
    barrier(CLK_GLOBAL_MEM_FENCE);
    a[item] = i == 3 ? other : item + 1;
  }
}
EOF
ask() {
  file=$1
  shift
  echo "== $file $*"
  litscope check -fail-on nothing -source-options "$*" "$TMP/$file" 2>&1 | sed -nE '/^(Ok|No)$/p; s/^Undefined: //p; s/^.*warning: //p'
}
{
  ask last_group.cl -DORDER=memory_order_acq_rel -DSCOPE=memory_scope_device
  ask last_group.cl -DORDER=memory_order_release -DSCOPE=memory_scope_device
  ask last_group.cl -DORDER=memory_order_acq_rel -DSCOPE=memory_scope_work_group
  ask last_group.cl -DFENCED=1 -DMEMORY=CLK_GLOBAL_MEM_FENCE -DSCOPE=memory_scope_device
  ask last_group.cl -DFENCED=0 -DMEMORY=CLK_GLOBAL_MEM_FENCE -DSCOPE=memory_scope_device
  ask last_group.cl -DFENCED=1 -DMEMORY=CLK_GLOBAL_MEM_FENCE -DSCOPE=memory_scope_work_group
  ask last_group.cl -DFENCED=1 -DMEMORY=CLK_LOCAL_MEM_FENCE -DSCOPE=memory_scope_device
  ask grid_barrier.comp -DKIND=nonprivate -DSCOPE=gl_ScopeDevice -DMEETS=true
  ask grid_barrier.comp -DKIND=nonprivate -DSCOPE=gl_ScopeWorkgroup -DMEETS=true
  ask grid_barrier.comp -DKIND= -DSCOPE=gl_ScopeDevice -DMEETS=true
  ask grid_barrier.comp -DKIND=nonprivate -DSCOPE=gl_ScopeDevice -DMEETS=false
  ask look_back.cl -DSTEP=1 -DEARLY=0
  ask look_back.cl -DSTEP=2 -DEARLY=0
  ask look_back.cl -DSTEP=1 -DEARLY=1
  ask scan.cl -DALL
  ask scan.cl -DMISSING
  ask bitonic.cl -DMEMORY=CLK_GLOBAL_MEM_FENCE
  ask bitonic.cl -DMEMORY=CLK_LOCAL_MEM_FENCE
  ask ring.cl -DBACK=memory_order_release
  ask ring.cl -DBACK=memory_order_relaxed
  ask handshake.comp -DKIND=coherent
  ask handshake.comp -DKIND=nonprivate
  ask handshake.comp -DKIND=
  ask barriers.cl -DALL
  ask barriers.cl -DLEAVES
  ask barriers.cl -DROUNDS
  ask barriers.cl -DAPART
  ask barriers.cl -DASKS
  ask decision.cl -DMEMORY=CLK_GLOBAL_MEM_FENCE
  ask decision.cl -DMEMORY=CLK_LOCAL_MEM_FENCE
} >"$TMP/answers"
diff tests/scripts/kernel_faults.expected "$TMP/answers"
