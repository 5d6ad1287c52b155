/* SPDX-License-Identifier: MIT */
/* What the host prepares for a launch and makes of its results: tables by which
 * parts are dealt, cells are laid out and order is shuffled, and the histogram.
 *
 * Plain C that is C++ too, with nothing of litscope's: the same text is compiled
 * into litscope and written into the folders of `litscope run -emit`.
 *
 *   params[]  numbers the kernel reads, TABLE_* below, then the place of each
 *             cell among an instance's cells
 *   deal[]    by step and testing work-group: which team and part (low half),
 *             and by how many work-items roles are turned (high half)
 *   places[]  by instance: the place of its cells among those of all instances
 *
 * In each step all testing work-groups are dealt into teams of one group for
 * each part; each lane of a team plays one instance.  Everything follows from
 * one seed by Steele, Lea and Flood's SplitMix64 (OOPSLA 2014).
 */
#ifndef LITSCOPE_TABLES_H
#define LITSCOPE_TABLES_H

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What happens then; litscope has its own way. */
#ifndef TABLES_OUT_OF_MEMORY
#define TABLES_OUT_OF_MEMORY() abort()
#endif

enum {
  TABLE_STEPS,
  TABLE_GROUPS,
  TABLE_STRIDE,
  TABLE_SPINS,
  TABLE_PRE,
  TABLE_ROUNDS,
  TABLE_LINES,
  TABLE_LINE,
  TABLE_PATTERN,
  TABLE_INSTANCES,
  TABLE_GATHER,
  TABLE_CELLS /* and after it the places of cells; the last is where parts meet */
};

/* Numbers at the beginning of the array that is stressed, each on a cache line
 * of its own: how many testing groups are through, and how many have begun. */
enum { PAD_DONE = 0, PAD_BEGUN = 32, PAD_STRESS = 64 };

/* What the kernel's text fixes. */
struct table_shape {
  uint32_t parts, items, lanes;
  uint32_t cells;   /* of an instance, without the one to meet at */
  uint32_t results; /* values that an instance reports: registers, then local cells */
  uint32_t wide;    /* bytes of a value: 4 or 8 */
  uint32_t turns;   /* roles may be turned within a group */
};

/* What may be chosen for each launch. */
struct launch {
  uint32_t instances; /* wanted; tables_instances says how many there are */
  uint32_t groups;    /* testing work-groups: a multiple of the parts */
  uint32_t stride, spins, shuffle;
  uint32_t gather, pre, stress_groups, rounds, lines, line, pattern;
};

static inline uint64_t tables_random(uint64_t *state) {
  uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
  z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
  z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
  return z ^ (z >> 31);
}

/* A number below `bound` (Lemire's reduction). */
static inline uint32_t tables_below(uint64_t *state, uint32_t bound) {
  return (uint32_t)(((tables_random(state) >> 32) * bound) >> 32);
}

/* 0 .. count - 1, in random order where `shuffle` says so. */
static inline void tables_order(uint64_t *state, uint32_t *order, uint32_t count, int shuffle) {
  for (uint32_t i = 0; i < count; i++) order[i] = i;
  for (uint32_t i = count; shuffle && i > 1; i--) {
    uint32_t j = tables_below(state, i), last = order[i - 1];
    order[i - 1] = order[j];
    order[j] = last;
  }
}

static inline uint32_t tables_teams(const struct table_shape *s, const struct launch *l) {
  return l->groups / s->parts;
}

static inline uint32_t tables_steps(const struct table_shape *s, const struct launch *l) {
  uint32_t a_step = tables_teams(s, l) * s->lanes;
  return (l->instances + a_step - 1) / a_step;
}

/* Whole steps: at least as many instances as wanted. */
static inline uint32_t tables_instances(const struct table_shape *s, const struct launch *l) {
  return tables_steps(s, l) * tables_teams(s, l) * s->lanes;
}

static inline size_t tables_params_size(const struct table_shape *s) {
  return TABLE_CELLS + s->cells + 1;
}

static inline size_t tables_deal_size(const struct table_shape *s, const struct launch *l) {
  return (size_t)tables_steps(s, l) * l->groups;
}

/* Values in the array of cells. */
static inline size_t tables_cells_size(const struct table_shape *s, const struct launch *l) {
  return (size_t)tables_instances(s, l) * (s->cells + 1) * l->stride;
}

static inline size_t tables_pad_size(const struct launch *l) {
  return PAD_STRESS + (size_t)l->lines * l->line;
}

static inline void tables_params(uint64_t *state, const struct table_shape *s, const struct launch *l,
                                 uint32_t *params) {
  params[TABLE_STEPS] = tables_steps(s, l);
  params[TABLE_GROUPS] = l->groups;
  params[TABLE_STRIDE] = l->stride;
  params[TABLE_SPINS] = l->spins;
  params[TABLE_PRE] = l->pre;
  params[TABLE_ROUNDS] = l->rounds;
  params[TABLE_LINES] = l->lines;
  params[TABLE_LINE] = l->line;
  params[TABLE_PATTERN] = l->pattern;
  params[TABLE_INSTANCES] = tables_instances(s, l);
  params[TABLE_GATHER] = l->gather;
  tables_order(state, params + TABLE_CELLS, s->cells + 1, l->shuffle != 0);
}

