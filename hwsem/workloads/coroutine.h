/* SPDX-License-Identifier: MIT */
/* Coroutines: functions that stop in the middle and go on later, each on a stack
 * of its own.
 *
 * A simulated thread is one: it stops at every access to memory until the
 * simulated machine has completed it.  A stop and a resumption cost a few
 * nanoseconds on x86-64 and AArch64, where the switch is a dozen instructions;
 * elsewhere it is POSIX's swapcontext, which
 * is right everywhere but asks the kernel for the signal mask each time (250 ns).
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_COROUTINE_H
#define LITSCOPE_HWSEM_WORKLOADS_COROUTINE_H

#include <stdbool.h>
#include <stddef.h>

/* The sanitizers of addresses and of threads are told of every change of stack (coroutine.c). */
#if defined __has_feature
#define COROUTINE_HAS(feature) __has_feature(feature)
#else
#define COROUTINE_HAS(feature) 0
#endif
#if defined __SANITIZE_ADDRESS__ || COROUTINE_HAS(address_sanitizer)
#define COROUTINE_SANITIZED 1
#else
#define COROUTINE_SANITIZED 0
#endif
#if defined __SANITIZE_THREAD__ || COROUTINE_HAS(thread_sanitizer)
#define COROUTINE_FIBERS 1
#else
#define COROUTINE_FIBERS 0
#endif

/* -DCOROUTINE_PORTABLE: swapcontext on every machine, for tests. */
#if defined __x86_64__ && !COROUTINE_SANITIZED && !COROUTINE_FIBERS && !defined COROUTINE_PORTABLE
#define COROUTINE_INLINE 1
#else
#define COROUTINE_INLINE 0
#endif

struct coroutine;

/* A coroutine that will run `body(context)` from its first resumption on.  Its
 * stack is fenced by a page without access.  NULL when there is no memory.
 * Freed with coroutine_free, wherever it has stopped. */
struct coroutine *coroutine_new(void (*body)(void *context), void *context);
void coroutine_free(struct coroutine *coroutine);

/* Where either side was left; the rest is coroutine.c's. */
struct coroutine_sides {
  void *self, *caller; /* saved stack pointers */
  bool ended;
};

#if COROUTINE_INLINE

/* Saves where it is on its stack and the stack pointer in *from, and goes on where `to` was
 * saved.  Inline, as returns on one side would be predicted from calls on the other: the
 * compiler saves what it needs of the registers that it is told are lost. */
static inline __attribute__((always_inline)) void coroutine_switch(void **from, void *to) {
  __asm__ volatile(
      "leaq -128(%%rsp), %%rsp\n\t" /* what a function may keep below its stack pointer */
      "pushq %%rbp\n\tpushq %%rbx\n\t"
      "leaq 1f(%%rip), %%rax\n\tpushq %%rax\n\t"
      "movq %%rsp, (%%rdi)\n\tmovq %%rsi, %%rsp\n\t"
      "popq %%rax\n\tjmpq *%%rax\n"
      "1:\n\tpopq %%rbx\n\tpopq %%rbp\n\tleaq 128(%%rsp), %%rsp"
      : "+D"(from), "+S"(to)
      :
      : "rax", "rcx", "rdx", "r8", "r9", "r10", "r11", "r12", "r13", "r14", "r15", "xmm0", "xmm1", "xmm2", "xmm3",
        "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10", "xmm11", "xmm12", "xmm13", "xmm14", "xmm15", "memory",
        "cc");
}

/* Runs the coroutine until it stops or ends.  Returns false when it has ended. */
static inline bool coroutine_resume(struct coroutine *coroutine) {
  struct coroutine_sides *sides = (struct coroutine_sides *)(void *)coroutine;
  if (sides->ended) return false;
  coroutine_switch(&sides->caller, sides->self);
  return !sides->ended;
}

/* Within a coroutine: stops it, back to whoever resumed it. */
static inline void coroutine_stop(struct coroutine *coroutine) {
  struct coroutine_sides *sides = (struct coroutine_sides *)(void *)coroutine;
  coroutine_switch(&sides->self, sides->caller);
}

#else

/* The same, elsewhere. */
bool coroutine_resume(struct coroutine *coroutine);
void coroutine_stop(struct coroutine *coroutine);

#endif

#endif
