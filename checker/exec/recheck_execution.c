/* SPDX-License-Identifier: MIT */
/* The instructions of both programs are laid side by side, thread by thread; each event
 * gets the labels that its instruction has now, events of fences that are gone
 * are left out, and fences that have come get events before those that they stand before. */
#include "checker/exec/recheck_execution.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/exec/paths/thread_state.h"
#include "checker/exec/scope_inclusion.h"
#include "checker/exec/search/sc_fence_order.h"

/* What tells an instruction from others. */
struct key {
  enum instr_kind kind;
  int reg;
  unsigned base, at;
  bool apart; /* it makes more events than those of its kind do */
};

struct kept_execution {
  struct execution x; /* without its program */
  unsigned thread_count;
  const struct key *const *keys; /* by thread, then instruction */
  const unsigned *key_count;
};

static const word *copy_relation(struct arena *arena, struct shape s, const word *relation) {
  if (!relation) return NULL;
  word *copy = ARENA_COPY(arena, word, relation, rel_words(s));
  return copy;
}

static struct key key_of(const struct instr *instr) {
  bool access = instr_is_access(instr);
  return (struct key){.kind = instr->kind,
                      .reg = instr->reg,
                      .base = access ? instr->address.base : 0,
                      .at = instr->span.at,
                      .apart = instr->around || instr->expected_in_memory};
}

const struct kept_execution *recheck_keep(struct arena *arena, const struct execution *x) {
  struct kept_execution *kept = ARENA_NEW(arena, struct kept_execution);
  const struct program *program = x->program;
  struct event *events = ARENA_RAW(arena, struct event, x->shape.n);
  memcpy(events, x->events, x->shape.n * sizeof *events);
  kept->x = (struct execution){.shape = x->shape,
                               .events = events,
                               .po = copy_relation(arena, x->shape, x->po),
                               .rf = copy_relation(arena, x->shape, x->rf),
                               .co = copy_relation(arena, x->shape, x->co),
                               .rmw = copy_relation(arena, x->shape, x->rmw),
                               .addr = copy_relation(arena, x->shape, x->addr),
                               .data = copy_relation(arena, x->shape, x->data),
                               .ctrl = copy_relation(arena, x->shape, x->ctrl),
                               .sync_fence = copy_relation(arena, x->shape, x->sync_fence),
                               .same_b = copy_relation(arena, x->shape, x->same_b)};
  kept->thread_count = program->thread_count;
  const struct key **keys = ARENA_ARRAY(arena, const struct key *, program->thread_count + 1);
  unsigned *count = ARENA_ARRAY(arena, unsigned, program->thread_count + 1);
  for (unsigned t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    struct key *of = ARENA_ARRAY(arena, struct key, thread->instr_count + 1);
    for (unsigned i = 0; i < thread->instr_count; i++) of[i] = key_of(&thread->instrs[i]);
    keys[t] = of;
    count[t] = thread->instr_count;
  }
  kept->keys = keys;
  kept->key_count = count;
  return kept;
}

/* ---- instructions side by side ---- */

enum { GONE = -1 };

/* A fence of the changed program, and the kept instruction that it stands before. */
struct come {
  const struct instr *instr;
  unsigned before;
};

struct alignment {
  struct arena *arena;
  int **to; /* by thread, then kept instruction: the changed program's, or GONE */
  VEC(struct come) * come;
};

static bool is_fence(enum instr_kind kind) {
  return kind == INSTR_FENCE || kind == INSTR_BARRIER || kind == INSTR_MEET;
}

static bool is_same(const struct key *key, const struct instr *instr, bool placed) {
  struct key other = key_of(instr);
  return key->kind == other.kind && key->reg == other.reg && key->base == other.base &&
         (!placed || key->at == other.at);
}

/* Fences may come only right before what makes events of one kind each time. */
static bool may_stand_before(const struct key *key) {
  return !key->apart && (key->kind == INSTR_LOAD || key->kind == INSTR_STORE || key->kind == INSTR_RMW ||
                         key->kind == INSTR_CAS || is_fence(key->kind));
}

