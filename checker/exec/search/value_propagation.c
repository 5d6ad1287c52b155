/* SPDX-License-Identifier: MIT */
/* Values spread from writes to the reads that are decided, and from reads over
 * the expressions of their threads; against what a read is known to return, and
 * against the conditions of control flow, sources are dropped.  All of this is
 * done over and over until nothing changes.
 */
#include "checker/exec/search/value_propagation.h"

#include <assert.h>

#include "checker/base/vec.h"

bool value_is_variable(const struct frames *all, unsigned event) {
  const struct expr *e = all->structure->value[event];
  return e && e->kind == EXPR_REG && e->reg == all->structure->events[event].po_index &&
         all->structure->events[event].kind == EVENT_READ;
}

static bool event_value(const struct frames *all, const struct frame *f, unsigned event, int64_t *value) {
  unsigned offset = all->structure->offset[all->structure->events[event].thread];
  return path_value(all->structure->value[event], f->known + offset, f->value + offset, value);
}

/* What a read returns, whichever of its sources it sees.  (A certificate knows it only once that is decided.) */
static bool seen_value(const struct frames *all, const struct frame *f, unsigned read, int64_t *value) {
  const word *sources = frame_sources(all, f, read);
  bool open = all->record || set_has(all->open_ended, read);
  if (words_empty(all->shape.w, sources) || (open && !frame_decided(all, f, read))) return false;
  unsigned first = set_first(all->shape.w, sources);
  SET_EACH (w, all->shape.w, sources)
    if (!f->known[w] || f->value[w] != f->value[first]) return false;
  *value = f->value[first];
  return true;
}

/* Gives values to the events that have one now.  True when some got theirs. */
static bool spread_values(const struct frames *all, struct frame *f) {
  bool moved = false;
  SET_EACH (e, all->shape.w, f->unknown) {
    if (value_is_variable(all, e))
      f->known[e] = seen_value(all, f, e, &f->value[e]);
    else
      f->known[e] = event_value(all, f, e, &f->value[e]);
    if (!f->known[e]) continue;
    set_drop(f->unknown, e);
    moved = true;
  }
  return moved;
}

/* Drops the sources whose known value is not the read's. */
static bool match_values(const struct frames *all, struct frame *f) {
  SET_EACH (r, all->shape.w, f->loose) {
    if (!f->known[r]) continue;
    bool all_known = true;
    SET_EACH (w, all->shape.w, frame_sources(all, f, r)) {
      if (!f->known[w])
        all_known = false;
      else if (f->value[w] != f->value[r])
        frame_drop_source(all, f, w, r);
    }
    if (frame_lost(all, f, r)) return false;
    if (all_known && !set_has(all->open_ended, r)) set_drop(f->loose, r);
  }
  return true;
}

/* A compare-and-swap that succeeds returns what was expected, which may be what another read has returned: with what it
 * reads from, that one's value is known too. */
static bool match_expected(const struct frames *all, struct frame *f, unsigned swap) {
  const struct expr *expected = all->structure->value[swap];
  if (f->known[swap] || expected->kind != EXPR_REG || !frame_decided(all, f, swap)) return true;
  unsigned write = frame_source(all, f, swap);
  unsigned read = all->structure->offset[all->structure->events[swap].thread] + (unsigned)expected->reg;
  if (read == swap || !f->known[write] || !value_is_variable(all, read)) return true;
  SET_EACH (w, all->shape.w, frame_sources(all, f, read))
    if (f->known[w] && f->value[w] != f->value[write]) frame_drop_source(all, f, w, read);
  return !frame_lost(all, f, read);
}

/* (A certificate has no words for it.) */
static bool match_all_expected(const struct frames *all, struct frame *f) {
  SET_EACH (r, all->shape.w, f->loose)
    if (!all->record && !match_expected(all, f, r)) return false;
  return true;
}

