/* SPDX-License-Identifier: MIT */
/* A switch leaves on the stack what is wanted again, exchanges stack pointers and
 * goes on on the other side: on x86-64 (coroutine.h) that is where to go on, the
 * compiler sees to the rest; on AArch64 the registers that its procedure call
 * standard preserves.  Sanitizers are told of every change of stack. */
#include "hwsem/workloads/coroutine.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#if (defined __x86_64__ || defined __aarch64__) && !defined COROUTINE_PORTABLE
#define OWN_SWITCH 1
#else
#define OWN_SWITCH 0
#include <ucontext.h>
#endif
#if COROUTINE_SANITIZED
#include <sanitizer/common_interface_defs.h>
#endif
#if COROUTINE_FIBERS
#include <sanitizer/tsan_interface.h>
#endif

enum { STACK_BYTES = 256 * 1024 };

struct coroutine {
  struct coroutine_sides sides; /* first */
  void (*body)(void *context);
  void *context;
  char *stack; /* a page without access, then STACK_BYTES */
  size_t page;
#if !OWN_SWITCH
  ucontext_t self, caller;
#endif
  /* For the sanitizers. */
  const void *caller_stack;
  size_t caller_size;
  void *fiber, *caller_fiber;
};

/* ---- the switch ---- */

#if OWN_SWITCH

/* Where a coroutine begins: calls the function with the argument, which lie on its stack or in
 * the registers that were saved first. */
__attribute__((visibility("hidden"))) void coroutine_begin(void);

#if defined __x86_64__
__asm__(
    ".text\n.type coroutine_begin,@function\n"
    "coroutine_begin:\n  popq %rdi\n  popq %rax\n  callq *%rax\n  ud2\n"
    ".size coroutine_begin, .-coroutine_begin\n"
    ".section .note.GNU-stack,\"\",@progbits\n.text\n");
enum { RETURN_AT = 0, ARGUMENT_AT = 1, FUNCTION_AT = 2, SAVED = 3 }; /* words from the saved stack pointer */
#if !COROUTINE_INLINE
/* As in coroutine.h, with the registers that a call preserves. */
__attribute__((visibility("hidden"))) void coroutine_switch(void **from, void *to);
__asm__(
    ".text\n.type coroutine_switch,@function\n"
    "coroutine_switch:\n"
    "  pushq %rbp\n  pushq %rbx\n  pushq %r12\n  pushq %r13\n  pushq %r14\n  pushq %r15\n"
    "  leaq 1f(%rip), %rax\n  pushq %rax\n"
    "  movq %rsp, (%rdi)\n  movq %rsi, %rsp\n  popq %rax\n  jmpq *%rax\n"
    "1:\n"
    "  popq %r15\n  popq %r14\n  popq %r13\n  popq %r12\n  popq %rbx\n  popq %rbp\n  ret\n"
    ".size coroutine_switch, .-coroutine_switch\n");
#endif
#else
/* Saves the caller's registers on its stack and its stack pointer in *from, and
 * goes on where `to` was saved. */
__attribute__((visibility("hidden"))) void coroutine_switch(void **from, void *to);
__asm__(
    ".text\n.type coroutine_switch,%function\n"
    "coroutine_switch:\n"
    "  sub sp, sp, #160\n"
    "  stp x19, x20, [sp]\n  stp x21, x22, [sp, #16]\n  stp x23, x24, [sp, #32]\n  stp x25, x26, [sp, #48]\n"
    "  stp x27, x28, [sp, #64]\n  stp x29, x30, [sp, #80]\n"
    "  stp d8, d9, [sp, #96]\n  stp d10, d11, [sp, #112]\n  stp d12, d13, [sp, #128]\n  stp d14, d15, [sp, #144]\n"
    "  mov x9, sp\n  str x9, [x0]\n  mov sp, x1\n"
    "  ldp x19, x20, [sp]\n  ldp x21, x22, [sp, #16]\n  ldp x23, x24, [sp, #32]\n  ldp x25, x26, [sp, #48]\n"
    "  ldp x27, x28, [sp, #64]\n  ldp x29, x30, [sp, #80]\n"
    "  ldp d8, d9, [sp, #96]\n  ldp d10, d11, [sp, #112]\n  ldp d12, d13, [sp, #128]\n  ldp d14, d15, [sp, #144]\n"
    "  add sp, sp, #160\n  ret\n"
    ".size coroutine_switch, .-coroutine_switch\n"
    ".type coroutine_begin,%function\n"
    "coroutine_begin:\n  mov x0, x19\n  blr x20\n  brk #0\n"
    ".size coroutine_begin, .-coroutine_begin\n");
