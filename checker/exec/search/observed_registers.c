/* SPDX-License-Identifier: MIT */
/* For each instruction that reads and each register, the instruction that sets the
 * register to what was read: found by following registers without a name, which
 * belong to one statement. */
#include "checker/exec/search/observed_registers.h"

#include "checker/base/array.h"

enum { NOWHERE = -1 };

struct observed_thread {
  unsigned reg_count;
  int *into;   /* by reading instruction and register: the instruction that sets it, or NOWHERE */
  bool *asked; /* by register: the states or the filter name it */
  bool *noted; /* by register: observed_note */
  int *last;   /* by register: the last instruction in the text that sets it, or NOWHERE */
};

struct observed {
  const struct litmus_test *test;
  struct observed_thread *threads;
};

static bool is_other(void *context, unsigned reg) {
  return (int)reg != *(const int *)context;
}

static bool mentions(const struct expr *e, int reg) {
  return !expr_registers(e, is_other, &reg);
}

static bool uses(const struct instr *instr, int reg) {
  return mentions(instr->value, reg) || mentions(instr->expected, reg) || mentions(instr->address.index, reg);
}

static bool reads(const struct instr *instr) {
  return instr_is_access(instr) && instr->kind != INSTR_STORE;
}

/* Does the next instruction only make what `reg` was given fit its type?  Then it is the one that sets it. */
static bool is_fitted(const struct thread *thread, int reg, unsigned at) {
  if (at + 1 >= thread->instr_count) return false;
  const struct instr *instr = &thread->instrs[at], *next = instr + 1;
  return next->kind == INSTR_ASSIGN && next->reg == reg && mentions(next->value, reg) &&
         next->span.at == instr->span.at && next->span.length == instr->span.length;
}

/* What goes into `reg` at instruction `at` goes on, where that has no name, to what is set from it. */
static void follow(const struct thread *thread, int *into, int reg, unsigned at) {
  if (reg == NO_REG || into[reg] != NOWHERE) return;
  if (is_fitted(thread, reg, at)) at++;
  into[reg] = (int)at;
  if (thread->reg_names[reg]) return;
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (i != at && uses(&thread->instrs[i], reg)) follow(thread, into, thread->instrs[i].reg, i);
}

static void prepare(struct arena *arena, const struct thread *thread, struct observed_thread *o) {
  size_t cells = (size_t)thread->instr_count * thread->reg_count;
  *o = (struct observed_thread){.reg_count = thread->reg_count,
                                .into = ARENA_ARRAY(arena, int, cells + 1),
                                .asked = ARENA_ARRAY(arena, bool, thread->reg_count + 1),
                                .noted = ARENA_ARRAY(arena, bool, thread->reg_count + 1),
                                .last = ARENA_ARRAY(arena, int, thread->reg_count + 1)};
  for (size_t i = 0; i < cells; i++) o->into[i] = NOWHERE;
  for (unsigned r = 0; r < thread->reg_count; r++) o->last[r] = NOWHERE;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (instr->reg != NO_REG) o->last[instr->reg] = (int)i;
    if (reads(instr)) follow(thread, o->into + (size_t)i * thread->reg_count, instr->reg, i);
  }
}

static void ask(const struct observed *o, struct observable what) {
  if (what.thread >= 0) o->threads[what.thread].asked[what.index] = true;
}

static void ask_prop(const struct observed *o, const struct prop *prop) {
  if (!prop) return;
  if (prop->kind == PROP_COMPARE && !prop->left.constant) ask(o, prop->left.what);
  if (prop->kind == PROP_COMPARE && !prop->right.constant) ask(o, prop->right.what);
  for (unsigned i = 0; i < prop->addend_count; i++) ask(o, prop->addends[i].what);
  ask_prop(o, prop->a);
  ask_prop(o, prop->b);
}

struct observed *observed_new(struct arena *arena, const struct litmus_test *test) {
  struct observed *o =
      ARENA_MAKE(arena, struct observed, .test = test,
                 .threads = ARENA_ARRAY(arena, struct observed_thread, test->program->thread_count + 1));
  for (unsigned t = 0; t < test->program->thread_count; t++) prepare(arena, &test->program->threads[t], &o->threads[t]);
  for (unsigned i = 0; i < test->observable_count; i++) ask(o, test->observables[i]);
  ask_prop(o, test->condition);
  ask_prop(o, test->filter);
  return o;
}

/* ---- Of one execution ------------------------------------------------------------ */

/* How many reads one passage of the instruction makes. */
static unsigned reads_of(const struct instr *instr) {
  return instr->kind == INSTR_CAS && instr->expected_in_memory ? 2 : 1;
}

/* Does the read, which `later` of the same instruction follow in its thread, reach a register asked for? */
static bool is_kept(const struct observed *o, const struct event *e, unsigned later) {
  const struct observed_thread *thread = &o->threads[e->thread];
  if (later >= reads_of(&o->test->program->threads[e->thread].instrs[e->instr])) return false;
  const int *into = thread->into + (size_t)e->instr * thread->reg_count;
  for (unsigned r = 0; r < thread->reg_count; r++)
    if (thread->asked[r] && into[r] != NOWHERE && into[r] == thread->last[r]) return true;
  return false;
}

bool observed_all(const struct observed *o, const struct execution *x) {
  for (unsigned e = 0; e < x->shape.n; e++) {
    const struct event *event = &x->events[e];
    if (event->kind != EVENT_READ || event->thread < 0) continue;
    unsigned later = 0;
    for (unsigned f = e + 1; f < x->shape.n && x->events[f].thread == event->thread; f++)
      later += x->events[f].kind == EVENT_READ && x->events[f].instr == event->instr;
    if (!is_kept(o, event, later)) return false;
  }
  return true;
}

/* ---- Of all executions ------------------------------------------------------------ */

void observed_note(struct observed *o, const struct execution *x) {
  ARRAY_EACH (const struct event, event, x->events, x->shape.n) {
    if (event->kind != EVENT_READ || event->thread < 0) continue;
    struct observed_thread *thread = &o->threads[event->thread];
    const int *into = thread->into + (size_t)event->instr * thread->reg_count;
    for (unsigned r = 0; r < thread->reg_count; r++) thread->noted[r] |= into[r] != NOWHERE;
  }
}

const struct litmus_test *observed_test(struct arena *arena, const struct observed *o) {
  const struct litmus_test *test = o->test;
  struct litmus_test *other = ARENA_NEW(arena, struct litmus_test);
  unsigned all, count = 0;
  struct observable *of_program = observables_all(arena, test->program, &all);
  struct observable *at = ARENA_ARRAY(arena, struct observable, all + 1);
  unsigned *whole = ARENA_ARRAY(arena, unsigned, all + 1);
  for (unsigned i = 0; i < all; i++)
    if (of_program[i].thread >= 0 && o->threads[of_program[i].thread].noted[of_program[i].index])
      at[count++] = of_program[i];
  for (unsigned i = 0; i < test->observable_count; i++) {
    if (test->observables[i].thread >= 0) continue;
    if (test->whole) whole[count] = test->whole[i];
    at[count++] = test->observables[i];
  }
  *other = *test;
  other->observables = at;
  other->observable_count = count;
  other->whole = whole;
  return other;
}