/* A condition with one read open: keeps the sources whose value meets it. */
static bool filter_sources(const struct frames *all, struct frame *f, const struct structure_condition *c,
                           unsigned open) {
  unsigned offset = all->structure->offset[c->thread], r = offset + open;
  SET_EACH (w, all->shape.w, frame_sources(all, f, r)) {
    if (!f->known[w]) continue;
    int64_t result;
    f->known[r] = true;
    f->value[r] = f->value[w];
    bool decided = path_value(c->value, f->known + offset, f->value + offset, &result);
    f->known[r] = false;
    if (decided && (result != 0) != c->nonzero) frame_drop_source(all, f, w, r);
  }
  return !frame_lost(all, f, r);
}

static bool apply_condition(const struct frames *all, struct frame *f, unsigned index) {
  const struct structure_condition *c = &all->structure->conditions[index];
  unsigned offset = all->structure->offset[c->thread];
  int64_t result;
  if (path_value(c->value, f->known + offset, f->value + offset, &result)) {
    set_drop(f->pending, index);
    return (result != 0) == c->nonzero;
  }
  unsigned open = 0, count = 0;
  if (c->read_count > CONDITION_READS) return true;
  for (unsigned i = 0; i < c->read_count; i++)
    if (!f->known[offset + c->reads[i]]) open = c->reads[i], count++;
  return count != 1 || !value_is_variable(all, offset + open) || filter_sources(all, f, c, open);
}

static bool apply_conditions(const struct frames *all, struct frame *f) {
  SET_EACH (c, all->condition_words, f->pending)
    if (!apply_condition(all, f, c)) return false;
  return true;
}

/* A decided read returns what its source writes, as far as both are known. */
__attribute__((unused)) static bool values_agree(const struct frames *all, const struct frame *f) {
  for (unsigned e = all->structure->init_count; e < all->shape.n; e++) {
    if (all->structure->events[e].kind != EVENT_READ || !f->known[e] || !frame_decided(all, f, e)) continue;
    unsigned write = frame_source(all, f, e);
    if (f->known[write] && f->value[write] != f->value[e]) return false;
  }
  return true;
}

static bool settle(const struct frames *all, struct frame *f) {
  do {
    if (!match_values(all, f) || !match_all_expected(all, f) || !apply_conditions(all, f)) return false;
  } while (spread_values(all, f));
  assert(values_agree(all, f));
  return true;
}

bool values_settle(const struct frames *all, struct frame *f) {
  return f->settled || (f->settled = settle(all, f));
}

/* ---- Values out of nothing ------------------------------------------------------- */

bool values_free(const struct frames *all, const struct frame *f, unsigned *read) {
  if (!all->structure->execution.program->free_values) return false;
  SET_EACH (e, all->shape.w, f->unknown)
    if (value_is_variable(all, e)) {
      *read = e;
      return true;
    }
  return false;
}

static bool is_observed(const struct litmus_test *test, int location) {
  for (unsigned i = 0; i < test->observable_count; i++)
    if (test->observables[i].thread < 0 && (int)test->observables[i].index == location) return true;
  return false;
}

static bool is_read(const struct frames *all, const struct frame *f, unsigned write) {
  SET_EACH (r, all->shape.w, f->unknown)
    if (value_is_variable(all, r) && frame_decided(all, f, r) && frame_source(all, f, r) == write) return true;
  return false;
}

bool values_unset(const struct frames *all, const struct frame *f, const struct litmus_test *test, unsigned *write) {
  const struct event *events = all->structure->events;
  for (*write = 0; *write < all->structure->init_count; ++*write) {
    if (f->known[*write]) continue;
    bool stays = words_empty(all->shape.w, rel_row_const(all->shape, f->p.up[CHOICE_CO], *write));
    if (is_read(all, f, *write) || (stays && is_observed(test, events[*write].location))) return true;
  }
  return false;
}

/* Is it more than a choice by comparisons with constants and with one another, of which a few values show every case?
 */
static bool computes(const struct expr *e) {
  return expr_arity(e->kind) && !expr_is_condition(e->kind) && e->kind != EXPR_ULT && e->kind != EXPR_COND;
}

