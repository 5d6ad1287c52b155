/* SPDX-License-Identifier: MIT */
/* What the files of the kernels share (atomic_kernels.h). */
#ifndef LITSCOPE_HWSEM_WORKLOADS_KERNEL_COMMON_H
#define LITSCOPE_HWSEM_WORKLOADS_KERNEL_COMMON_H

#include "hwsem/workloads/atomic_kernels.h"

enum { KERNEL_PAUSE = 20, KERNEL_KEYS = 65536 }; /* cycles between two looks; keys of a sort */

struct kernel {
  struct kernel_options o;
  struct arena *arena;
  struct work *work;
  const struct graph *graph;
  const uint32_t *keys;
  uint32_t input, output, bins, count, lock, image, queue; /* in simulated memory */
};

/* A thread's part of `size` pieces of work. */
struct kernel_share {
  uint32_t from, end;
};

static inline struct kernel_share kernel_share(const struct kernel *k, const struct work_thread *t, uint32_t size) {
  return (struct kernel_share){(uint32_t)((uint64_t)size * t->index / k->o.threads),
                               (uint32_t)((uint64_t)size * (t->index + 1) / k->o.threads)};
}

static inline void kernel_think(const struct kernel *k, struct work_thread *t) {
  work_compute(t, k->o.think);
}

/* A word on a line of its own. */
static inline uint32_t kernel_spaced(uint32_t base, uint32_t i) {
  return base + i * WORK_LINE;
}

/* Sorts the keys of a bucket, by insertion, in words that the thread alone uses. */
void kernel_sort_bucket(struct work_thread *t, uint32_t at, uint32_t count);

/* Words from `at` on, each `spacing` after the last, against what they should be: NULL, or what is wrong. */
struct kernel_words {
  uint32_t at, spacing, count;
};
const char *kernel_compare(struct arena *arena, const struct kernel *k, const char *what, struct kernel_words words,
                           const int32_t *right);

/* How many of a kernel's keys there are of each, below `range`; are they sorted? */
int32_t *kernel_count_keys(struct arena *arena, const struct kernel *k, uint32_t range);
const char *kernel_check_sorted(struct arena *arena, const struct kernel *k);

/* A kernel: what each thread does, its input, and whether the answer is right. */
struct kernel_code {
  void (*body)(struct work_thread *t);
  void (*place)(struct kernel *k);
  const char *(*check)(struct arena *arena, const struct kernel *k);
};

/* fear_kernels.c: from KERNEL_FLUID on. */
extern const struct kernel_code kernel_fear_codes[KERNEL_KINDS];

#endif
