/* SPDX-License-Identifier: MIT */
/* Cells as the steps around an access, each with the locks that are held around it. */
#include "checker/program_search/cell_pattern.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/vec.h"

enum { MOST_ITEMS = 64, SIDE = 16, LINE_HELD = 1, RMW_HELD = 2 };

/* A step that is no lock, and the locks around it. */
struct item {
  struct mapping_step step;
  unsigned locks;
};

struct items {
  struct item at[MOST_ITEMS];
  unsigned count;
};

/* false: it has something that patterns do not. */
static bool items_of(const struct mapping_cell *cell, struct items *items) {
  unsigned locks = 0;
  items->count = 0;
  for (unsigned i = 0; i < cell->step_count; i++) {
    struct mapping_step step = cell->steps[i];
    bool rmw = step.op == HW_LOCK_RMW || step.op == HW_UNLOCK_RMW;
    if (step.posted || (rmw && step.target != TARGET_DEV)) return false;
    if (hw_is_lock(step.op)) {
      if (locks & (rmw ? RMW_HELD : LINE_HELD)) return false;
      locks |= rmw ? RMW_HELD : LINE_HELD;
    } else if (hw_is_unlock(step.op)) {
      locks &= ~(unsigned)(rmw ? RMW_HELD : LINE_HELD);
    } else if (items->count == MOST_ITEMS) {
      return false;
    } else {
      items->at[items->count++] = (struct item){step, locks};
    }
  }
  return true;
}

static bool is_within(const struct item *item, const struct item *pattern) {
  if (item->step.op != pattern->step.op || item->step.level != pattern->step.level) return false;
  if (hw_is_access(item->step.op) ? false : item->step.target > pattern->step.target) return false;
  return !(item->locks & ~pattern->locks);
}

/* Each step takes the first of the pattern's that is left and has it within. */
bool pattern_covers(const struct mapping_cell *pattern, const struct mapping_cell *cell) {
  struct items all, some;
  unsigned found = 0;
  if (!items_of(pattern, &all) || !items_of(cell, &some)) return false;
  for (unsigned i = 0; i < all.count && found < some.count; i++) found += is_within(&some.at[found], &all.at[i]);
  return found == some.count;
}

/* ---- stronger ones ---- */

/* What is before the access, or after it. */
struct side {
  struct mapping_step at[SIDE * 2];
  unsigned count;
};

struct shape {
  struct side sides[2]; /* before, after */
  struct mapping_step access;
  unsigned locks; /* around all of it */
};

static struct mapping_cell *cell_of(struct arena *arena, const struct mapping_cell *like, const struct shape *shape) {
  VEC(struct mapping_step) steps = {0};
  struct mapping_cell *cell = ARENA_NEW(arena, struct mapping_cell);
  if (shape->locks & RMW_HELD)
    *vec_push(arena, &steps) = (struct mapping_step){.op = HW_LOCK_RMW, .target = TARGET_DEV};
  if (shape->locks & LINE_HELD) *vec_push(arena, &steps) = (struct mapping_step){.op = HW_LOCK_LINE};
  for (unsigned i = 0; i < shape->sides[0].count; i++) *vec_push(arena, &steps) = shape->sides[0].at[i];
  *vec_push(arena, &steps) = shape->access;
  for (unsigned i = 0; i < shape->sides[1].count; i++) *vec_push(arena, &steps) = shape->sides[1].at[i];
  if (shape->locks & LINE_HELD) *vec_push(arena, &steps) = (struct mapping_step){.op = HW_UNLOCK_LINE};
  if (shape->locks & RMW_HELD)
    *vec_push(arena, &steps) = (struct mapping_step){.op = HW_UNLOCK_RMW, .target = TARGET_DEV};
  *cell = *like;
  cell->steps = steps.at;
  cell->step_count = (unsigned)steps.count;
  return cell;
}

/* The cell with its locks left out. */
static bool shape_of(const struct mapping_cell *cell, struct shape *shape) {
  struct items items;
  *shape = (struct shape){.locks = 0};
  if (!items_of(cell, &items) || items.count > SIDE) return false;
  unsigned side = 0;
  for (unsigned i = 0; i < items.count; i++)
    if (hw_is_access(items.at[i].step.op)) {
      shape->access = items.at[i].step;
      side = 1;
    } else {
      shape->sides[side].at[shape->sides[side].count++] = items.at[i].step;
    }
  return side == 1;
}

struct strengthening {
  struct arena *arena;
  const struct mapping_cell *cell, *best;
  struct shape shape;
  bool (*accepts)(void *context, const struct mapping_cell *pattern);
  void *context;
};

/* Takes a shape, if it has the cell within it and is accepted. */
static bool take(struct strengthening *s, const struct shape *shape) {
  const struct mapping_cell *pattern = cell_of(s->arena, s->cell, shape);
  if (!pattern_covers(pattern, s->best) || !s->accepts(s->context, pattern)) return false;
  s->shape = *shape;
  s->best = pattern;
  return true;
}

