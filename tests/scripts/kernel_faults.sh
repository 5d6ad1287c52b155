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
ask() {
  file=$1
  shift
  echo "== $file $*"
  litscope check -q -fail-on nothing -source-options "$*" "$TMP/$file" | sed -nE '/^(Ok|No)$/p; s/^Undefined: //p'
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
} >"$TMP/answers"
diff tests/scripts/kernel_faults.expected "$TMP/answers"
