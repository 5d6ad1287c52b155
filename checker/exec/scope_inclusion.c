/* SPDX-License-Identifier: MIT */
/* Scopes of events, by the instances that their threads are in. */
#include "checker/exec/scope_inclusion.h"

bool scope_includes(const struct thread *of, enum scope scope, const struct thread *thread) {
  if (scope == SCOPE_NONE) return false;
  return scope == SCOPE_WI ? thread == of : thread_instance(thread, scope) == thread_instance(of, scope);
}

bool scopes_inclusive(const struct program *program, const struct event *a, const struct event *b) {
  if (a->thread < 0 || b->thread < 0) return false;
  const struct thread *s = &program->threads[a->thread], *t = &program->threads[b->thread];
  return scope_includes(s, a->scope, t) && scope_includes(t, b->scope, s);
}
