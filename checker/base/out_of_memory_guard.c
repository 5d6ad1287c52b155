/* SPDX-License-Identifier: MIT */
/* Guards: a jump buffer for each, and a list of what to free on the way back.
 * The innermost guard is the thread's own, as errno is. */
#include "checker/base/out_of_memory_guard.h"

#include <setjmp.h>
#include <stdlib.h>

#include "checker/base/limit.h"

struct guard {
  jmp_buf back;
  struct guard *outer;
  struct guarded *owned;
};

static _Thread_local struct guard *innermost;
static _Thread_local const char *reason = "out of memory";
static _Thread_local bool met_limit;

static _Thread_local struct {
  bool some; /* of patience, which can end */
  unsigned polls;
  double until;
  const atomic_int *cancel;
} patience;

static void push(struct guarded **list, struct guarded *guarded) {
  guarded->next = *list;
  guarded->link = list;
  if (guarded->next) guarded->next->link = &guarded->next;
  *list = guarded;
}

void guard_own(struct guarded *guarded, void (*free_object)(void *object), void *object) {
  *guarded = (struct guarded){.free_object = free_object, .object = object};
  if (innermost) push(&innermost->owned, guarded);
}

void guard_disown(struct guarded *guarded) {
  if (!guarded->link) return;
  *guarded->link = guarded->next;
  if (guarded->next) guarded->next->link = guarded->link;
  guarded->link = NULL;
}

/* The newest first: an object is freed before what it was made from. */
static void free_owned(struct guard *guard) {
  while (guard->owned) {
    struct guarded *guarded = guard->owned;
    guard_disown(guarded);
    guarded->free_object(guarded->object);
  }
}

/* Results outlive the guard that they were made under. */
static void hand_over(struct guard *guard) {
  while (guard->owned) {
    struct guarded *guarded = guard->owned;
    guard_disown(guarded);
    if (guard->outer) push(&guard->outer->owned, guarded);
  }
}

bool guard_run(void (*work)(void *context), void *context) {
  struct guard guard = {.outer = innermost};
  innermost = &guard;
  bool complete = !setjmp(guard.back);
  if (complete) {
    work(context);
    hand_over(&guard);
  } else {
    free_owned(&guard);
  }
  innermost = guard.outer;
  return complete;
}

void guard_give_up(const char *why) {
  if (!innermost) abort();
  guard_end_patience();
  guard_note_limit();
  reason = why;
  longjmp(innermost->back, 1);
}

void guard_out_of_memory(void) {
  guard_give_up("out of memory");
}

const char *guard_reason(void) {
  return reason;
}

void guard_note_limit(void) {
  met_limit = true;
}

bool guard_met_limit(void) {
  bool met = met_limit;
  met_limit = false;
  return met;
}

/* ---- patience ---- */

enum { POLLS = 256 }; /* to one look at the clock */

void guard_begin_patience(double until, const atomic_int *cancel) {
  patience.some = until > 0 || cancel;
  patience.polls = 0;
  patience.until = until;
  patience.cancel = cancel;
}

void guard_end_patience(void) {
  patience.some = false;
}

void guard_poll(void) {
  if (patience.some && patience.polls++ % POLLS == 0) guard_look();
}

void guard_look(void) {
  if (!patience.some) return;
  if (is_cancelled(patience.cancel)) guard_give_up("interrupted");
  if (deadline_passed(patience.until)) guard_give_up("time limit met");
}

void *guard_must(void *memory) {
  if (!memory) guard_out_of_memory();
  return memory;
}
