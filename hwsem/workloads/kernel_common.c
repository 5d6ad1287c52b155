/* SPDX-License-Identifier: MIT */
/* What kernels do alike: sorting a bucket, comparing answers. */
#include "hwsem/workloads/kernel_common.h"

void kernel_sort_bucket(struct work_thread *t, uint32_t at, uint32_t count) {
  for (uint32_t i = 1; i < count; i++) {
    int32_t key = work_load(t, at + i, WORK_PLAIN);
    uint32_t j = i;
    for (int32_t other; j > 0 && (other = work_load(t, at + j - 1, WORK_PLAIN)) > key; j--)
      work_store(t, at + j, other, WORK_PLAIN);
    work_store(t, at + j, key, WORK_PLAIN);
  }
}

/* Words against what they should be. */
const char *kernel_compare(struct arena *arena, const struct kernel *k, const char *what, struct kernel_words words,
                           const int32_t *right) {
  for (uint32_t i = 0; i < words.count; i++) {
    int32_t found = k->work->memory[words.at + i * words.spacing];
    if (found != right[i]) return arena_printf(arena, "%s %u is %d, and %d is right", what, i, found, right[i]);
  }
  return NULL;
}

int32_t *kernel_count_keys(struct arena *arena, const struct kernel *k, uint32_t range) {
  int32_t *counts = ARENA_ARRAY(arena, int32_t, range + 1);
  for (uint32_t i = 0; i < k->o.size; i++) counts[k->keys[i]]++;
  return counts;
}

const char *kernel_check_sorted(struct arena *arena, const struct kernel *k) {
  int32_t *counts = kernel_count_keys(arena, k, KERNEL_KEYS), *right = ARENA_ARRAY(arena, int32_t, k->o.size + 1);
  uint32_t n = 0;
  for (int32_t key = 0; key < KERNEL_KEYS; key++)
    for (; counts[key] > 0; counts[key]--) right[n++] = key;
  return kernel_compare(arena, k, "key", (struct kernel_words){k->output, 1, k->o.size}, right);
}
