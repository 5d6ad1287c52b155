/* SPDX-License-Identifier: MIT */
/* Sets of reads: unions are shared where one side holds nothing new. */
#include "checker/exec/paths/read_set.h"

#include <stdbool.h>

const struct reads no_reads = {0};

const struct reads *reads_union(struct arena *arena, const struct reads *a, const struct reads *b) {
  if (!a->count || a == b) return b;
  if (!b->count) return a;
  struct reads *both = arena_alloc(arena, sizeof *both + (a->count + b->count) * sizeof both->at[0]);
  unsigned i = 0, j = 0;
  while (i < a->count || j < b->count) {
    bool left = j == b->count || (i < a->count && a->at[i] <= b->at[j]);
    unsigned next = left ? a->at[i] : b->at[j];
    if (i < a->count && a->at[i] == next) i++;
    if (j < b->count && b->at[j] == next) j++;
    both->at[both->count++] = next;
  }
  return both;
}

const struct reads *reads_one(struct arena *arena, unsigned read) {
  struct reads *one = arena_alloc(arena, sizeof *one + sizeof one->at[0]);
  one->count = 1;
  one->at[0] = read;
  return one;
}
