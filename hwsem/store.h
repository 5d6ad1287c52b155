/* SPDX-License-Identifier: MIT */
/* A set of states of one size, numbered in the order they came, with a hash table of
 * buckets beside.  States lie packed in chunks, or compressed: then their roots are kept (pairs.h),
 * in terms of a tree (tree.h) that several stores may have in common.
 *
 * A bucket is a cache line of twelve entries: tags of eight bits that are
 * compared together, and numbers of states.  A hash alone can lie, so a lookup
 * compares the whole state; tags only save most of the comparisons that would
 * fail.  A full bucket spills into the next one.
 *
 * Large sets are bound by cache misses, so states are added many at a time: the buckets
 * of all are fetched, then the states that these point to, and only then they are
 * looked up.
 *
 * One thread adds.  Others may meanwhile read states whose numbers it has handed them,
 * once there is room for all chunks (store_reserve_chunks): those never move.
 */
#ifndef LITSCOPE_HWSEM_STORE_H
#define LITSCOPE_HWSEM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hwsem/pairs.h"
#include "hwsem/tree.h"

#ifndef STORE_CHUNK_BITS /* smaller with sanitizers, whose books of a chunk cost more than its states */
#define STORE_CHUNK_BITS 18
#endif
enum { STORE_CHUNK = 1 << STORE_CHUNK_BITS };
enum { STORE_BUCKET = 12, STORE_PADDING = 8, STORE_LINE = 64 /* of a cache */ };

struct store_bucket {
  uint8_t tags[STORE_BUCKET]; /* 0: free */
  uint32_t used;
  uint32_t states[STORE_BUCKET];
};

struct store {
  size_t state_size;
  size_t stride;      /* between states in buffers: whole words */
  uint64_t last_mask; /* of a state's last word, what belongs to it */
  uint32_t most;      /* states */

  struct tree *tree;   /* the caller's; NULL: states are in chunks as they are */
  struct pairs roots;  /* beside a tree */
  uint8_t **chunks;    /* each STORE_CHUNK states */
  size_t chunk_bytes;  /* of each */
  uint8_t *next_chunk; /* made ahead */
  bool asked;          /* for it */

  /* What changes with every state lies apart from what others read meanwhile, and from the next store. */
  char apart[STORE_LINE];
  uint32_t count;
  uint32_t limit; /* states up to which the table need not grow */
  size_t chunk_count, chunk_room;
  struct store_bucket *buckets;
  size_t bucket_count, bucket_room;
  _Atomic uint64_t table_bytes;
  char apart_too[STORE_LINE];
};

void store_init(struct store *store);
void store_free(struct store *store);

/* Empties the store for states of `state_size` bytes, which `tree` compresses (NULL: they are not
 * compressed); keeps what memory fits.  false: no memory. */
bool store_reset(struct store *store, size_t state_size, struct tree *tree);

/* Word by word, each folded in by a multiplication (the mixing of wyhash).  At
 * least STORE_PADDING bytes must be readable behind the state.  A store finds the
 * bucket by the highest bits and the tag by the lowest STORE_TAG_BITS. */
#define STORE_HASH_SEED UINT64_C(0x9e3779b97f4a7c15)
enum { STORE_TAG_BITS = 8 };

static inline uint64_t store_fold(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t store_hash(const struct store *store, const void *state) {
  const uint8_t *at = state;
  uint64_t word, hash = STORE_HASH_SEED;
  size_t left = store->state_size;
  for (; left > sizeof word; left -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = store_fold(hash ^ word, UINT64_C(0xa0761d6478bd642f));
  }
  memcpy(&word, at, sizeof word);
  return store_fold(hash ^ (word & store->last_mask), UINT64_C(0xe7037ed1a0b428db));
}

static inline const void *store_packed_at(const struct store *store, uint32_t index) {
  return store->chunks[index >> STORE_CHUNK_BITS] + (size_t)(index & (STORE_CHUNK - 1)) * store->state_size;
}

/* State `index`: where it is, or in `buffer`, which has room for store_stride bytes. */
static inline const void *store_read(const struct store *store, uint32_t index, void *buffer) {
  if (store->tree) return tree_unfold(store->tree, pairs_at(&store->roots, index), buffer);
  return store_packed_at(store, index);
}

/* States that are to be added lie so far apart in buffers, with STORE_PADDING bytes
 * behind the last: whole words. */
static inline size_t store_stride(const struct store *store) {
  return store->stride;
}

/* What is to be added: of `states` and their `hashes`, or of their `roots` where they are compressed
 * (tree_fold), those that `which` numbers (NULL: the first), `count` in all. */
struct store_batch {
  const void *states;
  const uint64_t *hashes, *roots;
  const uint32_t *which;
  uint32_t count;
  uint32_t shift, low; /* an index is put as index << shift | low */
};

/* From now on at most so many states; store_reset takes that back. */
static inline void store_limit(struct store *store, uint32_t most) {
  store->most = most;
}

/* Adds states in their order, each unless it is there; indices[i]: where state i is now, behind
 * all that were there before if it was added.  false: memory or numbers ran out. */
bool store_add(struct store *store, const struct store_batch *batch, uint32_t *indices);

/* Grows the table, which store_add does by itself when it is full; false: no memory.  Who would have to
 * wait meanwhile may do it where it soon must be. */
bool store_grow(struct store *store);

static inline bool store_is_nearly_full(const struct store *store) {
  return store->buckets && store->count > store->limit - store->limit / 128;
}

/* Memory for states to come, made ahead by who holds up nobody (store_new_chunk needs no lock): is it time to?
 * Says so once.  The store takes over the chunk, which may be NULL: no memory yet. */
bool store_asks_for_chunk(struct store *store);
void *store_new_chunk(const struct store *store);
void store_give_chunk(struct store *store, void *chunk);

/* Adds one state, wherever it lies: as it is, or folded. */
bool store_add_one(struct store *store, const void *state, uint32_t *index);

/* Makes room for the chunks of every state that can be numbered.  false: no memory. */
bool store_reserve_chunks(struct store *store);

/* Bytes in use by the table and by roots.  Others may be adding. */
uint64_t store_bytes(const struct store *store);

#endif
