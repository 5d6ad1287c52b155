/* SPDX-License-Identifier: MIT */
/* Keys of small programs: pairs of operations are looked up in a table that is
 * filled as they are met, from a program that has them. */
#include "checker/verify/indistinguishable_programs.h"

#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/exec/deductions/evaluation_plan.h"
#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/exec/paths/event_structure.h"

/* An operation, or the initial write of a location, as far as a model can see it alone. */
struct letter {
  char kind, scope, order; /* kind 'I': an initial write */
  bool atomic;             /* its location is declared so */
};

struct item {
  unsigned letter;
  int thread;             /* -1: initial */
  int location;           /* -1: a fence */
  unsigned controls;      /* operations of the thread, as bits, on whose values it hangs */
  unsigned number;        /* in its thread */
  unsigned event, events; /* while the table is filled: its events */
};

/* How two items stand to each other: bits of the place in the table. */
enum { SAME_LOCATION = 1, GUARDED = 2, RELATION = 4 };
enum relation { WITH_INITIAL, ONE_THREAD, ONE_GROUP, ONE_DEVICE, APART, RELATIONS };
enum { LETTERS = 64, CONTEXTS = RELATION * RELATIONS, ONE_ITEM = LETTERS * LETTERS * CONTEXTS };

/* What the model sees of two items: one byte for each node and each two events. */
struct sight {
  const uint8_t *at;
  unsigned length;
};

struct indistinguishable {
  struct arena *arena;
  const struct cat_ir *ir;
  uint32_t *kept; /* nodes that are looked at */
  uint32_t kept_count;
  struct letter letters[LETTERS];
  unsigned letter_count;
  uint16_t *table; /* 1 + the number of a sight; 0: not met yet; after ONE_ITEM by single letters */
  VEC(struct sight) sights;
};

/* ---- the model ---- */

/* Marks the largest local nodes that a fixed node stands on; of a recursive variable its body. */
static void keep(const struct cat_ir *ir, const bool *local, bool *seen, bool *kept, uint32_t i) {
  if (seen[i]) return;
  seen[i] = true;
  if (local[i] || is_nullary(ir->nodes[i].op)) {
    kept[i] = true;
    return;
  }
  keep(ir, local, seen, kept, ir->nodes[i].a);
  if (is_binary(ir->nodes[i].op)) keep(ir, local, seen, kept, ir->nodes[i].b);
}

/* From what is chosen down to what is fixed. */
static void keep_fixed(struct indistinguishable *classes, const struct plan *plan, const bool *local) {
  const struct cat_ir *ir = plan->ir;
  bool *seen = ARENA_ARRAY(classes->arena, bool, ir->node_count),
       *kept = ARENA_ARRAY(classes->arena, bool, ir->node_count);
  for (uint32_t i = 0; i < ir->node_count; i++) {
    const struct cat_node *node = &ir->nodes[i];
    if (!plan->needed[i] || !plan->dynamic[i] || is_nullary(node->op)) continue;
    if (!plan->dynamic[node->a]) keep(ir, local, seen, kept, node->a);
    if (is_binary(node->op) && !plan->dynamic[node->b]) keep(ir, local, seen, kept, node->b);
  }
  for (uint32_t c = 0; c < ir->check_count; c++)
    if (!plan->dynamic[ir->checks[c].node]) keep(ir, local, seen, kept, ir->checks[c].node);
  classes->kept = ARENA_ARRAY(classes->arena, uint32_t, ir->node_count);
  for (uint32_t i = 0; i < ir->node_count; i++)
    if (kept[i]) classes->kept[classes->kept_count++] = i;
}

/* Does the model ask for what only some programs leave open? */
static bool chooses_more(const struct cat_ir *ir) {
  ARRAY_EACH (const struct cat_node, node, ir->nodes, ir->node_count)
    if (node->op == CAT_CHOSEN || (node->op == CAT_BASE && node->base == BASE_SYNC_FENCE)) return true;
  return false;
}

struct indistinguishable *indistinguishable_new(struct arena *arena, const struct cat_model *model) {
  if (model->judge || model->ir.dynamic || chooses_more(&model->ir)) return NULL;
  struct indistinguishable *classes = ARENA_MAKE(arena, struct indistinguishable, .arena = arena, .ir = &model->ir,
                                                 .table = ARENA_ARRAY(arena, uint16_t, ONE_ITEM + LETTERS));
  struct plan plan = plan_new(arena, &model->ir, NULL, choice_bit(CHOICE_RF) | choice_bit(CHOICE_CO));
  bool *local = ARENA_ARRAY(arena, bool, model->ir.node_count);
  plan_find_local(&plan, true, local);
  keep_fixed(classes, &plan, local);
  return classes;
}

