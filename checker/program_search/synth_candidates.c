/* SPDX-License-Identifier: MIT */
/* Candidates for a cell: every sequence of up to so many steps, by price; and mappings
 * with one of them. */
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"
#include "checker/program_search/synth.h"

struct listing {
  struct arena *arena;
  const struct synth_options *options;
  struct mapping_key key;
  struct mapping_step steps[SYNTH_STEPS];
  unsigned count;
  VEC(struct mapping_cell *) cells;
  VEC(int64_t) prices;
};

static struct mapping_cell *make_cell(struct arena *arena, struct mapping_key key, const struct mapping_step *steps,
                                      unsigned count) {
  struct mapping_cell *cell = ARENA_NEW(arena, struct mapping_cell);
  *cell = (struct mapping_cell){.kind = key.kind,
                                .scopes = 1u << key.scope,
                                .orders = 1u << key.order,
                                .remotes = 1u << key.remote,
                                .regions = REGION_GLOBAL,
                                .step_count = count};
  cell->steps = ARENA_COPY(arena, struct mapping_step, steps, count);
  return cell;
}

static void keep_candidate(struct listing *l, const struct mapping_step *steps, unsigned count) {
  struct mapping_cell probe = {
      .kind = l->key.kind, .step_count = count, .steps = (struct mapping_step *)(uintptr_t)steps};
  int64_t price = l->options->price(l->options->context, &probe);
  if (price < 0) return;
  *vec_push(l->arena, &l->cells) = make_cell(l->arena, l->key, steps, count);
  *vec_push(l->arena, &l->prices) = price;
}

/* Does each lock of a run end in it? */
static bool is_balanced(const struct mapping_step *steps, unsigned from, unsigned to) {
  int open = 0;
  for (unsigned i = from; i < to && open >= 0; i++) open += hw_is_lock(steps[i].op) - hw_is_unlock(steps[i].op);
  return open == 0;
}

/* The sequence without locks, and with one of either kind or both around each of
 * its runs, in either order; `used`: steps so far, a lock counted as one. */
static void add_locks(struct listing *l, const struct mapping_step *steps, unsigned count, unsigned used,
                      unsigned kind) {
  static const struct mapping_step LOCKS[][2] = {
      {{.op = HW_LOCK_LINE}, {.op = HW_UNLOCK_LINE}},
      {{.op = HW_LOCK_RMW, .target = TARGET_DEV}, {.op = HW_UNLOCK_RMW, .target = TARGET_DEV}}};
  if (kind == 2) {
    keep_candidate(l, steps, count);
    return;
  }
  add_locks(l, steps, count, used, kind + 1);
  if (used == l->options->steps) return;
  for (unsigned from = 0; from < count; from++)
    for (unsigned to = from + 1; to <= count; to++) {
      struct mapping_step wrapped[SYNTH_STEPS + 2];
      if (!is_balanced(steps, from, to)) continue;
      memcpy(wrapped, steps, from * sizeof *steps);
      wrapped[from] = LOCKS[kind][0];
      memcpy(wrapped + from + 1, steps + from, (to - from) * sizeof *steps);
      wrapped[to + 1] = LOCKS[kind][1];
      memcpy(wrapped + to + 2, steps + to, (count - to) * sizeof *steps);
      add_locks(l, wrapped, count + 2, used + 1, kind + 1);
    }
}

static void extend(struct listing *l, bool accessed) {
  static const struct mapping_step CACHE_STEPS[] = {{.op = HW_FLU, .target = TARGET_WG},
                                                    {.op = HW_FLU, .target = TARGET_DEV},
                                                    {.op = HW_INV, .target = TARGET_WG},
                                                    {.op = HW_INV, .target = TARGET_DEV}};
  static const enum hw_op ACCESSES[] = {HW_LD, HW_ST, HW_RMW};
  if (accessed) add_locks(l, l->steps, l->count, l->count, 0);
  if (l->count == l->options->steps) return;
  enum hw_level last = l->key.kind == MAP_LOAD ? LEVEL_L1 : LEVEL_L2;
  for (enum hw_level level = LEVEL_L1; !accessed && level <= last; level++) {
    l->steps[l->count++] = (struct mapping_step){.op = ACCESSES[l->key.kind], .level = level};
    extend(l, true);
    l->count--;
  }
  /* Room for the access must be left. */
  if (!accessed && l->count + 1 == l->options->steps) return;
  for (unsigned i = 0; i < ARRAY_COUNT(CACHE_STEPS); i++) {
    l->steps[l->count++] = CACHE_STEPS[i];
    extend(l, accessed);
    l->count--;
  }
}

static int by_price(const void *a, const void *b, void *context) {
  const struct listing *l = context;
  size_t x = *(const size_t *)a, y = *(const size_t *)b;
  if (l->prices.at[x] != l->prices.at[y]) return l->prices.at[x] < l->prices.at[y] ? -1 : 1;
  unsigned m = l->cells.at[x]->step_count, n = l->cells.at[y]->step_count;
  return m != n ? (m < n ? -1 : 1) : x < y ? -1 : 1;
}

struct mapping_cell **synth_candidates(struct arena *arena, const struct synth_options *options, struct mapping_key key,
                                       size_t *count) {
  struct listing l = {.arena = arena, .options = options, .key = key};
  extend(&l, false);
  size_t *order = ARENA_ARRAY(arena, size_t, l.cells.count + 1);
  for (size_t i = 0; i < l.cells.count; i++) order[i] = i;
  qsort_r(order, l.cells.count, sizeof *order, by_price, &l);
  struct mapping_cell **sorted = ARENA_ARRAY(arena, struct mapping_cell *, l.cells.count + 1);
  for (size_t i = 0; i < l.cells.count; i++) sorted[i] = l.cells.at[order[i]];
  *count = l.cells.count;
  return sorted;
}