static bool align_thread(struct alignment *a, const struct kept_execution *kept, const struct program *changed,
                         unsigned t, bool placed) {
  const struct thread *thread = &changed->threads[t];
  const struct key *keys = kept->keys[t];
  unsigned i = 0, j = 0, count = kept->key_count[t];
  a->to[t] = ARENA_ARRAY(a->arena, int, count + 1);
  while (i < count || j < thread->instr_count) {
    const struct instr *instr = j < thread->instr_count ? &thread->instrs[j] : NULL;
    if (i < count && instr && is_same(&keys[i], instr, placed)) {
      a->to[t][i++] = (int)j++;
    } else if (instr && instr->kind == INSTR_FENCE && i < count && may_stand_before(&keys[i]) &&
               !thread_jumps_to(thread, 0, thread->instr_count, j + 1)) {
      *vec_push(a->arena, &a->come[t]) = (struct come){instr, i};
      j++;
    } else if (i < count && is_fence(keys[i].kind)) {
      a->to[t][i++] = GONE;
    } else {
      return false;
    }
  }
  return true;
}

static bool align(struct alignment *a, const struct kept_execution *kept, const struct program *changed, bool placed) {
  if (kept->thread_count != changed->thread_count) return false;
  a->to = ARENA_ARRAY(a->arena, int *, kept->thread_count + 1);
  a->come = arena_array(a->arena, kept->thread_count + 1, sizeof *a->come);
  for (unsigned t = 0; t < kept->thread_count; t++)
    if (!align_thread(a, kept, changed, t, placed)) return false;
  return true;
}

/* ---- events ---- */

/* Where an event of the changed execution comes from. */
struct origin {
  unsigned kept; /* event; of a fence that has come: that before which it stands */
  const struct instr *come;
};

struct rechecking {
  struct alignment a;
  const struct kept_execution *kept;
  const struct program *changed;
  VEC(struct origin) origins;
  struct event *events;
  struct execution x;
};

/* Begins the event what its instruction does there? */
static bool begins(const struct event *e) {
  return !(e->rmw && e->kind == EVENT_WRITE) && !e->barrier_exit;
}

static void add_events(struct rechecking *r, unsigned e) {
  const struct event *event = &r->kept->x.events[e];
  bool made = event->thread >= 0 && event->instr >= 0;
  size_t count = made && begins(event) ? r->a.come[event->thread].count : 0;
  ARRAY_EACH (const struct come, come, r->a.come[event->thread].at, count) {
    if (come->before == (unsigned)event->instr) *vec_push(r->a.arena, &r->origins) = (struct origin){e, come->instr};
  }
  if (made && r->a.to[event->thread][event->instr] == GONE) return;
  *vec_push(r->a.arena, &r->origins) = (struct origin){e, NULL};
}

/* The labels that an event's instruction gives it now. */
static void relabel(const struct thread *thread, const struct instr *instr, struct event *e) {
  struct event fresh = path_event_of(thread, (unsigned)e->thread, instr, e->kind);
  e->instr = fresh.instr;
  if (instr->kind == INSTR_CAS && !e->rmw) { /* it fails: of an ordinary event next to it nothing changes */
    if (e->order == ORDER_NA) return;
    fresh.order = instr->failure;
    if (instr->fails_apart) fresh.tags = instr->tags | instr->failed_tags;
  }
  if (!e->barrier_entry && !e->barrier_exit) e->order = fresh.order;
  e->scope = fresh.scope;
  e->implicit_scope = fresh.implicit_scope;
  e->tags = fresh.tags;
  if (e->kind == EVENT_FENCE) e->regions = instr->regions;
}

static bool has_labels(enum instr_kind kind) {
  return kind == INSTR_LOAD || kind == INSTR_STORE || kind == INSTR_RMW || kind == INSTR_CAS || is_fence(kind);
}

static void make_event(struct rechecking *r, unsigned index) {
  const struct origin *from = &r->origins.at[index];
  const struct event *kept = &r->kept->x.events[from->kept];
  struct event *e = &r->events[index];
  if (from->come) {
    *e = path_event_of(&r->changed->threads[kept->thread], (unsigned)kept->thread, from->come, EVENT_FENCE);
    e->regions = from->come->regions;
    e->launch = kept->launch;
    e->kernel = kept->kernel;
    return;
  }
  *e = *kept;
  if (kept->thread < 0 || kept->instr < 0) return;
  const struct thread *thread = &r->changed->threads[kept->thread];
  const struct instr *instr = &thread->instrs[r->a.to[kept->thread][kept->instr]];
  if (has_labels(instr->kind))
    relabel(thread, instr, e);
  else
    e->instr = (int)(instr - thread->instrs);
}

