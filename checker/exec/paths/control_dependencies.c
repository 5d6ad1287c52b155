/* SPDX-License-Identifier: MIT */
/* Postdominators by Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"
 * (2001), on the reversed flow of control; and the arms that a thread is in.
 */
#include "checker/exec/paths/control_dependencies.h"


#include "checker/base/array.h"
#include "checker/base/tags.h"

/* ---- Where arms meet ------------------------------------------------------------------ */

/* The flow of control, reversed: ways lead from an instruction to those before it. */
struct flow {
  const struct thread *thread;
  unsigned count;          /* instructions, and the end */
  unsigned *first, *other; /* lists of jumps by target, of 1 + instruction; 0: none */
  unsigned *order;         /* instructions, the end first, as they are left in a walk */
  unsigned *rank;          /* 1 + place in `order` from its end, by instruction; 0: the end cannot be reached */
  unsigned reached;
};

/* Walks back from the end, without recursion: `first` is eaten up. */
static void walk(struct flow *f, unsigned *stack, bool *seen) {
  unsigned depth = 0;
  stack[depth++] = f->count - 1;
  seen[f->count - 1] = true;
  while (depth) {
    unsigned at = stack[depth - 1], next = f->first[at];
    if (next) {
      f->first[at] = f->other[next - 1];
    } else if (at && f->thread->instrs[at - 1].kind != INSTR_JUMP && !seen[at - 1]) {
      next = at;
    } else {
      f->order[f->reached] = at;
      f->rank[at] = ++f->reached;
      depth--;
      continue;
    }
    if (seen[next - 1]) continue;
    seen[next - 1] = true;
    stack[depth++] = next - 1;
  }
}

static unsigned meet(const struct flow *f, const unsigned *after, unsigned a, unsigned b) {
  while (a != b)
    if (f->rank[a] < f->rank[b])
      a = after[a];
    else
      b = after[b];
  return a;
}

/* The nearest common postdominator of what may come next, as far as is known. */
static unsigned next_of(const struct flow *f, const unsigned *after, unsigned at) {
  const struct instr *instr = &f->thread->instrs[at];
  unsigned next = f->count; /* none yet */
  if (instr->kind != INSTR_JUMP && after[at + 1] < f->count) next = at + 1;
  if (!instr_jumps(instr) || after[instr->target] == f->count) return next;
  return next == f->count ? instr->target : meet(f, after, next, instr->target);
}

/* By instruction, where a branch's arms meet (instr_count: at the thread's end, or
 * never); lives in `arena`.  NULL: the thread has no branch with arms. */
static const unsigned *joins_of(struct arena *arena, const struct thread *thread) {
  struct flow f = {.thread = thread, .count = thread->instr_count + 1};
  bool arms = false;
  for (unsigned i = 0; i < thread->instr_count; i++) arms |= thread->instrs[i].condition != 0;
  if (!arms) return NULL;
  unsigned **arrays[] = {&f.first, &f.other, &f.order, &f.rank}, *after = ARENA_ARRAY(arena, unsigned, f.count);
  for (unsigned i = 0; i < 4; i++) *arrays[i] = ARENA_ARRAY(arena, unsigned, f.count);
  for (unsigned i = 0; i < thread->instr_count; i++) {
    after[i] = f.count;
    if (!instr_jumps(&thread->instrs[i])) continue;
    f.other[i] = f.first[thread->instrs[i].target];
    f.first[thread->instrs[i].target] = i + 1;
  }
  after[thread->instr_count] = thread->instr_count;
  walk(&f, ARENA_ARRAY(arena, unsigned, f.count), ARENA_ARRAY(arena, bool, f.count));
  for (bool changed = true; changed;) {
    changed = false;
    for (unsigned i = f.reached - 1; i-- > 0;) {
      unsigned next = next_of(&f, after, f.order[i]);
      changed |= next != after[f.order[i]];
      after[f.order[i]] = next;
    }
  }
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (after[i] == f.count) after[i] = thread->instr_count;
  return after;
}

/* ---- A thread in arms --------------------------------------------------------------------- */

