/* SPDX-License-Identifier: MIT */
/* Dictionaries, and the roots of states in planes.  A plane holds some bits of all roots
 * of a chunk and is made when one of these needs it: the low 16 bits of both halves, the
 * next 8, the last 8. */
#include "hwsem/tree.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { CHUNK_BITS = 16, CHUNK = 1 << CHUNK_BITS, CHUNKS = 1 << (32 - CHUNK_BITS) };
enum { FIRST_BITS = 10, BLOCKS = 32 - FIRST_BITS, LEVELS = 32, WORD = sizeof(uint64_t) };

/* Keys and their numbers.  Blocks of keys, each twice as large as the one before, never
 * move: they are read while others are added. */
struct dictionary {
  uint64_t *blocks[BLOCKS];
  uint32_t *slots; /* number + 1; 0: free */
  size_t mask;
  uint32_t count;
};

struct planes {
  uint32_t *low; /* (left & 0xffff) << 16 | (right & 0xffff) */
  _Atomic(uint16_t *) middle, high;
};

/* Level 0 has a number for each word, the last level two: the root's halves. */
struct level {
  size_t width, first; /* numbers; the first dictionary of those that merge them */
};

struct tree {
  size_t words;
  uint64_t last_mask; /* of the last word, what belongs to a state */
  unsigned level_count;
  struct level levels[LEVELS];
  uint64_t root_bytes;
  struct planes *chunks;
  size_t dictionary_count;
  struct dictionary dictionaries[];
};

/* Dictionaries. */

static inline unsigned block_of(uint32_t number, uint32_t *at) {
  uint64_t n = (uint64_t)number + (1 << FIRST_BITS);
  unsigned bit = 63 - (unsigned)__builtin_clzll(n);
  *at = (uint32_t)(n - (UINT64_C(1) << bit));
  return bit - FIRST_BITS;
}

static inline uint64_t key_at(const struct dictionary *d, uint32_t number) {
  uint32_t at;
  unsigned block = block_of(number, &at);
  return d->blocks[block][at];
}

static inline size_t find(const struct dictionary *d, uint64_t key) {
  size_t i = tree_hash(key) & d->mask;
  while (d->slots[i] && key_at(d, d->slots[i] - 1) != key) i = (i + 1) & d->mask;
  return i;
}

static bool grow(struct dictionary *d) {
  size_t room = d->slots ? 2 * (d->mask + 1) : 64;
  free(d->slots);
  d->slots = calloc(room, sizeof *d->slots);
  if (!d->slots) return false;
  d->mask = room - 1;
  for (uint32_t i = 0; i < d->count; i++) d->slots[find(d, key_at(d, i))] = i + 1;
  return true;
}

static inline bool number_of(struct dictionary *d, uint64_t key, uint64_t *number) {
  if (2 * (size_t)d->count >= d->mask && !grow(d)) return false;
  size_t i = find(d, key);
  if (!d->slots[i]) {
    uint32_t at;
    unsigned block = block_of(d->count, &at);
    if (d->count == UINT32_MAX - 1 || block == BLOCKS) return false;
    if (!d->blocks[block] && !(d->blocks[block] = malloc(sizeof(uint64_t) << (block + FIRST_BITS)))) return false;
    d->blocks[block][at] = key;
    d->slots[i] = ++d->count;
  }
  *number = d->slots[i] - 1;
  return true;
}

/* Trees. */

struct tree *tree_new(size_t state_size) {
  size_t words = state_size > WORD ? (state_size + WORD - 1) / WORD : 1;
  size_t count = words > 1 ? 2 * words - 2 : 0; /* a leaf each, and each merging leaves one number less */
  struct tree *tree = calloc(1, sizeof *tree + count * sizeof *tree->dictionaries);
  if (!tree) return NULL;
  tree->words = words;
  tree->last_mask = state_size ? ~UINT64_C(0) >> (8 * (-state_size % WORD)) : 0;
  tree->dictionary_count = count;
  size_t first = words;
  for (size_t width = words; width > 2; width = (width + 1) / 2) {
    tree->levels[tree->level_count++] = (struct level){width, first};
    first += width / 2;
  }
  tree->chunks = calloc(CHUNKS, sizeof *tree->chunks);
  if (tree->chunks) return tree;
  tree_free(tree);
  return NULL;
}

void tree_free(struct tree *tree) {
  if (!tree) return;
  for (size_t i = 0; tree->chunks && i < CHUNKS && tree->chunks[i].low; i++) {
    free(tree->chunks[i].low);
    free(tree->chunks[i].middle);
    free(tree->chunks[i].high);
  }
  for (size_t i = 0; i < tree->dictionary_count; i++) {
    for (unsigned k = 0; k < BLOCKS; k++) free(tree->dictionaries[i].blocks[k]);
    free(tree->dictionaries[i].slots);
  }
  free(tree->chunks);
  free(tree);
}

