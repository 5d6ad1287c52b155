/* SPDX-License-Identifier: MIT */
/* Executions that stop come from the engine; what is left to ask is whether the
 * reads that are repeated for ever see writes that nothing follows. */
#include "checker/verdict/nontermination.h"


#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/program/program.h"
#include "checker/solve/solve.h"

struct finder {
  struct arena *arena;
  struct nontermination *result;
};

static bool is_maximal(const struct execution *x, unsigned write) {
  return words_empty(x->shape.w, rel_row_const(x->shape, x->co, write));
}

static bool stays(const struct execution *x) {
  for (unsigned r = 0; r < x->shape.n; r++) {
    if (!x->events[r].repeats || x->events[r].kind != EVENT_READ) continue;
    for (unsigned w = 0; w < x->shape.n; w++)
      if (rel_has(x->shape, x->rf, w, r) && !is_maximal(x, w)) return false;
  }
  return true;
}

static bool look(void *context, const struct candidate *candidate) {
  struct finder *f = context;
  const struct execution *x = candidate->execution;
  if (!stays(x)) return true;
  struct event *events = ARENA_COPY(f->arena, struct event, x->events, x->shape.n);
  f->result->events = events;
  f->result->event_count = x->shape.n;
  f->result->found = true;
  return false;
}

/* ---- what ends whatever is read ---- */

/* A barrier of a work-group at which so many of its threads have arrived. */
struct meeting {
  unsigned wg, arrived;
  const struct instr *meet;
};

struct meetings {
  struct arena *arena;
  VEC(struct meeting) all;
};

static bool is_number(const struct expr *e) {
  return e && e->kind == EXPR_CONST;
}

/* May the instruction keep a thread for ever, or is it known of it where? */
static bool is_clear(const struct instr *instr) {
  if (instr->kind == INSTR_MEET)
    return is_number(instr->quorum) && (!instr->resource || is_number(instr->resource)) && !instr->arrive;
  return instr->kind != INSTR_LOCK && instr->kind != INSTR_CALL && instr->kind != INSTR_SYNC && !instr->awaits;
}

/* Does each thread go forward only, and to the same barriers whatever it reads? */
static bool are_barriers_certain(const struct program *program) {
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    unsigned passed = 0; /* nothing before it is left out from here on */
    for (unsigned i = 0; i < thread->instr_count; i++) {
      const struct instr *instr = &thread->instrs[i];
      if (!is_clear(instr) || thread_loop_ends_at(thread, i)) return false;
      if (instr_jumps(instr) && instr->target > passed) passed = instr->target;
      if (instr->kind == INSTR_MEET && i < passed) return false;
    }
  }
  return true;
}

static struct meeting *meeting_at(struct meetings *m, unsigned wg, const struct instr *meet) {
  for (size_t i = m->all.count; i-- > 0;) {
    struct meeting *known = &m->all.at[i];
    bool same = known->wg == wg && known->meet->barrier_label == meet->barrier_label;
    if (same && !known->meet->resource == !meet->resource &&
        (!meet->resource || known->meet->resource->value == meet->resource->value))
      return known;
  }
  struct meeting *added = vec_push(m->arena, &m->all);
  *added = (struct meeting){.wg = wg, .meet = meet};
  return added;
}

/* Goes on from *at to the next barrier that is not passed yet.  Has it moved? */
static bool advance(struct meetings *m, const struct thread *thread, unsigned *at, bool *waits) {
  unsigned from = *at;
  for (; *at < thread->instr_count; ++*at, *waits = false) {
    const struct instr *instr = &thread->instrs[*at];
    if (instr->kind != INSTR_MEET) continue;
    struct meeting *meeting = meeting_at(m, thread->wg, instr);
    if (!*waits) meeting->arrived++;
    *waits = true;
    if (meeting->arrived < instr->quorum->value) break;
  }
  return *at > from;
}

/* Do all threads end in every execution, as can be seen without looking at any?  They have nothing to wait for but each
 * other at barriers that all of them come to: it does not matter in which order they go on. */
static bool ends_surely(struct arena *arena, const struct program *program) {
  struct meetings m = {.arena = arena};
  unsigned *at = ARENA_ARRAY(arena, unsigned, program->thread_count + 1u), ended = 0;
  bool *waits = ARENA_ARRAY(arena, bool, program->thread_count + 1u), moved = true;
  if (!are_barriers_certain(program)) return false;
  while (moved) {
    moved = false;
    ended = 0;
    for (unsigned t = 0; t < program->thread_count; t++) {
      moved |= advance(&m, &program->threads[t], &at[t], &waits[t]);
      ended += at[t] == program->threads[t].instr_count;
    }
  }
  return ended == program->thread_count;
}

struct nontermination nontermination_find(struct arena *arena, const struct litmus_test *test,
                                          const struct cat_model *model, const struct enumerate_options *options) {
  struct nontermination result = {0};
  struct finder finder = {arena, &result};
  struct enumerate_options own = *options;
  struct enumerate_sink sink = {.context = &finder, .consistent = look};
  if (ends_surely(arena, test->program)) return result;
  own.stops = true;
  own.workers = 1;
  result.end = (own.solve ? solve : enumerate)(test, model, &own, &sink, &result.stats);
  if (result.found) result.end = END_DONE;
  return result;
}
