/* SPDX-License-Identifier: MIT */
/* What alike threads write first is found by following their code; the model's answers are kept by the
 * instructions that they are about.
 */
#include "checker/exec/unfolding/symmetry_first_writes.h"

#include "checker/base/vec.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/exec/unfolding/model_query.h"

/* Alike threads whose first writes are to one location. */
struct group {
  const unsigned *threads; /* ascending */
  unsigned count, location;
  VEC(unsigned) first, writes; /* instructions that may write first, and that may write to the location */
};

struct first_writes {
  struct arena *arena;
  struct asked_model asked;
  const struct group **of;          /* by thread; NULL: none */
  struct query_memo reads, between; /* of a read; of a read-modify-write and its source */
};

/* ---- The code ------------------------------------------------------------------------------- */

enum { MOST_INSTRUCTIONS = 256, MOST_QUESTIONS = 64 }; /* in a thread; about a read */

/* A thread's instructions that can be reached before it has written.  That a compare-and-swap has failed leaves
 * 0 in a register, its own or one that takes the comparison of what it read, and branches after ask for that: what
 * follows is looked at apart from what is reached otherwise. */
struct walk {
  const struct thread *thread;
  bool *seen; /* by instruction, and one more than that which last said that a compare-and-swap failed; 0: none */
  struct step {
    unsigned pc, failed;
  } * todo;
  unsigned count;
  bool *known; /* by register; all false between two steps */
  int64_t *zero;
};

static void walk_to(struct walk *w, unsigned pc, unsigned failed) {
  unsigned count = w->thread->instr_count;
  if (pc >= count || w->seen[pc * (count + 1) + failed]) return;
  w->seen[pc * (count + 1) + failed] = true;
  w->todo[w->count++] = (struct step){pc, failed};
}

static const struct instr *failed_instr(const struct walk *w, struct step at) {
  return at.failed ? &w->thread->instrs[at.failed - 1] : NULL;
}

static bool keeps_old(const struct instr *instr) {
  return instr->kind == INSTR_CAS && instr->returns_old;
}

static void walk_branch(struct walk *w, const struct instr *instr, struct step at) {
  const struct instr *failed = failed_instr(w, at);
  int reg = failed && !keeps_old(failed) ? failed->reg : NO_REG;
  int64_t value;
  if (reg >= 0) w->known[reg] = true;
  bool decided = path_value(instr->value, w->known, w->zero, &value);
  if (reg >= 0) w->known[reg] = false;
  if (!decided || value) walk_to(w, at.pc + 1, at.failed);
  if (!decided || !value) walk_to(w, instr->target, at.failed);
}

static bool is_register(const struct expr *e, int reg) {
  return e->kind == EXPR_REG && (int)e->reg == reg;
}

static bool same_leaf(const struct expr *a, const struct expr *b) {
  return a->kind == b->kind && (a->kind == EXPR_REG ? a->reg == b->reg : a->kind == EXPR_CONST && a->value == b->value);
}

/* Does the instruction ask whether a compare-and-swap succeeded? */
static bool compares(const struct instr *instr, const struct instr *swap) {
  const struct expr *e = instr->value;
  return instr->kind == INSTR_ASSIGN && e->kind == EXPR_EQ && is_register(e->a, swap->reg) &&
         same_leaf(e->b, swap->expected);
}

/* Not by what it returns where one may fail that read what it expected. */
static bool says_failed(const struct instr *swap) {
  return swap->reg >= 0 && !(swap->returns_old && (swap->weak || !swap->expected));
}

/* Which instruction says after this one that one has failed? */
static unsigned failed_after(const struct walk *w, const struct instr *instr, struct step at) {
  const struct instr *failed = failed_instr(w, at);
  if (instr->kind == INSTR_CAS) return says_failed(instr) ? at.pc + 1 : 0;
  if (!failed || instr->reg < 0) return at.failed;
  if (keeps_old(failed) && compares(instr, failed)) return at.pc + 1;
  bool lost = instr->reg == failed->reg || (keeps_old(failed) && is_register(failed->expected, instr->reg));
  return lost ? 0 : at.failed;
}

static void walk_on(struct walk *w, struct step at) {
  const struct instr *instr = &w->thread->instrs[at.pc];
  if (instr->kind == INSTR_STORE || instr->kind == INSTR_RMW) return;
  if (instr->kind == INSTR_BRANCH)
    walk_branch(w, instr, at);
  else
    walk_to(w, instr->kind == INSTR_JUMP ? instr->target : at.pc + 1, failed_after(w, instr, at));
}

