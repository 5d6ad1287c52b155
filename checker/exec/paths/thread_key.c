/* SPDX-License-Identifier: MIT */
/* What thread_resume and what follows it look at, in the order of struct thread_state.  An iteration counts as long as
 * it may still turn out to have changed nothing. */
#include "checker/exec/paths/thread_key.h"

#include "checker/exec/paths/control_dependencies.h"
#include "checker/exec/paths/thread_state.h"
#include "checker/program/shared_subexpressions.h"

/* ---- Loops ------------------------------------------------------------------------------- */

struct loop *loops_of(struct arena *arena, const struct thread *thread) {
  unsigned count = thread->instr_count;
  struct loop *loops = ARENA_ARRAY(arena, struct loop, count + 1);
  for (unsigned i = 0; i < count; i++)
    loops[i] = thread_loop_ends_at(thread, i) ? (struct loop){thread->instrs[i].target, i} : (struct loop){1, 0};
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < count; i++)
      for (unsigned k = 0; k < count; k++) {
        struct loop *a = &loops[i], *b = &loops[k];
        if (!(a->first < b->first && b->first <= a->last && a->last < b->last)) continue;
        a->last = b->last;
        b->first = a->first;
        again = true;
      }
  }
  return loops;
}

static bool is_around(const struct loop *loop, unsigned instr) {
  return loop->first <= instr && instr <= loop->last;
}

/* A loop begins afresh in each round of one around it: back from the last jump, only those of wider and wider loops. */
uint64_t loops_rounds(const struct loop *loops, const struct path *path, unsigned instr, unsigned count) {
  const struct loop *widest = NULL;
  uint64_t hash = 0;
  for (unsigned k = path->jump_count; k-- > 0;) {
    const struct loop *loop = &loops[path->jumps[k].from];
    if (path->jumps[k].before > count || !is_around(loop, instr)) continue;
    if (widest && (loop->first > widest->first || loop->last < widest->last)) continue;
    widest = loop;
    hash = hash_bytes((const uint64_t[]){hash, loop->first, loop->last}, 3 * sizeof(uint64_t));
  }
  return hash;
}

/* ---- Words --------------------------------------------------------------------------------- */

enum { NO_NUMBER = UINT32_MAX, PUT_BEFORE = UINT32_MAX };

struct keying {
  struct arena *arena;
  const struct keyed_thread *of;
  const struct thread_state *s;
  const unsigned *numbers;
  bool *matters; /* by event: what is known of its value may still tell */
  struct thread_key key;
  struct shared_subexpressions values; /* operations that have been put */
};

static void put(struct keying *k, uint64_t what) {
  *vec_push(k->arena, &k->key) = what;
}

/* Has the operation been put?  Then its number is. */
static bool put_again(struct keying *k, const struct expr *e) {
  bool again;
  uint32_t number = shared_subexpression(&k->values, e, &again);
  if (!again) return false;
  put(k, PUT_BEFORE);
  put(k, number);
  return true;
}

static void put_value(struct keying *k, const struct expr *e) {
  if (e && e->a && put_again(k, e)) return;
  put(k, e ? (uint64_t)e->kind + 1 : 0);
  if (!e) return;
  if (e->kind == EXPR_CONST) {
    put(k, (uint64_t)e->value);
  } else if (e->kind == EXPR_REG) {
    k->matters[e->reg] = true;
    put(k, k->numbers[e->reg]);
  } else {
    put_value(k, e->a);
    put_value(k, e->b);
    put_value(k, e->c);
  }
}

static void put_reads(struct keying *k, const struct reads *reads) {
  put(k, reads ? reads->count : UINT64_MAX);
  for (unsigned i = 0; reads && i < reads->count; i++) put(k, k->numbers[reads->at[i]]);
}

static void put_event(struct keying *k, unsigned event) {
  bool there = event < k->s->path.event_count;
  if (there) k->matters[event] = true;
  put(k, there ? k->numbers[event] : NO_NUMBER);
  if (there && k->s->path.events[event].event.kind == EVENT_WRITE) put_value(k, k->s->path.events[event].value);
}

/* ---- What there is of a thread ---------------------------------------------------------------- */

static void put_place(struct keying *k) {
  const struct thread_state *s = k->s;
  put(k, s->pc);
  put(k, loops_rounds(k->of->loops, &s->path, s->pc, s->path.event_count));
  put(k, s->launch ? k->numbers[s->launch - 1] : NO_NUMBER);
  put(k, s->kernel);
  put(k, (uint64_t)s->pinned[0]);
  put(k, (uint64_t)s->pinned[1]);
  put(k, s->divisions_checked);
  put(k, s->path.busy);
  put(k, s->path.ways);
}

/* What the instruction has done already. */
static void put_begun(struct keying *k) {
  const struct path *path = &k->s->path;
  for (unsigned i = path->event_count; i > 0 && path->events[i - 1].event.instr == (int)k->s->pc; i--)
    put_event(k, i - 1);
}

static void put_counters(struct keying *k) {
  for (unsigned i = 0; i < k->of->thread->instr_count; i++) {
    if (!is_around(&k->of->loops[i], k->s->pc)) continue;
    put(k, k->s->taken[i]);
    put(k, k->s->failed[i]);
  }
  for (unsigned i = 0; i <= k->of->program->barrier_label_count; i++) put(k, k->s->rounds[i]);
}