/* ---- programs ---- */

bool indistinguishable_shape(const struct small_program *a, const struct small_program *b) {
  if (a->language != b->language || a->threads != b->threads) return false;
  for (unsigned t = 0; t < a->threads; t++) {
    if (a->count[t] != b->count[t]) return false;
    for (unsigned i = 0; i < a->count[t]; i++) {
      const struct small_op *x = &a->ops[t][i], *y = &b->ops[t][i];
      bool equal = x->kind == y->kind && x->guard == y->guard && x->value == y->value;
      if (!equal || (x->kind != 'F' && x->location != y->location)) return false;
    }
  }
  return true;
}

/* LETTERS: there is no room for another. */
static unsigned letter_of(struct indistinguishable *classes, struct letter letter) {
  for (unsigned i = 0; i < classes->letter_count; i++) {
    const struct letter *l = &classes->letters[i];
    if (l->kind == letter.kind && l->scope == letter.scope && l->order == letter.order && l->atomic == letter.atomic)
      return i;
  }
  if (classes->letter_count == LETTERS) return LETTERS;
  classes->letters[classes->letter_count] = letter;
  return classes->letter_count++;
}

struct items {
  struct item at[ALIKE_ITEMS];
  unsigned count, initial;
};

static bool add_item(struct indistinguishable *classes, struct items *items, struct letter letter, struct item item) {
  item.letter = letter_of(classes, letter);
  items->at[items->count++] = item;
  return item.letter < LETTERS;
}

/* The initial writes, as event structures have them, and the operations. */
static bool list_items(struct indistinguishable *classes, const struct small_program *p, struct items *items) {
  bool touched[SMALL_LOCATIONS] = {false}, atomic[SMALL_LOCATIONS] = {false}, fits = true;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) {
      if (p->ops[t][i].kind == 'F') continue;
      touched[p->ops[t][i].location] = true;
      atomic[p->ops[t][i].location] |= p->ops[t][i].scope != 'n';
    }
  items->count = 0;
  for (int x = 0; x < SMALL_LOCATIONS; x++)
    if (touched[x])
      fits &=
          add_item(classes, items, (struct letter){'I', 0, 0, atomic[x]}, (struct item){.thread = -1, .location = x});
  items->initial = items->count;
  for (unsigned t = 0; t < p->threads; t++) {
    unsigned controls = 0, last = 0;
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      int location = op->kind == 'F' ? -1 : op->location;
      if (op->guard) controls |= last;
      fits &=
          add_item(classes, items, (struct letter){op->kind, op->scope, op->order, location >= 0 && atomic[location]},
                   (struct item){.thread = (int)t, .location = location, .controls = controls, .number = i});
      if (op->kind == 'R' || op->kind == 'U') last = 1u << i;
    }
  }
  return fits;
}

static enum relation relation_of(const struct small_program *p, const struct item *a, const struct item *b) {
  if (a->thread < 0) return WITH_INITIAL;
  if (a->thread == b->thread) return ONE_THREAD;
  if (p->wg[a->thread] == p->wg[b->thread]) return ONE_GROUP;
  return p->dev[a->thread] == p->dev[b->thread] ? ONE_DEVICE : APART;
}

/* Where the table has two items, the first of which comes first, or one. */
static uint16_t *entry_of(struct indistinguishable *classes, const struct small_program *p, const struct item *a,
                          const struct item *b) {
  if (a == b) return &classes->table[ONE_ITEM + a->letter];
  enum relation relation = relation_of(p, a, b);
  unsigned context = RELATION * (unsigned)relation;
  if (a->location >= 0 && a->location == b->location) context |= SAME_LOCATION;
  if (relation == ONE_THREAD && b->controls >> a->number & 1) context |= GUARDED;
  return &classes->table[(a->letter * LETTERS + b->letter) * CONTEXTS + context];
}

/* ---- learning ---- */