bool values_sampled(const struct frames *all, const struct frame *f, const struct litmus_test *test) {
  SET_EACH (e, all->shape.w, f->unknown)
    if (test->condition->kind != PROP_TRUE && !value_is_variable(all, e) &&
        expr_has(all->structure->value[e], computes))
      return true;
  SET_EACH (c, all->condition_words, f->pending)
    if (expr_has(all->structure->conditions[c].value, computes)) return true;
  return false;
}

void values_guess(struct frame *f, unsigned read, int64_t value) {
  f->known[read] = true;
  f->value[read] = value;
  f->guessed = true;
  f->settled = false;
  set_drop(f->unknown, read);
}

typedef VEC(int64_t) value_list;

static void add_value(struct arena *arena, value_list *list, int64_t value) {
  for (size_t i = 0; i < list->count; i++)
    if (list->at[i] == value) return;
  *vec_push(arena, list) = value;
}

static void add_constants(struct arena *arena, const struct prop *prop, value_list *list) {
  if (!prop) return;
  if (prop->kind == PROP_COMPARE) {
    if (prop->left.constant) add_value(arena, list, prop->left.value);
    if (prop->right.constant) add_value(arena, list, prop->right.value);
  }
  if (prop->kind == PROP_SUM) add_value(arena, list, prop->right.value);
  add_constants(arena, prop->a, list);
  add_constants(arena, prop->b, list);
}

static void add_neighbours(struct arena *arena, value_list *list, int64_t value) {
  for (int64_t near = -1; near <= 1; near++)
    if (value > INT64_MIN && value < INT64_MAX) add_value(arena, list, value + near);
}

struct comparisons {
  struct arena *arena;
  value_list *list;
};

/* What is compared with a constant; with one that floats are widened for, the float: the next ones have the next bits.
 */
static bool add_constant(void *context, const struct expr *e) {
  struct arena *arena = ((struct comparisons *)context)->arena;
  value_list *list = ((struct comparisons *)context)->list;
  if (e->kind == EXPR_CONST) add_neighbours(arena, list, e->value);
  if (e->kind == EXPR_FEQ || e->kind == EXPR_FLT)
    for (unsigned i = 0; i < 2; i++) {
      const struct expr *side = i ? e->b : e->a, *other = i ? e->a : e->b;
      enum expr_kind narrow = other->kind == EXPR_HWIDEN ? EXPR_HNARROW : EXPR_FNARROW;
      if (side->kind == EXPR_CONST) add_neighbours(arena, list, expr_apply(narrow, side->value, 0, 0, NULL));
    }
  return true;
}

/* The same of the comparisons in a value that is written. */
static bool add_comparison(void *context, const struct expr *e) {
  if (expr_is_truth(e->kind)) expr_visit(e, add_constant, context);
  return true;
}

static bool some_unset(const struct program *program) {
  for (unsigned i = 0; i < program->location_count; i++)
    if (program->locations[i].any) return true;
  return false;
}

unsigned values_to_guess(struct arena *arena, const struct litmus_test *test, const struct structure *structure,
                         const int64_t **values) {
  value_list list = {0};
  bool unset = some_unset(test->program);
  add_constants(arena, test->condition, &list);
  add_constants(arena, test->filter, &list);
  struct comparisons tested = {arena, &list};
  for (unsigned i = 0; unset && i < structure->condition_count; i++)
    expr_visit(structure->conditions[i].value, add_constant, &tested);
  for (unsigned e = structure->init_count; unset && e < structure->execution.shape.n; e++)
    expr_visit(structure->value[e], add_comparison, &tested);
  int64_t other = 1;
  for (size_t i = 0; i < list.count; i++)
    if (list.at[i] >= other && list.at[i] < INT64_MAX) other = list.at[i] + 1;
  add_value(arena, &list, other);
  if (unset) add_value(arena, &list, 0); /* as on a machine */
  if (unset && other < INT64_MAX) add_value(arena, &list, other + 1);
  *values = list.at;
  return (unsigned)list.count;
}
