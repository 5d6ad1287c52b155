/* SPDX-License-Identifier: MIT */
/* Atomic operations with scopes in CUDA and HIP: by cuda::atomic_ref where the
 * toolkit's header is there, else by clang's __scoped_atomic builtins, with
 * which device code compiles without a toolkit. */
#ifndef LITSCOPE_SCOPED_H
#define LITSCOPE_SCOPED_H

#if defined(__HIP__)
#if __has_include(<hip/hip_runtime.h>)
#include <hip/hip_runtime.h>
#define HAVE_RUNTIME
#endif
#elif __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#define HAVE_RUNTIME
#if __has_include(<cuda/atomic>)
#include <cuda/atomic>
#define BY_ATOMIC_REF
#endif
#endif

#ifndef HAVE_RUNTIME
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#endif

/* ---- where a work-item is, and barriers of its work-group ---- */

#ifdef HAVE_RUNTIME
#define GROUP blockIdx.x
#define ITEM threadIdx.x
#define JOIN() __syncthreads()
#elif defined(__HIP__)
#define GROUP __builtin_amdgcn_workgroup_id_x()
#define ITEM __builtin_amdgcn_workitem_id_x()
#define JOIN() \
  (__builtin_amdgcn_fence(__ATOMIC_RELEASE, "workgroup"), __builtin_amdgcn_s_barrier(), \
   __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "workgroup"))
#else
#define GROUP ((unsigned)__nvvm_read_ptx_sreg_ctaid_x())
#define ITEM ((unsigned)__nvvm_read_ptx_sreg_tid_x())
#define JOIN() __syncthreads()
#endif

/* ---- operations ---- */