void arms_start(const struct runner *r, struct thread_state *s) {
  s->joins = joins_of(r->arena, r->thread);
  s->hidden = &no_reads;
  if (!s->joins) return;
  s->begun = ARENA_ARRAY(r->arena, unsigned, r->thread->instr_count);
  s->hidden_in = ARENA_ARRAY(r->arena, const struct reads *, r->thread->reg_count);
  for (unsigned reg = 0; reg < r->thread->reg_count; reg++) s->hidden_in[reg] = &no_reads;
}

void arms_step(struct thread_state *s) {
  if (!s->joins) return;
  for (; s->arms && s->arms->join == s->pc; s->arms = s->arms->outer) {
    s->ctrl = s->arms->ctrl;
    s->hidden = s->arms->hidden;
  }
  s->begun[s->pc] = s->path.event_count;
}

const struct reads *arms_hidden(const struct runner *r, const struct thread_state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST || !s->joins) return &no_reads;
  if (e->kind == EXPR_REG) return s->hidden_in[e->reg];
  const struct reads *a = arms_hidden(r, s, e->a), *b = arms_hidden(r, s, e->b);
  return reads_union(r->arena, reads_union(r->arena, a, b), arms_hidden(r, s, e->c));
}

/* What the named registers of an expression depend on, in every way. */
static const struct reads *named_in(const struct runner *r, const struct thread_state *s, const struct expr *e) {
  if (!e || e->kind == EXPR_CONST) return &no_reads;
  if (e->kind == EXPR_REG) {
    if (!r->thread->reg_names[e->reg]) return &no_reads;
    return reads_union(r->arena, s->dependencies[e->reg], s->hidden_in[e->reg]);
  }
  const struct reads *a = named_in(r, s, e->a), *b = named_in(r, s, e->b);
  return reads_union(r->arena, reads_union(r->arena, a, b), named_in(r, s, e->c));
}

static bool is_own_read(const struct path_event *e) {
  tag_set locks = tag_bit(TAG_LKR) | tag_bit(TAG_LF) | tag_bit(TAG_RL) | tag_bit(TAG_RU);
  return e->event.kind == EVENT_READ && !(e->event.tags & locks);
}

/* Of a condition that began before event `first`: its own reads that it hands on to
 * others of its own, which are where they go (a read-modify-write of C is one event,
 * and takes its operand as a read takes its address). */
static const struct reads *handed_on(const struct runner *r, const struct thread_state *s, unsigned first) {
  const struct reads *all = &no_reads;
  for (unsigned i = first; i < s->path.event_count; i++) {
    const struct path_event *e = &s->path.events[i];
    bool whole = e->event.kind == EVENT_WRITE && e->event.rmw && e->event.order != ORDER_NA;
    if (!is_own_read(e) && !whole) continue;
    for (unsigned k = 0; k < e->addr_count; k++)
      if (e->addr[k] >= first) all = reads_union(r->arena, all, reads_one(r->arena, e->addr[k]));
    for (unsigned k = 0; whole && k < e->data_count; k++)
      if (e->data[k] >= first && e->data[k] != i - 1) all = reads_union(r->arena, all, reads_one(r->arena, e->data[k]));
  }
  return all;
}

void arms_enter(const struct runner *r, struct thread_state *s, const struct instr *branch) {
  unsigned begin = branch->condition - 1, first = s->begun[begin];
  const struct reads *named = &no_reads, *own = &no_reads;
  for (unsigned i = begin; i <= s->pc; i++) {
    const struct instr *instr = &r->thread->instrs[i];
    const struct expr *used[] = {instr->value, instr->address.index, instr->expected_at.index, instr->expected};
    for (unsigned k = 0; k < ARRAY_COUNT(used); k++) named = reads_union(r->arena, named, named_in(r, s, used[k]));
  }
  for (unsigned i = first; i < s->path.event_count; i++)
    if (is_own_read(&s->path.events[i])) own = reads_union(r->arena, own, reads_one(r->arena, i));
  if (!s->arms || s->arms->join != s->joins[s->pc]) {
    struct arms *arms = ARENA_MAKE(r->arena, struct arms, s->joins[s->pc], s->ctrl, s->hidden, s->arms);
    s->arms = arms;
  }
  s->ctrl = reads_union(r->arena, s->ctrl, reads_union(r->arena, named, own));
  s->hidden = reads_union(r->arena, s->hidden, reads_union(r->arena, named, handed_on(r, s, first)));
}
