/* SPDX-License-Identifier: MIT */
/* Running out of memory, without ending anything.
 *
 * Functions of the library do not return when memory runs out: they go back to
 * the innermost guard_run of their thread, which frees what was opened since,
 * and returns false.  Whoever has a boundary guards it: each function of
 * litscope.h, the command line, and every thread that is started, whose starter
 * fails in turn once it has joined it.
 *
 *     static void work(void *context) { ... arena_new, arena_alloc, ... }
 *     if (!guard_run(work, &request)) ... out of memory: as if it had not begun ...
 *
 * Time ends work in the same way, where a thread has been given only so much
 * patience: for readers of texts, whose loops are too many to ask one by one.
 *
 * What is not an arena's is freed on the way when it is owned by the guard:
 * long-lived objects hold a `struct guarded` (arenas, texts in memory, explorers
 * and documents do).  A lock must not be held across what may allocate.
 */
#ifndef LITSCOPE_BASE_OUT_OF_MEMORY_GUARD_H
#define LITSCOPE_BASE_OUT_OF_MEMORY_GUARD_H

#include <stdatomic.h>
#include <stdbool.h>

/* Calls work(context); false: memory ran out on the way.  What the work leaves
 * open is then freed; else it lives on, owned by the guard around this one. */
bool guard_run(void (*work)(void *context), void *context);

/* Goes back to the guard; without one the process aborts. */
void guard_out_of_memory(void) __attribute__((noreturn));

/* Goes back for a reason of the caller's, who knows why. */
void guard_give_up(const char *why) __attribute__((noreturn));

/* Goes back when `memory` is NULL; else returns it. */
void *guard_must(void *memory);

/* From here on this thread's guard_poll, which arenas call when they grow, goes
 * back to the guard when the monotonic clock has passed `until`, or when *cancel
 * is no longer 0; until guard_end_patience, or until it has done so.  `until` 0, or
 * `cancel` NULL: not for this reason. */
void guard_begin_patience(double until, const atomic_int *cancel);
void guard_end_patience(void);

/* Asks the clock now and then; cheap enough for each token of a text. */
void guard_poll(void);

/* The same, and looks at the clock each time: for loops that wait. */
void guard_look(void);

/* Why the last guard_run of this thread came back with false: "out of memory",
 * "time limit met" or "interrupted". */
const char *guard_reason(void);

/* Work of this thread that does not go back, but gives what it has: a search that ended for lack of memory or time, or
 * since it was interrupted.  Another run may come further. */
void guard_note_limit(void);

/* Has this thread met such a limit, in either way, since it was asked last? */
bool guard_met_limit(void);

/* An object that the innermost guard frees, by free_object(object), when memory
 * runs out.  The struct lies within the object or lives as long. */
struct guarded {
  struct guarded *next, **link;
  void (*free_object)(void *object);
  void *object;
};

void guard_own(struct guarded *guarded, void (*free_object)(void *object), void *object);

/* The object is about to be freed by its owner. */
void guard_disown(struct guarded *guarded);

#endif