static void number_events(struct rechecking *r) {
  unsigned next = 0;
  for (unsigned e = 0; e < r->x.shape.n; e++) {
    next = e && r->events[e].thread == r->events[e - 1].thread ? next + 1 : 0;
    if (r->events[e].thread >= 0) r->events[e].po_index = next;
  }
}

/* A relation among the events that there are now.  `come`: what has come has it to and from others as the event before
 * which it stands, and before that event too. */
static word *carry(struct rechecking *r, const word *relation, bool to, bool from) {
  struct shape s = r->x.shape, was = r->kept->x.shape;
  if (!relation) return NULL;
  word *out = ARENA_ARRAY(r->a.arena, word, rel_words(s));
  for (unsigned a = 0; a < s.n; a++)
    for (unsigned b = 0; b < s.n; b++) {
      const struct origin *x = &r->origins.at[a], *y = &r->origins.at[b];
      if ((x->come && !from) || (y->come && !to)) continue;
      bool both = rel_has(was, relation, x->kept, y->kept);
      if (from && x->kept == y->kept) both = a < b;
      if (both) rel_add(s, out, a, b);
    }
  return out;
}

/* An order of fences may have been chosen with the execution: are they the same ones, or none that need an order? */
static bool keeps_fences(const struct rechecking *r) {
  if (!r->changed->partial_coherence) return true; /* of a language without such an order */
  unsigned kept = 0, now = 0, same = 0;
  for (unsigned e = 0; e < r->kept->x.shape.n; e++) kept += fence_is_ordered(&r->kept->x.events[e]);
  for (unsigned e = 0; e < r->x.shape.n; e++) {
    const struct origin *from = &r->origins.at[e];
    const struct event *was = from->come ? NULL : &r->kept->x.events[from->kept];
    now += fence_is_ordered(&r->events[e]);
    same += fence_is_ordered(&r->events[e]) && was && fence_is_ordered(was) && was->scope == r->events[e].scope;
  }
  return now < 2 || (kept == now && same == now);
}

static bool make(struct rechecking *r, const struct kept_execution *kept, const struct program *changed, bool placed,
                 struct arena *arena) {
  *r = (struct rechecking){.a = {.arena = arena}, .kept = kept, .changed = changed};
  if (!align(&r->a, kept, changed, placed)) return false;
  for (unsigned e = 0; e < kept->x.shape.n; e++) add_events(r, e);
  unsigned n = (unsigned)r->origins.count;
  r->x = (struct execution){.program = changed, .shape = shape_of(n)};
  r->events = ARENA_ARRAY(arena, struct event, n + 1);
  for (unsigned e = 0; e < n; e++) make_event(r, e);
  number_events(r);
  r->x.events = r->events;
  r->x.po = carry(r, kept->x.po, true, true);
  r->x.rf = carry(r, kept->x.rf, false, false);
  r->x.co = carry(r, kept->x.co, false, false);
  r->x.rmw = carry(r, kept->x.rmw, false, false);
  r->x.addr = carry(r, kept->x.addr, false, false);
  r->x.data = carry(r, kept->x.data, false, false);
  r->x.ctrl = carry(r, kept->x.ctrl, true, false);
  r->x.sync_fence = carry(r, kept->x.sync_fence, false, false);
  r->x.same_b = carry(r, kept->x.same_b, false, false);
  return true;
}

/* ---- the model ---- */

static bool holds(struct arena *arena, const struct valuation *v, const struct cat_check *check) {
  struct shape s = v->shape;
  const word *value = v->value[check->node];
  bool plain;
  if (check->kind == CHECK_EMPTY) {
    plain = words_empty(v->ir->nodes[check->node].type == CAT_SET ? set_words(s) : rel_words(s), value);
  } else {
    word *closed = ARENA_COPY(arena, word, value, rel_words(s));
    if (check->kind == CHECK_ACYCLIC) rel_close(s, closed);
    plain = true;
    for (unsigned e = 0; e < s.n; e++) plain = plain && !rel_has(s, closed, e, e);
  }
  return plain != check->negated;
}