static inline uint64_t pair(uint64_t left, uint64_t right) {
  return left << 32 | right;
}

bool tree_fold(struct tree *tree, const void *state, uint64_t *root) {
  size_t words = tree->words;
  uint64_t parts[words + 1];
  memcpy(parts, state, words * WORD);
  parts[words - 1] &= tree->last_mask;
  *root = parts[0];
  if (words == 1) return true;
  for (size_t i = 0; i < words; i++)
    if (!number_of(&tree->dictionaries[i], parts[i], &parts[i])) return false;
  for (const struct level *level = tree->levels; level < tree->levels + tree->level_count; level++) {
    for (size_t i = 0; i < level->width / 2; i++)
      if (!number_of(&tree->dictionaries[level->first + i], pair(parts[2 * i], parts[2 * i + 1]), &parts[i]))
        return false;
    if (level->width % 2) parts[level->width / 2] = parts[level->width - 1];
  }
  *root = pair(parts[0], parts[1]);
  return true;
}

const void *tree_read(const struct tree *tree, uint32_t index, void *state) {
  size_t words = tree->words;
  uint64_t parts[words + 1], root = tree_root(tree, index);
  if (words == 1) return memcpy(state, &root, sizeof root);
  memset(parts, 0, sizeof parts); /* clang-tidy does not see that the levels fill all of it */
  parts[0] = root >> 32;
  parts[1] = (uint32_t)root;
  for (unsigned k = tree->level_count; k-- > 0;) {
    const struct level *level = &tree->levels[k];
    if (level->width % 2) parts[level->width - 1] = parts[level->width / 2];
    for (size_t i = level->width / 2; i-- > 0;) {
      uint64_t key = key_at(&tree->dictionaries[level->first + i], (uint32_t)parts[i]);
      parts[2 * i] = key >> 32;
      parts[2 * i + 1] = (uint32_t)key;
    }
  }
  for (size_t i = 0; i < words; i++) parts[i] = key_at(&tree->dictionaries[i], (uint32_t)parts[i]);
  return memcpy(state, parts, words * WORD);
}

/* Roots. */

static bool set_plane(struct tree *tree, _Atomic(uint16_t *) *plane, size_t at, uint64_t left, uint64_t right) {
  uint16_t *bits = atomic_load_explicit(plane, memory_order_relaxed);
  uint16_t value = (uint16_t)((left & 0xff) << 8 | (right & 0xff));
  if (!bits && value) {
    bits = calloc(CHUNK, sizeof *bits);
    if (!bits) return false;
    tree->root_bytes += CHUNK * sizeof *bits;
    atomic_store_explicit(plane, bits, memory_order_release);
  }
  if (bits) bits[at] = value;
  return true;
}

bool tree_append(struct tree *tree, uint32_t index, uint64_t root) {
  struct planes *p = &tree->chunks[index >> CHUNK_BITS];
  size_t at = index & (CHUNK - 1);
  uint64_t left = root >> 32, right = (uint32_t)root;
  if (!p->low) {
    p->low = malloc(CHUNK * sizeof *p->low);
    if (!p->low) return false;
    tree->root_bytes += CHUNK * sizeof *p->low;
  }
  p->low[at] = (uint32_t)((left & 0xffff) << 16 | (right & 0xffff));
  return set_plane(tree, &p->middle, at, left >> 16, right >> 16) &&
         set_plane(tree, &p->high, at, left >> 24, right >> 24);
}

static inline uint64_t plane_bits(const _Atomic(uint16_t *) *plane, size_t at, unsigned shift) {
  const uint16_t *bits = atomic_load_explicit(plane, memory_order_acquire);
  return bits ? pair((uint64_t)(bits[at] >> 8) << shift, (uint64_t)(bits[at] & 0xff) << shift) : 0;
}

uint64_t tree_root(const struct tree *tree, uint32_t index) {
  const struct planes *p = &tree->chunks[index >> CHUNK_BITS];
  size_t at = index & (CHUNK - 1);
  return pair(p->low[at] >> 16, p->low[at] & 0xffff) | plane_bits(&p->middle, at, 16) | plane_bits(&p->high, at, 24);
}

const void *tree_root_place(const struct tree *tree, uint32_t index) {
  return &tree->chunks[index >> CHUNK_BITS].low[index & (CHUNK - 1)];
}

uint64_t tree_bytes(const struct tree *tree) {
  uint64_t bytes = tree->root_bytes + sizeof *tree;
  for (size_t i = 0; i < tree->dictionary_count; i++) {
    const struct dictionary *d = &tree->dictionaries[i];
    bytes += d->slots ? (d->mask + 1) * sizeof *d->slots : 0;
    for (unsigned k = 0; k < BLOCKS; k++) bytes += d->blocks[k] ? sizeof(uint64_t) << (k + FIRST_BITS) : 0;
  }
  return bytes;
}
