/* SPDX-License-Identifier: MIT */
/* Barriers with nothing between them, joined into one.
 *
 * Where all who come to a barrier come straight from another one of the same kind, at which just they met, the
 * second one orders nothing that the first does not, and holds up nobody: it is left out.  Loops over
 * barriers of which other work-items alone do something leave many of those. */
#include "checker/spirv/kernel_internal.h"

enum { MOST_STOPS = 20000, NONE = -1, MIXED = -2 };

/* One barrier of a work-group, as its work-items come to it. */
struct stop_kind {
  unsigned wg;
  const struct instr *meet, *fence; /* of one of them; fence: NULL: none */
  unsigned count;
  int before, after; /* the kind that all come from, and go to, with nothing between */
};

struct barrier_stop {
  unsigned thread, at; /* its first instruction */
  int kind;
};

struct joining {
  struct kernel_code *k;
  struct program *program;
  VEC(struct stop_kind) kinds;
  VEC(struct barrier_stop) stops;
};

static bool is_constant(const struct expr *e) {
  return !e || e->kind == EXPR_CONST;
}

static bool same_constant(const struct expr *a, const struct expr *b) {
  return a && b ? a->value == b->value : a == b;
}

static const struct instr *fence_behind(const struct thread *thread, unsigned at) {
  const struct instr *next = at + 1 < thread->instr_count ? &thread->instrs[at + 1] : NULL;
  return next && next->kind == INSTR_BARRIER ? next : NULL;
}

/* Do they do the same, for the same number of work-items? */
static bool are_alike(const struct stop_kind *a, const struct stop_kind *b) {
  const struct instr *x = a->meet, *y = b->meet;
  if (x->tags != y->tags || x->order != y->order || x->scope != y->scope) return false;
  if (!same_constant(x->quorum, y->quorum) || !a->fence != !b->fence) return false;
  return !a->fence || (a->fence->regions == b->fence->regions && a->fence->scope == b->fence->scope);
}

static int kind_of(struct joining *j, unsigned wg, const struct instr *meet, const struct instr *fence) {
  for (size_t i = j->kinds.count; i-- > 0;) { /* those of other threads come in the same order */
    const struct stop_kind *k = &j->kinds.at[i];
    if (k->wg == wg && k->meet->barrier_label == meet->barrier_label &&
        same_constant(k->meet->resource, meet->resource))
      return (int)i;
  }
  *vec_push(j->k->arena, &j->kinds) =
      (struct stop_kind){.wg = wg, .meet = meet, .fence = fence, .before = NONE, .after = NONE};
  return (int)j->kinds.count - 1;
}

static bool *find_targets(struct joining *j, const struct thread *thread) {
  bool *targets = ARENA_ARRAY(j->k->arena, bool, thread->instr_count + 1u);
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (instr_jumps(&thread->instrs[i])) targets[thread->instrs[i].target] = true;
  return targets;
}

/* Notes a neighbour that each of a kind has. */
static void note(int *of, int kind, bool first) {
  *of = first || *of == kind ? kind : MIXED;
}

/* The stops of a thread; `last`: the one before with nothing in between. */
static void add_thread(struct joining *j, unsigned number) {
  const struct thread *thread = &j->program->threads[number];
  const bool *targets = find_targets(j, thread);
  int last = NONE;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (targets[i]) last = NONE;
    bool known = instr->kind == INSTR_MEET && is_constant(instr->resource) && is_constant(instr->quorum);
    if (instr->kind == INSTR_ASSIGN) continue;
    if (!known) {
      last = NONE;
      continue;
    }
    const struct instr *fence = fence_behind(thread, i);
    int kind = kind_of(j, thread->wg, instr, fence);
    struct stop_kind *k = &j->kinds.at[kind];
    *vec_push(j->k->arena, &j->stops) = (struct barrier_stop){number, i, kind};
    note(&k->before, last, !k->count);
    if (last != NONE) j->kinds.at[last].after = j->kinds.at[last].after == NONE ? kind : j->kinds.at[last].after;
    k->count++;
    last = kind;
    if (fence && targets[++i]) last = NONE;
  }
}

/* Is a kind as good as the one that all its stops come from?  As many came to that one: each went on to here. */
static bool is_needless(const struct joining *j, int kind) {
  const struct stop_kind *k = &j->kinds.at[kind], *before = k->before >= 0 ? &j->kinds.at[k->before] : NULL;
  return before && before != k && before->count == k->count && before->after == kind && are_alike(before, k);
}

static void leave_out(struct joining *j, const bool *needless) {
  size_t next = 0;
  for (unsigned t = 0; t < j->program->thread_count; t++) {
    struct thread *thread = &j->program->threads[t];
    bool *gone = ARENA_ARRAY(j->k->arena, bool, thread->instr_count + 1u);
    for (; next < j->stops.count && j->stops.at[next].thread == t; next++) {
      const struct barrier_stop *stop = &j->stops.at[next];
      if (!needless[stop->kind]) continue;
      gone[stop->at] = true;
      if (j->kinds.at[stop->kind].fence) gone[stop->at + 1] = true;
    }
    thread_leave_out(j->k->arena, thread, gone);
  }
}

void barriers_join(struct kernel_code *k, struct program *program) {
  struct joining j = {.k = k, .program = program};
  for (unsigned t = 0; t < program->thread_count; t++) {
    add_thread(&j, t);
    if (j.stops.count > MOST_STOPS) return;
  }
  bool *needless = ARENA_ARRAY(k->arena, bool, j.kinds.count + 1u), some = false;
  for (size_t i = 0; i < j.kinds.count; i++) some |= needless[i] = is_needless(&j, (int)i);
  if (some) leave_out(&j, needless);
}
