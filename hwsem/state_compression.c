/* SPDX-License-Identifier: MIT */
/* Dictionaries level by level.  States are folded some at a time, place by place, so that each
 * dictionary fetches what it needs for all of them at once.  Who folds has the lock in common with
 * others; who finds a dictionary without room grows it alone and goes on. */
#include "hwsem/state_compression.h"

#include <stdlib.h>
#include <string.h>

#include "hwsem/packed_number_pairs.h"

enum { LEVELS = 32, WORD = sizeof(uint64_t), TOGETHER = DICTIONARY_TOGETHER };

/* Level 0 has a number for each word, the last level two: the root's halves. */
struct level {
  size_t width, first; /* numbers; the first dictionary of those that merge them */
};

struct tree {
  size_t words;
  uint64_t last_mask; /* of the last word, what belongs to a state */
  unsigned level_count;
  struct level levels[LEVELS];
  pthread_rwlock_t lock;
  size_t dictionary_count;
  struct dictionary dictionaries[];
};

struct tree *tree_new(size_t state_size) {
  size_t words = state_size > WORD ? (state_size + WORD - 1) / WORD : 1;
  size_t count = words > 1 ? 2 * words - 2 : 0; /* a leaf each, and each merging leaves one number less */
  struct tree *tree = calloc(1, sizeof *tree + count * sizeof *tree->dictionaries);
  if (!tree) return NULL;
  tree->words = words;
  tree->last_mask = state_size ? ~UINT64_C(0) >> (8 * (-state_size % WORD)) : 0;
  tree->dictionary_count = count;
  pthread_rwlock_init(&tree->lock, NULL);
  for (size_t i = 0; i < count; i++) dictionary_init(&tree->dictionaries[i]);
  size_t first = words;
  for (size_t width = words; width > 2; width = (width + 1) / 2) {
    tree->levels[tree->level_count++] = (struct level){width, first};
    first += width / 2;
  }
  return tree;
}

void tree_free(struct tree *tree) {
  if (!tree) return;
  for (size_t i = 0; i < tree->dictionary_count; i++) dictionary_free(&tree->dictionaries[i]);
  pthread_rwlock_destroy(&tree->lock);
  free(tree);
}

/* Folding.  `parts` are rows of TOGETHER numbers, one row for each place of a level. */

static void cut(const struct tree *tree, const uint8_t *states, size_t stride, uint32_t count,
                uint64_t (*parts)[TOGETHER]) {
  size_t words = tree->words;
  for (size_t k = 0; k < words; k++)
    for (uint32_t i = 0; i < count; i++) memcpy(&parts[k][i], states + i * stride + k * WORD, WORD);
  for (uint32_t i = 0; i < count; i++) parts[words - 1][i] &= tree->last_mask;
}

/* Merges the numbers of a level by two.  false: a dictionary has no room. */
static bool merge(struct tree *tree, const struct level *level, uint32_t count, uint64_t (*parts)[TOGETHER]) {
  for (size_t k = 0; k < level->width / 2; k++) {
    for (uint32_t i = 0; i < count; i++) parts[k][i] = pair_of(parts[2 * k][i], parts[2 * k + 1][i]);
    if (!dictionary_number(&tree->dictionaries[level->first + k], parts[k], count)) return false;
  }
  if (level->width % 2) memcpy(parts[level->width / 2], parts[level->width - 1], sizeof *parts);
  return true;
}

/* Up to TOGETHER states. */
static bool fold(struct tree *tree, const uint8_t *states, size_t stride, uint32_t count, uint64_t *roots) {
  size_t words = tree->words;
  uint64_t parts[words][TOGETHER];
  cut(tree, states, stride, count, parts);
  if (words == 1) {
    memcpy(roots, parts[0], count * sizeof *roots);
    return true;
  }
  for (size_t k = 0; k < words; k++)
    if (!dictionary_number(&tree->dictionaries[k], parts[k], count)) return false;
  for (const struct level *level = tree->levels; level < tree->levels + tree->level_count; level++)
    if (!merge(tree, level, count, parts)) return false;
  for (uint32_t i = 0; i < count; i++) roots[i] = pair_of(parts[0][i], parts[1][i]);
  return true;
}

/* The dictionaries that have no room. */
static bool grow(struct tree *tree) {
  bool ok = true;
  pthread_rwlock_wrlock(&tree->lock);
  for (size_t i = 0; ok && i < tree->dictionary_count; i++) ok = dictionary_grow(&tree->dictionaries[i]);
  pthread_rwlock_unlock(&tree->lock);
  return ok;
}

bool tree_fold(struct tree *tree, const void *states, size_t stride, uint32_t count, uint64_t *roots) {
  const uint8_t *from = states;
  bool ok = true;
  pthread_rwlock_rdlock(&tree->lock);
  for (uint32_t i = 0; ok && i < count;) {
    uint32_t some = count - i < TOGETHER ? count - i : TOGETHER;
    if (fold(tree, from + i * stride, stride, some, roots + i)) {
      i += some;
      continue;
    }
    pthread_rwlock_unlock(&tree->lock);
    ok = grow(tree);
    pthread_rwlock_rdlock(&tree->lock);
  }
  pthread_rwlock_unlock(&tree->lock);
  return ok;
}

const void *tree_unfold(const struct tree *tree, uint64_t root, void *state) {
  size_t words = tree->words;
  uint64_t parts[words + 1];
  if (words == 1) return memcpy(state, &root, sizeof root);
  memset(parts, 0, sizeof parts); /* clang-tidy does not see that the levels fill all of it */
  parts[0] = root >> 32;
  parts[1] = (uint32_t)root;
  for (unsigned k = tree->level_count; k-- > 0;) {
    const struct level *level = &tree->levels[k];
    if (level->width % 2) parts[level->width - 1] = parts[level->width / 2];
    for (size_t i = level->width / 2; i-- > 0;) {
      uint64_t key = dictionary_word(&tree->dictionaries[level->first + i], (uint32_t)parts[i]);
      parts[2 * i] = key >> 32;
      parts[2 * i + 1] = (uint32_t)key;
    }
  }
  for (size_t i = 0; i < words; i++) parts[i] = dictionary_word(&tree->dictionaries[i], (uint32_t)parts[i]);
  return memcpy(state, parts, words * WORD);
}

uint64_t tree_bytes(struct tree *tree) {
  uint64_t bytes = sizeof *tree + tree->dictionary_count * sizeof *tree->dictionaries;
  pthread_rwlock_rdlock(&tree->lock);
  for (size_t i = 0; i < tree->dictionary_count; i++) bytes += dictionary_bytes(&tree->dictionaries[i]);
  pthread_rwlock_unlock(&tree->lock);
  return bytes;
}
