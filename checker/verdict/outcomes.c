/* SPDX-License-Identifier: MIT */
/* Sets of outcomes: a hash table while they are collected, since runs by the
 * million end in few of them; then a sorted array, searched by halves. */
#include "checker/verdict/outcomes.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"

void outcomes_open(struct outcomes *outcomes, struct arena *arena, unsigned width) {
  *outcomes = (struct outcomes){.arena = arena, .width = width};
}

struct outcome *outcomes_add(struct outcomes *o, const int64_t *values) {
  uint64_t hash = hash_bytes(values, o->width * sizeof *values);
  HASH_EACH (at, &o->table, hash) {
    struct outcome *outcome = &o->at[hash_number(&o->table, at)];
    if (!memcmp(outcome->values, values, o->width * sizeof *values)) return outcome;
  }
  int64_t *copy = ARENA_COPY(o->arena, int64_t, values, o->width);
  hash_add(o->arena, &o->table, hash, (uint32_t)o->count);
  struct outcome *outcome = vec_push(o->arena, o);
  outcome->values = copy;
  return outcome;
}

static int by_values(const void *a, const void *b, void *width) {
  return outcome_compare(((const struct outcome *)a)->values, ((const struct outcome *)b)->values,
                         *(const unsigned *)width);
}

/* Many that come from one engine come in order. */
static bool in_order(const struct outcomes *o) {
  for (size_t i = 1; i < o->count; i++)
    if (outcome_compare(o->at[i - 1].values, o->at[i].values, o->width) > 0) return false;
  return true;
}

void outcomes_sort(struct outcomes *o) {
  if (!in_order(o)) qsort_r(o->at, o->count, sizeof *o->at, by_values, &o->width);
  o->table = (struct hash_table){0};
}

const struct outcome *outcomes_find(const struct outcomes *o, const int64_t *values) {
  size_t low = 0, high = o->count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    int order = outcome_compare(o->at[middle].values, values, o->width);
    if (order == 0) return &o->at[middle];
    if (order < 0)
      low = middle + 1;
    else
      high = middle;
  }
  return NULL;
}

struct outcomes outcomes_keep(struct arena *arena, const struct outcomes *from) {
  struct outcomes kept;
  outcomes_open(&kept, arena, from->width);
  for (size_t i = 0; i < from->count; i++) outcomes_add(&kept, from->at[i].values)->count = from->at[i].count;
  outcomes_sort(&kept);
  return kept;
}

bool outcomes_answer(const struct outcomes *o, enum quantifier quantifier) {
  switch (quantifier) {
    case QUANT_EXISTS:
      return o->matching > 0;
    case QUANT_NOT_EXISTS:
      return o->matching == 0;
    case QUANT_FORALL:
      break;
  }
  return o->failing == 0;
}

const char *outcomes_observation(const struct outcomes *outcomes) {
  return !outcomes->matching ? "Never" : outcomes->failing ? "Sometimes" : "Always";
}
