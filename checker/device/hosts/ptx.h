/* SPDX-License-Identifier: MIT */
/* PTX's own instructions, for tests of PTX: each access and fence of a test is one
 * of them, that no compiler changes or leaves out.  Values have 32 bits. */
#ifndef LITSCOPE_PTX_H
#define LITSCOPE_PTX_H

#define PTX __device__ static inline

/* `words` are the instruction's after its first, as "acquire.gpu". */
#define PTX_LOAD(order, scope, words) \
  PTX value load_##order##_##scope(const value *x) { \
    value read; \
    asm volatile("ld." words ".s32 %0, [%1];" : "=r"(read) : "l"(x) : "memory"); \
    return read; \
  }
#define PTX_STORE(order, scope, words) \
  PTX void store_##order##_##scope(value *x, value v) { \
    asm volatile("st." words ".s32 [%0], %1;" : : "l"(x), "r"(v) : "memory"); \
  }
#define PTX_UPDATE(name, operation, order, scope, words) \
  PTX value name##_##order##_##scope(value *x, value v) { \
    value read; \
    asm volatile("atom." words "." operation " %0, [%1], %2;" : "=r"(read) : "l"(x), "r"(v) : "memory"); \
    return read; \
  } \
  PTX void red_##name##_##order##_##scope(value *x, value v) { \
    asm volatile("red." words "." operation " [%0], %1;" : : "l"(x), "r"(v) : "memory"); \
  }
#define PTX_UPDATES(order, scope, words) \
  PTX_UPDATE(exchange, "exch.b32", order, scope, words) \
  PTX_UPDATE(fetch_add, "add.s32", order, scope, words) \
  PTX_UPDATE(fetch_or, "or.b32", order, scope, words) \
  PTX_UPDATE(fetch_xor, "xor.b32", order, scope, words) \
  PTX_UPDATE(fetch_and, "and.b32", order, scope, words) \
  PTX_UPDATE(fetch_min, "min.s32", order, scope, words) \
  PTX_UPDATE(fetch_max, "max.s32", order, scope, words) \
  PTX bool swap_##order##_##scope(value *x, value *old, value v) { \
    value wanted = *old; \
    asm volatile("atom." words ".cas.b32 %0, [%1], %2, %3;" : "=r"(*old) : "l"(x), "r"(wanted), "r"(v) : "memory"); \
    return *old == wanted; \
  }
#define PTX_FENCE(order, scope, words) \
  PTX void fence_##order##_##scope() { asm volatile("fence." words ";" : : : "memory"); }

#define PTX_SCOPES(FORM, order, word) \
  FORM(order, work_group, word ".cta") FORM(order, device, word ".gpu") FORM(order, system, word ".sys")

PTX_LOAD(weak, device, "weak")
PTX_STORE(weak, device, "weak")
PTX_SCOPES(PTX_LOAD, relaxed, "relaxed")
PTX_SCOPES(PTX_LOAD, acquire, "acquire")
PTX_SCOPES(PTX_STORE, relaxed, "relaxed")
PTX_SCOPES(PTX_STORE, release, "release")
PTX_SCOPES(PTX_UPDATES, relaxed, "relaxed")
PTX_SCOPES(PTX_UPDATES, acquire, "acquire")
PTX_SCOPES(PTX_UPDATES, release, "release")
PTX_SCOPES(PTX_UPDATES, acq_rel, "acq_rel")
PTX_SCOPES(PTX_FENCE, acquire, "acquire")
PTX_SCOPES(PTX_FENCE, release, "release")
PTX_SCOPES(PTX_FENCE, acq_rel, "acq_rel")
PTX_SCOPES(PTX_FENCE, seq_cst, "sc")

#undef PTX

#define LOAD(x, order, scope) load_##order##_##scope(&(x))
#define STORE(x, v, order, scope) store_##order##_##scope(&(x), (v))
#define EXCHANGE(x, v, order, scope) exchange_##order##_##scope(&(x), (v))
#define RMW(op, x, v, order, scope) op##_##order##_##scope(&(x), (v))
#define RED(op, x, v, order, scope) red_##op##_##order##_##scope(&(x), (v))
#define SWAP(x, old, v, order, failure, scope) swap_##order##_##scope(&(x), &(old), (v))
#define FENCE(order, scope) fence_##order##_##scope()
#define PAD_LOAD(x) LOAD(x, relaxed, device)
#define PAD_STORE(x, v) STORE(x, v, relaxed, device)
#define PAD_ADD(x) RMW(fetch_add, x, 1, relaxed, device)

#endif
