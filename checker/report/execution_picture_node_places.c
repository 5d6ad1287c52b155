/* SPDX-License-Identifier: MIT */
/* Pictures of executions: where nodes go.  Threads are columns, in the order of
 * the groups that they belong to; rows follow program order and reads-from. */
#include <stdlib.h>
#include <string.h>

#include "checker/report/execution_picture_drawing.h"

/* Sizes in points, but for the step of program order, in rows. */
enum { PO_STEP = 2, GROUP_GAP = 26 };

double drawing_node_height(const struct drawing *d) {
  return d->look->instructions ? 1.7 * DRAWING_NODE_HEIGHT : DRAWING_NODE_HEIGHT;
}

double drawing_lift(const struct drawing *d) {
  return (drawing_node_height(d) - DRAWING_NODE_HEIGHT) / 2;
}

/* Edges are led around boxes where there is room between them. */
static double row_height(const struct drawing *d) {
  return d->look->instructions ? 1.3 * DRAWING_UNIT : DRAWING_UNIT;
}

/* ADSM: kernels run below their call, in call order, and above the sync that
 * waits for them. */
static int rows_around_kernels(const struct event *a, const struct event *b) {
  if (a->thread != b->thread || a->launch == b->launch) return 0;
  if (a->kind == EVENT_CALL && b->launch == a->po_index + 1) return 1;
  if (a->launch && b->kind == EVENT_SYNC && b->po_index >= a->launch) return 1;
  return a->launch && a->launch < b->launch ? PO_STEP : 0;
}

/* How many rows b stands below a, at least. */
static int rows_between(const struct drawing *d, unsigned a, unsigned b, bool with_rf) {
  const struct event *events = d->x->events;
  if (events[a].thread < 0) return 0;
  if (rel_has(d->shape, d->x->po, a, b)) return PO_STEP;
  int rows = rows_around_kernels(&events[a], &events[b]);
  return !rows && with_rf && rel_has(d->shape, d->x->rf, a, b) ? 1 : rows;
}

/* One round of pushing events below those they follow; true when some moved. */
static bool push_down(struct drawing *d, int *row, bool with_rf) {
  bool moved = false;
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      int rows = rows_between(d, a, b, with_rf);
      if (!rows || row[b] >= row[a] + rows) continue;
      row[b] = row[a] + rows;
      moved = true;
    }
  return moved;
}

/* Rows: program order downwards, and reads a little below the writes that they
 * read from unless that goes in a circle. */
void drawing_place_rows(struct drawing *d) {
  unsigned n = d->shape.n;
  int *row = ARENA_ARRAY(d->arena, int, n);
  bool settled = false;
  for (unsigned round = 0; round <= n && !settled; round++) settled = !push_down(d, row, true);
  if (!settled) {
    memset(row, 0, n * sizeof *row);
    while (push_down(d, row, false)) continue;
  }
  int deepest = 0;
  for (unsigned e = 0; e < n; e++) {
    if (row[e] > deepest) deepest = row[e];
    d->y[e] = -row_height(d) * (double)row[e];
  }
  d->height = row_height(d) * (double)deepest;
}

/* ADSM: a kernel's events stand in a column of their own, right of their host's. */
static bool in_kernel(const struct drawing *d, unsigned e) {
  return d->x->events[e].launch > 0;
}

unsigned drawing_column_count(const struct drawing *d) {
  return 2 * d->x->program->thread_count;
}

unsigned drawing_column_of(const struct drawing *d, unsigned e) {
  return 2 * (unsigned)d->x->events[e].thread + in_kernel(d, e);
}

static bool has_subgroups(const struct program *program) {
  for (unsigned i = 0; i < program->thread_count; i++)
    for (unsigned j = 0; j < i; j++)
      if (program->threads[i].sg == program->threads[j].sg) return true;
  return false;
}

bool drawing_shows_level(const struct program *program, enum scope level) {
  if (level == SCOPE_SG && !program->level_words) return has_subgroups(program);
  return program_level_name(program, level);
}

const enum scope drawing_levels[DRAWING_LEVELS] = {SCOPE_SG, SCOPE_WG, SCOPE_QF, SCOPE_DEV};

static int compare_threads(const void *a, const void *b, void *context) {
  const struct program *program = context;
  unsigned i = *(const unsigned *)a, j = *(const unsigned *)b;
  const struct thread *s = &program->threads[i / 2], *t = &program->threads[j / 2];
  for (size_t l = DRAWING_LEVELS; l-- > 0;) {
    enum scope level = drawing_levels[l];
    unsigned a_in = thread_instance(s, level), b_in = thread_instance(t, level);
    if (drawing_shows_level(program, level) && a_in != b_in) return a_in < b_in ? -1 : 1;
  }
  return i < j ? -1 : i > j;
}

bool drawing_has_groups(const struct drawing *d) {
  return d->x->program->placed && !d->x->program->object_count;
}

static double gap_before(const struct drawing *d, unsigned k) {
  const struct thread *threads = d->x->program->threads;
  if (k == 0) return 0;
  const struct thread *s = &threads[d->column[k - 1] / 2], *t = &threads[d->column[k] / 2];
  if (!drawing_has_groups(d)) return DRAWING_COLUMN_GAP;
  double gap = DRAWING_COLUMN_GAP;
  for (size_t l = 0; l < DRAWING_LEVELS; l++) {
    enum scope level = drawing_levels[l];
    if (drawing_shows_level(d->x->program, level) && thread_instance(s, level) != thread_instance(t, level))
      gap += GROUP_GAP;
  }
  return gap;
}

void drawing_place_columns(struct drawing *d) {
  unsigned count = drawing_column_count(d);
  d->column = ARENA_ARRAY(d->arena, unsigned, count);
  d->column_x = ARENA_ARRAY(d->arena, double, count);
  d->column_width = ARENA_ARRAY(d->arena, double, count);
  for (unsigned e = 0; e < d->shape.n; e++) {
    if (d->x->events[e].thread < 0) continue;
    double *width = &d->column_width[drawing_column_of(d, e)];
    double wanted = drawing_text_width(d->label[e]) + 16;
    if (wanted > *width) *width = wanted;
  }
  for (unsigned k = 0; k < count; k++) d->column[k] = k;
  qsort_r(d->column, count, sizeof *d->column, compare_threads, (void *)(uintptr_t)d->x->program);
  double at = 0;
  for (unsigned k = 0; k < count; k++) {
    double width = d->column_width[d->column[k]];
    if (width <= 0) {
      d->column_x[d->column[k]] = at;
      continue;
    }
    at += gap_before(d, k);
    d->column_x[d->column[k]] = at + width / 2;
    at += width;
  }
}