static void walk(struct arena *arena, const struct thread *t, struct walk *w) {
  size_t most = (size_t)t->instr_count * (t->instr_count + 1);
  *w = (struct walk){.thread = t,
                     .seen = ARENA_ARRAY(arena, bool, most),
                     .todo = ARENA_ARRAY(arena, struct step, most),
                     .known = ARENA_ARRAY(arena, bool, t->reg_count),
                     .zero = ARENA_ARRAY(arena, int64_t, t->reg_count)};
  walk_to(w, 0, 0);
  while (w->count) walk_on(w, w->todo[--w->count]);
}

static bool is_reached(const struct walk *w, unsigned pc) {
  unsigned count = w->thread->instr_count;
  for (unsigned failed = 0; failed <= count; failed++)
    if (w->seen[pc * (count + 1) + failed]) return true;
  return false;
}

/* Notes the location to which all first writes are.  false: there is none, or more than one. */
static bool find_first(struct arena *arena, const struct program *program, const struct walk *w, struct group *g) {
  unsigned found = 0;
  for (unsigned x = 0; x < program->location_count; x++) {
    bool written = false;
    for (unsigned i = 0; i < w->thread->instr_count; i++) {
      if (!is_reached(w, i) || !instr_writes(program, &w->thread->instrs[i], x)) continue;
      written = true;
      *vec_push(arena, &g->first) = i;
    }
    if (written) g->location = x;
    found += written;
  }
  return found == 1;
}

static bool follow_code(struct arena *arena, const struct program *program, struct group *g) {
  const struct thread *t = &program->threads[g->threads[0]];
  struct walk w;
  if (t->instr_count > MOST_INSTRUCTIONS) return false;
  walk(arena, t, &w);
  if (!find_first(arena, program, &w, g)) return false;
  for (unsigned i = 0; i < t->instr_count; i++)
    if (instr_writes(program, &t->instrs[i], g->location)) *vec_push(arena, &g->writes) = i;
  return g->first.count * g->first.count * (g->writes.count + 1) <= MOST_QUESTIONS;
}

struct first_writes *first_writes_new(struct arena *arena, const struct litmus_test *test,
                                      const struct cat_model *model, struct search_control *control) {
  const struct symmetry *symmetry = control->options->symmetry;
  struct first_writes *f = ARENA_NEW(arena, struct first_writes);
  bool some = false;
  *f = (struct first_writes){.arena = arena, .asked = {test, model, control}};
  f->of = ARENA_ARRAY(arena, const struct group *, test->program->thread_count);
  for (unsigned i = 0; symmetry && !test->program->kernel_count && i < symmetry_classes(symmetry); i++) {
    struct group *g = ARENA_NEW(arena, struct group);
    g->threads = symmetry_threads(symmetry, i, &g->count);
    if (!follow_code(arena, test->program, g)) continue;
    for (unsigned k = 0; k < g->count; k++) f->of[g->threads[k]] = g;
    some = true;
  }
  return some ? f : NULL;
}

/* ---- Questions --------------------------------------------------------------------------- */

static struct query_event add_event(struct model_query *q, struct event event) {
  return query_add(q, (struct path_event){.event = event});
}

static struct event write_of(const struct first_writes *f, const struct group *g, int thread, unsigned instr) {
  return path_write(f->asked.test->program, (unsigned)thread, instr, g->location, false);
}

/* First writes of a read's thread and of another one, perhaps with a later one. */
struct first_pair {
  unsigned own, other;
  int thread; /* of the other */
  const unsigned *later;
};

/* A read, a first write after it in its thread, or half of one read-modify-write with it, and a first write of
 * another thread, perhaps with a later one: does it not see the last of these? */
static bool hides_from(const struct first_writes *f, const struct group *g, struct event read, struct first_pair p) {
  struct model_query q = query_new(&f->asked);
  struct query_event r = add_event(&q, read), w = add_event(&q, write_of(f, g, read.thread, p.own));
  struct query_event seen = add_event(&q, write_of(f, g, p.thread, p.other));
  query_orders(&q, seen, w);
  if (p.later) seen = add_event(&q, write_of(f, g, p.thread, *p.later));
  query_reads(&q, r, seen);
  return query_is_rejected(&q);
}