/* A thread run along the branches that make the most events. */
static struct thread_state *run_longest(struct arena *arena, const struct program *program, unsigned thread,
                                        struct thread_state *state, const struct path_limits *limits) {
  struct thread_state *best = NULL;
  if (thread_end(state) != THREAD_OPEN) return state;
  for (unsigned i = 0; i < thread_branch_count(state); i++) {
    struct thread_state *next = thread_resume(arena, program, thread, limits, state, i);
    next = run_longest(arena, program, thread, next, limits);
    if (!best || thread_path(next)->event_count > thread_path(best)->event_count) best = next;
  }
  return best;
}

static struct structure *whole_structure(struct arena *arena, const struct program *program) {
  static const struct path_limits LIMITS = {.unroll = 1, .max_events = 4 * SMALL_OPS};
  const struct path **paths = ARENA_ARRAY(arena, const struct path *, program->thread_count);
  bool *ended = ARENA_ARRAY(arena, bool, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++) {
    struct thread_state *state = thread_start(arena, program, t, &LIMITS);
    paths[t] = thread_path(run_longest(arena, program, t, state, &LIMITS));
    ended[t] = true;
  }
  return structure_build(arena, program, paths, ended);
}

/* The events of an operation come one after the other. */
static void find_events(const struct structure *structure, struct items *items) {
  unsigned event = 0, count = structure->execution.shape.n;
  for (unsigned i = 0; i < items->count; i++) {
    items->at[i].event = event;
    int instr = structure->events[event].instr, thread = structure->events[event].thread;
    do event++;
    while (i >= items->initial && event < count && structure->events[event].instr == instr &&
           structure->events[event].thread == thread);
    items->at[i].events = event - items->at[i].event;
    assert(thread == items->at[i].thread);
  }
  assert(event == count);
}

static uint16_t number_of(struct indistinguishable *classes, const uint8_t *at, unsigned length) {
  for (size_t i = 0; i < classes->sights.count; i++)
    if (classes->sights.at[i].length == length && !memcmp(classes->sights.at[i].at, at, length))
      return (uint16_t)(i + 1);
  *vec_push(classes->arena, &classes->sights) = (struct sight){ARENA_COPY(classes->arena, uint8_t, at, length), length};
  return (uint16_t)classes->sights.count;
}

/* What the nodes say of the events of two items. */
static uint16_t look(struct indistinguishable *classes, const struct valuation *v, const struct item *a,
                     const struct item *b) {
  enum { MOST = 8 };
  uint8_t *at = ARENA_ARRAY(classes->arena, uint8_t, (size_t)MOST * classes->kept_count);
  unsigned length = 0;
  for (uint32_t k = 0; k < classes->kept_count; k++) {
    const word *value = v->value[classes->kept[k]];
    bool is_set = classes->ir->nodes[classes->kept[k]].type == CAT_SET;
    for (unsigned e = a->event; e < a->event + a->events; e++) {
      if (is_set && a == b) at[length++] = set_has(value, e);
      for (unsigned f = b->event; !is_set && f < b->event + b->events; f++) {
        at[length++] = rel_has(v->shape, value, e, f);
        if (a != b) at[length++] = rel_has(v->shape, value, f, e);
      }
    }
  }
  return number_of(classes, at, length);
}

static void learn(struct indistinguishable *classes, const struct small_program *p, struct items *items) {
  struct arena *arena = arena_new();
  struct structure *structure = whole_structure(arena, small_test(arena, p)->program);
  struct execution execution = structure->execution;
  execution.rf = execution.co = ARENA_ARRAY(arena, word, rel_words(execution.shape));
  const struct valuation *v = evaluate(arena, classes->ir, &execution);
  find_events(structure, items);
  for (unsigned i = 0; i < items->count; i++)
    for (unsigned k = i; k < items->count; k++) {
      uint16_t *entry = entry_of(classes, p, &items->at[i], &items->at[k]);
      uint16_t number = look(classes, v, &items->at[i], &items->at[k]);
      assert(!*entry || *entry == number);
      *entry = number;
    }
  arena_free(arena);
}

bool indistinguishable_key(struct indistinguishable *classes, const struct small_program *program,
                           struct indistinguishable_key *key) {
  struct items items;
  if (!list_items(classes, program, &items)) return false;
  for (bool learnt = false;; learnt = true) {
    bool met = true;
    key->count = 0;
    for (unsigned i = 0; i < items.count; i++)
      for (unsigned k = i; k < items.count; k++) {
        uint16_t number = *entry_of(classes, program, &items.at[i], &items.at[k]);
        met &= number != 0;
        key->at[key->count++] = number;
      }
    if (met || learnt) return met;
    learn(classes, program, &items);
  }
}