#ifdef BY_PTX
#include "ptx.h"
#elif defined(BY_ATOMIC_REF)
#define ORDER_relaxed cuda::memory_order_relaxed
#define ORDER_acquire cuda::memory_order_acquire
#define ORDER_release cuda::memory_order_release
#define ORDER_acq_rel cuda::memory_order_acq_rel
#define ORDER_seq_cst cuda::memory_order_seq_cst
#define SCOPE_work_item cuda::thread_scope_thread
#define SCOPE_sub_group cuda::thread_scope_block /* there is none of a warp */
#define SCOPE_work_group cuda::thread_scope_block
#define SCOPE_device cuda::thread_scope_device
#define SCOPE_system cuda::thread_scope_system
#define REFERENCE(x, scope) cuda::atomic_ref<value, SCOPE_##scope>(x)
#define LOAD(x, order, scope) REFERENCE(x, scope).load(ORDER_##order)
#define STORE(x, v, order, scope) REFERENCE(x, scope).store((v), ORDER_##order)
#define EXCHANGE(x, v, order, scope) REFERENCE(x, scope).exchange((v), ORDER_##order)
#define RMW(op, x, v, order, scope) REFERENCE(x, scope).op((v), ORDER_##order)
#define SWAP(x, old, v, order, failure, scope) \
  REFERENCE(x, scope).compare_exchange_strong(old, (v), ORDER_##order, ORDER_##failure)
#define FENCE(order, scope) cuda::atomic_thread_fence(ORDER_##order, SCOPE_##scope)
#define PAD_LOAD(x) cuda::atomic_ref<int, cuda::thread_scope_device>(x).load(cuda::memory_order_relaxed)
#define PAD_STORE(x, v) cuda::atomic_ref<int, cuda::thread_scope_device>(x).store((v), cuda::memory_order_relaxed)
#define PAD_ADD(x) cuda::atomic_ref<int, cuda::thread_scope_device>(x).fetch_add(1, cuda::memory_order_relaxed)
#else
#define ORDER_relaxed __ATOMIC_RELAXED
#define ORDER_acquire __ATOMIC_ACQUIRE
#define ORDER_release __ATOMIC_RELEASE
#define ORDER_acq_rel __ATOMIC_ACQ_REL
#define ORDER_seq_cst __ATOMIC_SEQ_CST
#define SCOPE_work_item __MEMORY_SCOPE_SINGLE
#define SCOPE_sub_group __MEMORY_SCOPE_WVFRNT
#define SCOPE_work_group __MEMORY_SCOPE_WRKGRP
#define SCOPE_device __MEMORY_SCOPE_DEVICE
#define SCOPE_system __MEMORY_SCOPE_SYSTEM
#define LOAD(x, order, scope) __scoped_atomic_load_n(&(x), ORDER_##order, SCOPE_##scope)
#define STORE(x, v, order, scope) __scoped_atomic_store_n(&(x), (v), ORDER_##order, SCOPE_##scope)
#define EXCHANGE(x, v, order, scope) __scoped_atomic_exchange_n(&(x), (v), ORDER_##order, SCOPE_##scope)
#define RMW(op, x, v, order, scope) __scoped_atomic_##op(&(x), (v), ORDER_##order, SCOPE_##scope)
#define SWAP(x, old, v, order, failure, scope) \
  __scoped_atomic_compare_exchange_n(&(x), &(old), (v), false, ORDER_##order, ORDER_##failure, SCOPE_##scope)
#define FENCE(order, scope) __scoped_atomic_thread_fence(ORDER_##order, SCOPE_##scope)
#define PAD_LOAD(x) LOAD(x, relaxed, device)
#define PAD_STORE(x, v) STORE(x, v, relaxed, device)
#define PAD_ADD(x) RMW(fetch_add, x, 1, relaxed, device)
#endif

/* ---- what the kernel calls ---- */

enum { STEPS, GROUPS, STRIDE, SPINS, PRE, ROUNDS, LINES, LINE, PATTERN, INSTANCES, GATHER, CELL };
enum { DONE = 0, BEGUN = 32, STRESS = 64 };

__device__ static inline value quotient(value a, value b) { return b == 0 ? 0 : b == -1 ? 0 - a : a / b; }
__device__ static inline value rest(value a, value b) { return b == 0 || b == -1 ? 0 : a % b; }
__device__ static inline value shift_left(value a, value b) { return a << (b & (value)(8 * sizeof a - 1)); }
__device__ static inline value shift_right(value a, value b) { return a >> (b & (value)(8 * sizeof a - 1)); }
__device__ static inline unsigned within(value index, unsigned size) {
  return index >= 0 && index < (value)size ? (unsigned)index : 0u;
}

/* Loads and stores of memory that no test looks at. */
__device__ static inline void stress_(int *pad, const unsigned *params, unsigned seed) {
  unsigned at = STRESS + seed * 2654435761u % params[LINES] * params[LINE];
  if (params[PATTERN] < 2u)
    PAD_STORE(pad[at], (int)seed);
  else
    (void)PAD_LOAD(pad[at]);
  if (params[PATTERN] & 1u)
    PAD_STORE(pad[at], (int)seed);
  else
    (void)PAD_LOAD(pad[at]);
}
__device__ static inline void warm_(int *pad, const unsigned *params, unsigned seed, unsigned count) {
  for (unsigned i = 0u; i < count; i++) stress_(pad, params, seed + i);
}
/* A work-group that only stresses, until the testing ones are through. */
__device__ static inline void strain_(int *pad, const unsigned *params, unsigned group) {
  for (unsigned i = 0u; i < params[ROUNDS]; i++) {
    stress_(pad, params, group * 31u + i);
    if (PAD_LOAD(pad[DONE]) >= (int)params[GROUPS]) return;
  }
}
/* Returns when all testing groups have begun, or a time is over. */
__device__ static inline void gather_(int *pad, const unsigned *params) {
  (void)PAD_ADD(pad[BEGUN]);
  for (unsigned i = 0u; i < params[GATHER]; i++)
    if (PAD_LOAD(pad[BEGUN]) >= (int)params[GROUPS]) return;
}
/* The parts of an instance meet here; none waits for ever, for others may not be running: who waits in vain
   waits for half as long the next time.  Returns how long that is. */
__device__ static inline unsigned meet_(value *cells, unsigned at, unsigned parts, unsigned patience, unsigned spins) {
  (void)RMW(fetch_add, cells[at], 1, relaxed, device);
  for (unsigned i = 0u; i < patience; i++)
    if (LOAD(cells[at], relaxed, device) >= (value)parts) return spins;
  return patience > spins / 32u ? patience / 2u : patience;
}
#define warm(seed, count) warm_(pad, params, seed, count)
#define strain(group) strain_(pad, params, group)
#define gather(item) do { if ((item) == 0) gather_(pad, params); } while (0)
#define finish(item) do { if ((item) == 0) (void)PAD_ADD(pad[DONE]); } while (0)
#define meet(at, parts, patience) meet_(cells, at, parts, patience, params[SPINS])

#endif