/* Flushes and invalidations in turns, so that any so many steps are within; -1: none. */
static struct side turns(unsigned steps, int flush, int invalidate) {
  struct side side = {.count = 0};
  for (unsigned i = 0; i < steps && i < SIDE; i++) {
    if (flush >= 0) side.at[side.count++] = (struct mapping_step){.op = HW_FLU, .target = (enum hw_target)flush};
    if (invalidate >= 0)
      side.at[side.count++] = (struct mapping_step){.op = HW_INV, .target = (enum hw_target)invalidate};
  }
  return side;
}

static void strengthen_side(struct strengthening *s, unsigned steps, unsigned side) {
  static const int TURNS[][2] = {{TARGET_DEV, TARGET_DEV}, {TARGET_WG, TARGET_DEV}, {TARGET_DEV, TARGET_WG},
                                 {TARGET_WG, TARGET_WG},   {-1, TARGET_DEV},        {TARGET_DEV, -1},
                                 {-1, TARGET_WG},          {TARGET_WG, -1}};
  for (unsigned i = 0; i < ARRAY_COUNT(TURNS); i++) {
    struct shape shape = s->shape;
    shape.sides[side] = turns(steps, TURNS[i][0], TURNS[i][1]);
    if (take(s, &shape)) return;
  }
}

/* All of it; else more of its locks, then of what is before, then of what comes after. */
const struct mapping_cell *pattern_strengthen(struct arena *arena, const struct mapping_cell *cell, unsigned steps,
                                              bool (*accepts)(void *context, const struct mapping_cell *pattern),
                                              void *context) {
  struct strengthening s = {.arena = arena, .cell = cell, .best = cell, .accepts = accepts, .context = context};
  if (!shape_of(cell, &s.shape)) return cell;
  struct shape most = s.shape;
  most.sides[0] = most.sides[1] = turns(steps, TARGET_DEV, TARGET_DEV);
  most.locks = LINE_HELD | RMW_HELD;
  if (take(&s, &most)) return s.best;
  bool locked = false;
  for (unsigned locks = LINE_HELD | RMW_HELD; locks > 0 && !locked; locks--) {
    struct shape shape = s.shape;
    shape.locks = locks;
    locked = take(&s, &shape);
  }
  /* What has locks around a part stays as it is, where they cannot be around the whole. */
  const struct mapping_cell *plain = cell_of(arena, cell, &s.shape);
  if (!locked && !pattern_covers(plain, cell)) return cell;
  for (unsigned side = 0; side < 2; side++) strengthen_side(&s, steps, side);
  return s.best;
}

/* ---- as text ---- */

static const struct {
  const char *word;
  struct mapping_step step;
} WORDS[] = {
    {"LK_rmw DV {", {.op = HW_LOCK_RMW, .target = TARGET_DEV}},
    {"LK {", {.op = HW_LOCK_LINE}},
    {"FLU_L1 WG", {.op = HW_FLU, .target = TARGET_WG}},
    {"FLU_L1 DV", {.op = HW_FLU, .target = TARGET_DEV}},
    {"INV_L1 WG", {.op = HW_INV, .target = TARGET_WG}},
    {"INV_L1 DV", {.op = HW_INV, .target = TARGET_DEV}},
    {"INC_L1", {.op = HW_RMW, .level = LEVEL_L1}},
    {"INC_L2", {.op = HW_RMW, .level = LEVEL_L2}},
    {"LD", {.op = HW_LD, .level = LEVEL_L1}},
    {"ST_L2", {.op = HW_ST, .level = LEVEL_L2}},
    {"ST", {.op = HW_ST, .level = LEVEL_L1}},
};

/* The step at the front of a text, which is moved past it; `open`: locks that are. */
static bool read_step(const char **text, enum hw_op *open, unsigned *depth, struct mapping_step *step) {
  if (**text == '}') {
    if (!*depth) return false;
    bool rmw = open[--*depth] == HW_LOCK_RMW;
    *step = rmw ? (struct mapping_step){.op = HW_UNLOCK_RMW, .target = TARGET_DEV}
                : (struct mapping_step){.op = HW_UNLOCK_LINE};
    ++*text;
    return true;
  }
  for (unsigned i = 0; i < ARRAY_COUNT(WORDS); i++) {
    size_t length = strlen(WORDS[i].word);
    if (strncmp(*text, WORDS[i].word, length) != 0) continue;
    *step = WORDS[i].step;
    *text += length;
    if (hw_is_lock(step->op) && *depth == 2) return false;
    if (hw_is_lock(step->op)) open[(*depth)++] = step->op;
    return true;
  }
  return false;
}

struct mapping_cell *pattern_parse(struct arena *arena, const char *text, enum mapping_kind kind) {
  static const enum hw_op ACCESSES[] = {HW_LD, HW_ST, HW_RMW};
  VEC(struct mapping_step) steps = {0};
  enum hw_op open[2];
  unsigned depth = 0, accesses = 0;
  while (*text) {
    struct mapping_step *step = vec_push(arena, &steps);
    if (!read_step(&text, open, &depth, step)) return NULL;
    accesses += step->op == ACCESSES[kind];
    if (hw_is_access(step->op) && step->op != ACCESSES[kind]) return NULL;
    text += strspn(text, "; ");
  }
  if (depth || accesses != 1) return NULL;
  return ARENA_MAKE(arena, struct mapping_cell, .kind = kind, .regions = REGION_GLOBAL, .steps = steps.at,
                    .step_count = (unsigned)steps.count);
}
