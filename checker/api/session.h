/* SPDX-License-Identifier: MIT */
/* Sessions, and the boundary that every function of litscope.h stands on: work
 * is done under a guard (base/out_of_memory_guard.h), with diagnostics that become the
 * session's messages.
 */
#ifndef LITSCOPE_API_SESSION_H
#define LITSCOPE_API_SESSION_H

#include <stdatomic.h>

#include "checker/api/litscope.h"
#include "checker/base/arena.h"
#include "checker/base/diag.h"

enum { API_DONE = 0, API_BAD = 2, API_LIMIT = 3 };

/* What a function works on; `work` sets `result`, an object in an arena of its
 * own, or adds errors. */
struct api_call {
  litscope *session;
  void (*work)(struct api_call *call);
  const void *arguments;
  void *result;
  struct arena *object; /* where the work makes the result; freed when there is none, after messages have quoted it */
  bool limited;         /* the work sets it: a limit was reached */
  struct diags diags;
  struct arena *last; /* for messages */
};

/* Runs the work and leaves messages and status in the session.  Returns the
 * result; NULL when there are errors, memory ran out, or the session was
 * cancelled while it read something. */
void *api_run(litscope *session, void (*work)(struct api_call *call), const void *arguments);

/* Not 0 once the session is cancelled. */
const atomic_int *api_cancelled(const litscope *session);

/* Around what reads texts: there, too, the work ends when the session is cancelled. */
void api_begin_reading(const struct api_call *call);
void api_end_reading(void);

/* Folders to search for a kind of file ("models", "mappings"), in `arena`. */
const char *const *api_folders(const litscope *session, struct arena *arena, const char *kind, unsigned *count);

#endif
