/* SPDX-License-Identifier: MIT */
/* Coroutines: functions that stop in the middle and go on later, each on a stack
 * of its own.
 *
 * A simulated thread is one: it stops at every access to memory until the
 * simulated machine has completed it.  A stop and a resumption cost a few
 * nanoseconds on x86-64 and AArch64, where the switch is a dozen instructions
 * that save what a call preserves; elsewhere it is POSIX's swapcontext, which
 * is right everywhere but asks the kernel for the signal mask each time (250 ns).
 */
#ifndef LITSCOPE_HWSEM_WORKLOADS_COROUTINE_H
#define LITSCOPE_HWSEM_WORKLOADS_COROUTINE_H

#include <stdbool.h>

struct coroutine;

/* A coroutine that will run `body(context)` from its first resumption on.  Its
 * stack is fenced by a page without access.  NULL when there is no memory.
 * Freed with coroutine_free, wherever it has stopped. */
struct coroutine *coroutine_new(void (*body)(void *context), void *context);
void coroutine_free(struct coroutine *coroutine);

/* Runs the coroutine until it stops or ends.  Returns false when it has ended. */
bool coroutine_resume(struct coroutine *coroutine);

/* Within a coroutine: stops it, back to whoever resumed it. */
void coroutine_stop(struct coroutine *coroutine);

#endif