enum { ARGUMENT_AT = 0, FUNCTION_AT = 1, RETURN_AT = 11, SAVED = 20 };
#endif
#endif

/* ---- telling the sanitizers ---- */

#if !COROUTINE_INLINE
static void leave_for(void **fake, const void *stack, size_t size) {
#if COROUTINE_SANITIZED
  __sanitizer_start_switch_fiber(fake, stack, size);
#else
  (void)fake, (void)stack, (void)size;
#endif
}
#endif

static void arrive(void *fake, const void **stack, size_t *size) {
#if COROUTINE_SANITIZED
  __sanitizer_finish_switch_fiber(fake, stack, size);
#else
  (void)fake, (void)stack, (void)size;
#endif
}

/* ---- running ---- */

static void run(struct coroutine *c) {
  arrive(NULL, &c->caller_stack, &c->caller_size);
  c->body(c->context);
  c->sides.ended = true;
  coroutine_stop(c);
}

#if OWN_SWITCH

/* Stacks begin at different places of a page: else the frames of all coroutines would
 * want the same few lines of the processor's cache. */
static uintptr_t colour(const struct coroutine *c) {
  return (uintptr_t)c->stack / c->page * 5 % 16 * 256;
}

static void set_up(struct coroutine *c) {
  uintptr_t top = (((uintptr_t)c->stack + c->page + STACK_BYTES) & ~(uintptr_t)15) - colour(c);
  void **frame = (void **)(top - 64) - SAVED; /* after it, the stack pointer is a multiple of 16 */
  void (*entry)(void) = coroutine_begin;
  void (*function)(struct coroutine *) = run;
  memcpy(&frame[RETURN_AT], &entry, sizeof entry);
  memcpy(&frame[FUNCTION_AT], &function, sizeof function);
  frame[ARGUMENT_AT] = c;
  c->sides.self = frame;
}

#if !COROUTINE_INLINE
static void enter(struct coroutine *c) {
  coroutine_switch(&c->sides.caller, c->sides.self);
}

static void leave(struct coroutine *c) {
  coroutine_switch(&c->sides.self, c->sides.caller);
}
#endif

#else

static void begin(unsigned low, unsigned high) {
  run((struct coroutine *)((uintptr_t)low | (uintptr_t)high << 16 << 16));
}

static void set_up(struct coroutine *c) {
  getcontext(&c->self);
  c->self.uc_stack.ss_sp = c->stack + c->page;
  c->self.uc_stack.ss_size = STACK_BYTES;
  uintptr_t self = (uintptr_t)c;
  makecontext(&c->self, (void (*)(void))begin, 2, (unsigned)self, (unsigned)(self >> 16 >> 16));
}

static void enter(struct coroutine *c) {
  swapcontext(&c->caller, &c->self);
}

static void leave(struct coroutine *c) {
  swapcontext(&c->self, &c->caller);
}

#endif

struct coroutine *coroutine_new(void (*body)(void *context), void *context) {
  struct coroutine *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->body = body;
  c->context = context;
  c->page = (size_t)sysconf(_SC_PAGESIZE);
  void *stack = mmap(NULL, c->page + STACK_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (stack == MAP_FAILED) {
    free(c);
    return NULL;
  }
  c->stack = stack;
  mprotect(c->stack, c->page, PROT_NONE);
#if COROUTINE_FIBERS
  c->fiber = __tsan_create_fiber(0);
#endif
  set_up(c);
  return c;
}

void coroutine_free(struct coroutine *c) {
  if (!c) return;
#if COROUTINE_FIBERS
  __tsan_destroy_fiber(c->fiber);
#endif
  munmap(c->stack, c->page + STACK_BYTES);
  free(c);
}

#if !COROUTINE_INLINE

/* The thread sanitizer's side of a switch, just before it. */
static void change_fiber(void *fiber) {
#if COROUTINE_FIBERS
  __tsan_switch_to_fiber(fiber, 0);
#else
  (void)fiber;
#endif
}

bool coroutine_resume(struct coroutine *c) {
  if (c->sides.ended) return false;
  void *fake = NULL;
#if COROUTINE_FIBERS
  c->caller_fiber = __tsan_get_current_fiber();
#endif
  leave_for(&fake, c->stack + c->page, STACK_BYTES);
  change_fiber(c->fiber);
  enter(c);
  arrive(fake, NULL, NULL);
  return !c->sides.ended;
}

void coroutine_stop(struct coroutine *c) {
  void *fake = NULL;
  leave_for(c->sides.ended ? NULL : &fake, c->caller_stack, c->caller_size);
  change_fiber(c->caller_fiber);
  leave(c);
  arrive(fake, &c->caller_stack, &c->caller_size);
}

#endif