/* The read of a compare-and-swap that is still to succeed becomes half of a read-modify-write. */
static bool hides_after(const struct first_writes *f, const struct group *g, struct event read, struct first_pair p) {
  if (!hides_from(f, g, read, p)) return false;
  if (read.instr != (int)p.own) return true;
  read = path_access(f->asked.test->program, (unsigned)read.thread, p.own, g->location, EVENT_READ);
  read.rmw = true;
  return hides_from(f, g, read, p);
}

static bool hides(const struct first_writes *f, const struct group *g, struct event read, int thread) {
  for (size_t i = 0; i < g->first.count; i++)
    for (size_t k = 0; k < g->first.count; k++) {
      struct first_pair p = {g->first.at[i], g->first.at[k], thread, NULL};
      if (!hides_after(f, g, read, p)) return false;
      for (size_t l = 0; l < g->writes.count; l++) {
        p.later = &g->writes.at[l];
        if (!hides_after(f, g, read, p)) return false;
      }
    }
  return true;
}

/* Does no first write of a thread stand between a read-modify-write and its source, an event of no thread or of
 * another one? */
static bool keeps_out(const struct first_writes *f, const struct group *g, int thread, const struct event *read,
                      const struct event *source) {
  for (size_t i = 0; i < g->first.count; i++) {
    struct model_query q = query_new(&f->asked);
    struct query_event from = source->thread < 0 ? (struct query_event){-1, 0} : add_event(&q, *source);
    struct query_event w = add_event(&q, write_of(f, g, thread, g->first.at[i])), r = add_event(&q, read[0]);
    struct query_event half = add_event(&q, read[1]);
    query_reads(&q, r, from);
    query_orders(&q, half, w);
    if (source->thread >= 0) query_orders(&q, w, from);
    if (!query_is_rejected(&q)) return false;
  }
  return true;
}

/* ---- Entry ------------------------------------------------------------------------------- */

bool first_writes_hide(struct first_writes *f, const struct structure *s, unsigned read, unsigned thread) {
  const struct event *event = &s->events[read];
  if (!f || (int)thread <= event->thread) return false;
  const struct group *g = f->of[event->thread];
  if (!g || f->of[thread] != g || event->location != (int)g->location || event->rmw) return false;
  if (structure_writes(s, (unsigned)event->thread)) return false;
  /* Threads of a group are alike: one read's answer is that of all. */
  const int64_t key[QUERY_KEY] = {g->threads[0], event->instr, event->order, event->order_open};
  struct query_answer *answer = query_find(f->arena, &f->reads, key);
  if (!answer->known) answer->rejected = hides(f, g, *event, (int)thread);
  return answer->rejected;
}

/* `read`: of a read-modify-write, of which `source` is what it sees. */
static bool stays_out(struct first_writes *f, const struct structure *s, const struct group *g, unsigned thread,
                      unsigned read, unsigned source) {
  const struct event *r = &s->events[read], *w = &s->events[source];
  const int64_t key[QUERY_KEY] = {g->threads[0], r->thread,    r->instr, w->thread, w->thread < 0 ? 0 : w->instr,
                                  r->order,      r->order_open};
  struct query_answer *answer = query_find(f->arena, &f->between, key);
  if (!answer->known) answer->rejected = keeps_out(f, g, (int)thread, r, w);
  return answer->rejected;
}

/* Do read-modify-writes, each of which reads from the one before, lead from the initial write to this write? */
static bool is_full(struct first_writes *f, const struct frames *all, const struct frame *frame, const struct group *g,
                    unsigned thread, unsigned write) {
  const struct structure *s = all->structure;
  for (unsigned steps = 0; steps < all->shape.n; steps++) {
    const struct event *w = &s->events[write];
    if (w->thread < 0) return true;
    if (!w->rmw || !frame_decided(all, frame, write - 1)) return false;
    unsigned source = frame_source(all, frame, write - 1);
    if (s->events[source].thread == w->thread || !stays_out(f, s, g, thread, write - 1, source)) return false;
    write = source;
  }
  return false;
}

bool first_writes_shut_out(struct first_writes *f, const struct frames *all, const struct frame *frame) {
  const struct structure *s = all->structure;
  for (unsigned t = 0; f && t < all->structure->execution.program->thread_count; t++) {
    const struct group *g = f->of[t];
    if (!g || s->ended[t] || structure_writes(s, t)) continue;
    for (unsigned i = 0; i < g->count; i++) {
      unsigned later = g->threads[i];
      if (later <= t || !structure_writes(s, later)) continue;
      if (is_full(f, all, frame, g, t, s->offset[later] + path_first_write(s->paths[later]))) return true;
    }
  }
  return false;
}