static bool is_raised(struct arena *arena, const struct valuation *v, const struct cat_check *check) {
  return check->role == ROLE_FLAG        ? holds(arena, v, check)
         : check->role == ROLE_UNDEFINED ? !holds(arena, v, check)
                                         : false;
}

static enum recheck_answer judge(struct rechecking *r, const struct recheck_rules *rules) {
  const struct cat_ir *ir = rules->ir;
  const struct valuation *v = evaluate(r->a.arena, ir, &r->x);
  bool raised = !rules->raises;
  for (uint32_t c = 0; c < ir->check_count; c++) {
    const struct cat_check *check = &ir->checks[c];
    if (rules->skip && rules->skip[c]) continue;
    if (check->role == ROLE_REQUIRE && !holds(r->a.arena, v, check)) return RECHECK_IMPOSSIBLE;
    raised = raised || (rules->raises(rules->context, check) && is_raised(r->a.arena, v, check));
  }
  return raised ? RECHECK_POSSIBLE : RECHECK_IMPOSSIBLE;
}

enum { MOST_ORDERS = 64 };

/* Orders of the fences that agree with their threads', one after the other. */
struct fence_orders {
  struct rechecking *r;
  const struct recheck_rules *rules;
  unsigned *place; /* by event, from 1 on; 0: none yet */
  unsigned asked;
};

static bool is_possible_in_order(struct fence_orders *o) {
  struct rechecking *r = o->r;
  word *order = ARENA_ARRAY(r->a.arena, word, rel_words(r->x.shape));
  for (unsigned a = 0; a < r->x.shape.n; a++)
    for (unsigned b = 0; b < r->x.shape.n; b++)
      if (o->place[a] && o->place[a] < o->place[b] && scopes_inclusive(r->changed, &r->events[a], &r->events[b]))
        rel_add(r->x.shape, order, a, b);
  r->x.sync_fence = order;
  return judge(r, o->rules) == RECHECK_POSSIBLE;
}

/* Is it possible with one whose first fences have their places? */
static bool is_possible_from(struct fence_orders *o, unsigned next) {
  const struct event *events = o->r->events;
  bool all = true;
  for (unsigned e = 0, n = o->r->x.shape.n; e < n && o->asked < MOST_ORDERS; e++) {
    if (!fence_is_ordered(&events[e]) || o->place[e]) continue;
    all = false;
    o->place[e] = next;
    if (is_possible_from(o, next + 1)) return true;
    o->place[e] = 0;
    while (e + 1 < n && events[e + 1].thread == events[e].thread) e++; /* the later ones of this thread wait */
  }
  return all && o->asked++ < MOST_ORDERS && is_possible_in_order(o);
}

/* Of other fences than before, some order is to be found. */
static enum recheck_answer judge_ordered(struct rechecking *r, const struct recheck_rules *rules) {
  struct fence_orders orders = {r, rules, ARENA_ARRAY(r->a.arena, unsigned, r->x.shape.n + 1), 0};
  return is_possible_from(&orders, 1) ? RECHECK_POSSIBLE : RECHECK_UNKNOWN;
}

enum recheck_answer recheck(const struct kept_execution *kept, const struct program *changed, bool placed,
                            const struct recheck_rules *rules) {
  struct arena *arena = arena_new();
  struct rechecking r;
  enum recheck_answer answer = RECHECK_UNKNOWN;
  if (!rules->ir->dynamic && make(&r, kept, changed, placed, arena))
    answer = keeps_fences(&r) ? judge(&r, rules) : judge_ordered(&r, rules);
  arena_free(arena);
  return answer;
}

void recheck_print(const struct kept_execution *kept, const struct program *changed, bool placed, FILE *out) {
  struct arena *arena = arena_new();
  struct rechecking r;
  if (make(&r, kept, changed, placed, arena))
    for (unsigned e = 0; e < r.x.shape.n; e++) {
      if (r.events[e].thread < 0) continue;
      fputs("    ", out);
      event_print_placed(changed, &r.events[e], out);
      for (unsigned w = 0; w < r.x.shape.n; w++)
        if (rel_has(r.x.shape, r.x.rf, w, e)) {
          fputs(" from ", out);
          event_print(changed, &r.events[w], out);
        }
      fputc('\n', out);
    }
  arena_free(arena);
}