static void put_registers(struct keying *k) {
  const struct thread *thread = k->of->thread;
  const bool *live = &k->of->live[(size_t)k->s->pc * thread->reg_count];
  for (unsigned reg = 0; reg < thread->reg_count; reg++) {
    if (!live[reg]) continue;
    put_value(k, k->s->path.registers[reg]);
    if (k->of->dependencies || k->of->ctrl) put_reads(k, k->s->dependencies[reg]);
    if (k->of->ctrl && k->s->joins) put_reads(k, k->s->hidden_in[reg]);
  }
}

static void put_arms(struct keying *k) {
  const struct thread *thread = k->of->thread;
  if (!k->of->ctrl) return;
  put_reads(k, k->s->ctrl);
  put_reads(k, k->s->host_ctrl);
  if (!k->s->joins) return;
  put_reads(k, k->s->hidden);
  for (const struct arms *arms = k->s->arms; arms; arms = arms->outer) {
    put(k, arms->join);
    put_reads(k, arms->ctrl);
    put_reads(k, arms->hidden);
  }
  for (unsigned i = k->s->pc; i < thread->instr_count; i++) {
    unsigned begin = thread->instrs[i].condition;
    if (begin && begin - 1 <= k->s->pc) put_event(k, k->s->begun[begin - 1]);
  }
}

/* ---- Iterations ---------------------------------------------------------------------------------- */

/* Has it changed something, whatever follows? */
static bool is_spoilt(const struct path *path, const struct iteration *round) {
  for (unsigned i = round->first; i < path->event_count; i++) {
    const struct event *event = &path->events[i].event;
    bool looks = event->kind == EVENT_READ || event->kind == EVENT_FENCE || event->kind == EVENT_MEET ||
                 event->kind == EVENT_MARK;
    if (!looks && !(event->kind == EVENT_WRITE && event->rmw)) return true;
  }
  return false;
}

/* A register that a round must bring back to where it was: of those that nobody uses, only whether it can. */
static void put_start(struct keying *k, const struct iteration *round, unsigned reg, bool used) {
  const struct expr *before = round->registers[reg];
  put(k, before == k->s->path.registers[reg]);
  put(k, before->kind == EXPR_REG && before->reg + 1 == round->first);
  if (used || before->kind == EXPR_CONST)
    put_value(k, before);
  else
    put(k, NO_NUMBER);
  if (k->of->dependencies)
    put_reads(k, round->dependencies[reg]);
  else
    put(k, round->dependencies[reg]->count == 0);
}

static void put_round(struct keying *k, unsigned head, const struct iteration *round) {
  const struct path *path = &k->s->path;
  const struct thread *thread = k->of->thread;
  put(k, head);
  put(k, round->failed);
  put(k, round->follows);
  for (unsigned i = round->follows ? round->before : round->first; i < path->event_count; i++) put_event(k, i);
  for (unsigned reg = 0; reg < thread->reg_count; reg++)
    if (round->live[reg]) put_start(k, round, reg, k->of->live[(size_t)head * thread->reg_count + reg]);
  for (unsigned i = round->conditions; i < path->condition_count; i++) {
    put(k, path->conditions[i].nonzero);
    put_value(k, path->conditions[i].value);
  }
}

/* May the thread come back there? */
static bool comes_to(const struct keying *k, unsigned head) {
  bool comes = head > k->s->pc;
  for (unsigned i = 0; i < k->of->thread->instr_count; i++)
    comes |= is_around(&k->of->loops[i], k->s->pc) && is_around(&k->of->loops[i], head);
  return comes;
}

static void put_rounds(struct keying *k, const struct iteration *const *rounds) {
  for (unsigned head = 0; rounds && head < k->of->thread->instr_count; head++)
    if (rounds[head] && comes_to(k, head) && !is_spoilt(&k->s->path, rounds[head])) put_round(k, head, rounds[head]);
  put(k, NO_NUMBER);
}

/* ---- What is known ------------------------------------------------------------------------------- */

/* Conditions on what matters, and on what they compare that with. */
static void put_conditions(struct keying *k) {
  const struct path *path = &k->s->path;
  bool *known = ARENA_ARRAY(k->arena, bool, path->condition_count + 1);
  for (bool again = true; again;) {
    again = false;
    for (unsigned i = 0; i < path->condition_count; i++) {
      if (known[i] || !expr_names_marked(path->conditions[i].value, k->matters)) continue;
      expr_mark_registers(path->conditions[i].value, k->matters);
      known[i] = again = true;
    }
  }
  for (unsigned i = 0; i < path->condition_count; i++) {
    if (!known[i]) continue;
    put(k, path->conditions[i].nonzero);
    put_value(k, path->conditions[i].value);
  }
}

struct thread_key thread_key_of(struct arena *arena, const struct keyed_thread *of, const struct thread_state *open,
                                const unsigned *numbers) {
  struct keying k = {.arena = arena, .of = of, .s = open, .numbers = numbers, .values.arena = arena};
  k.matters = ARENA_ARRAY(arena, bool, open->path.event_count + 1);
  put_place(&k);
  put_begun(&k);
  put_counters(&k);
  put_registers(&k);
  put_arms(&k);
  put_rounds(&k, open->iterations_at);
  put_rounds(&k, open->looks_at);
  put_conditions(&k);
  return k.key;
}