static inline void tables_deal(uint64_t *state, const struct table_shape *s, const struct launch *l, uint32_t *deal) {
  uint32_t steps = tables_steps(s, l);
  for (uint32_t step = 0; step < steps; step++) {
    uint32_t *row = deal + (size_t)step * l->groups;
    tables_order(state, row, l->groups, l->shuffle != 0);
    for (uint32_t g = 0; l->shuffle && s->turns && g < l->groups; g++) row[g] |= tables_below(state, s->items) << 16;
  }
}

/* The initial values of all instances; `cells` holds values of s->wide bytes. */
static inline void tables_fill(const struct table_shape *s, const struct launch *l, const uint32_t *params,
                               const long long *initial, void *cells) {
  uint32_t count = tables_instances(s, l);
  char *at = (char *)cells;
  for (uint32_t i = 0; i < count; i++, at += (size_t)(s->cells + 1) * l->stride * s->wide)
    for (uint32_t k = 0; k <= s->cells; k++) {
      long long value = k < s->cells ? initial[k] : 0;
      int32_t narrow = (int32_t)value;
      char *cell = at + (size_t)params[TABLE_CELLS + k] * l->stride * s->wide;
      if (s->wide == 8)
        memcpy(cell, &value, 8);
      else
        memcpy(cell, &narrow, 4);
    }
}

static inline long long tables_value(const struct table_shape *s, const void *array, size_t index) {
  long long value;
  int32_t narrow;
  if (s->wide == 8) {
    memcpy(&value, (const char *)array + index * 8, 8);
    return value;
  }
  memcpy(&narrow, (const char *)array + index * 4, 4);
  return narrow;
}

/* ---- the histogram ---- */

/* Outcomes, each of `width` values, with their counts; open addressing. */
struct histogram {
  uint32_t width;
  size_t count, room;
  long long *values; /* of outcome i from values[i * width], in order of appearance */
  unsigned long long *counts;
  uint32_t *slots; /* index of an outcome + 1; 0: free */
};

static inline uint64_t histogram_hash(const long long *values, uint32_t width) {
  uint64_t hash = 0;
  for (uint32_t i = 0; i < width; i++) {
    hash ^= (uint64_t)values[i];
    hash = tables_random(&hash);
  }
  return hash;
}

static inline void histogram_grow(struct histogram *h) {
  h->room = h->room ? h->room * 2 : 64;
  free(h->slots);
  h->values = (long long *)realloc(h->values, (h->room * h->width + 1) * sizeof *h->values);
  h->counts = (unsigned long long *)realloc(h->counts, h->room * sizeof *h->counts);
  h->slots = (uint32_t *)calloc(h->room * 2, sizeof *h->slots);
  if (!h->values || !h->counts || !h->slots) TABLES_OUT_OF_MEMORY();
  for (size_t i = 0; i < h->count; i++) {
    size_t at = histogram_hash(h->values + i * h->width, h->width) & (h->room * 2 - 1);
    while (h->slots[at]) at = (at + 1) & (h->room * 2 - 1);
    h->slots[at] = (uint32_t)i + 1;
  }
}

static inline void histogram_add(struct histogram *h, const long long *values, unsigned long long count) {
  if (h->count == h->room) histogram_grow(h);
  size_t mask = h->room * 2 - 1, at = histogram_hash(values, h->width) & mask;
  for (; h->slots[at]; at = (at + 1) & mask) {
    size_t i = h->slots[at] - 1;
    if (memcmp(h->values + i * h->width, values, h->width * sizeof *values) != 0) continue;
    h->counts[i] += count;
    return;
  }
  memcpy(h->values + h->count * h->width, values, h->width * sizeof *values);
  h->counts[h->count] = count;
  h->slots[at] = (uint32_t)++h->count;
}

static inline void histogram_free(struct histogram *h) {
  free(h->values);
  free(h->counts);
  free(h->slots);
}

/* Counts a launch: the values reported, then the last values of cells.  `values`
 * has room for one outcome. */
static inline void tables_count(const struct table_shape *s, const struct launch *l, const uint32_t *params,
                                const uint32_t *places, const void *results, const void *cells, struct histogram *h,
                                long long *values) {
  uint32_t count = tables_instances(s, l);
  for (uint32_t i = 0; i < count; i++) {
    for (uint32_t k = 0; k < s->results; k++) values[k] = tables_value(s, results, (size_t)k * count + i);
    size_t first = (size_t)places[i] * (s->cells + 1);
    for (uint32_t k = 0; k < s->cells; k++)
      values[s->results + k] = tables_value(s, cells, (first + params[TABLE_CELLS + k]) * l->stride);
    histogram_add(h, values, 1);
  }
}

#endif
