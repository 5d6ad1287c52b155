/* SPDX-License-Identifier: MIT */
/* A set of states of one size, numbered in the order they came, with a hash table of
 * buckets.  States lie packed in chunks, or compressed: then their roots are kept (packed_number_pairs.h),
 * in terms of a tree (state_compression.h).
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
 * One thread adds, or after store_share several at a time.  They look up without a lock, as entries appear in a
 * bucket and stay; most states are there already.  Those that seem to be new are then added
 * with the lock held, some at a time.  The table is replaced by a larger one while nobody is at it.  Others may
 * meanwhile read states whose numbers they were handed: those never move.
 */
#ifndef LITSCOPE_HWSEM_STATE_HASH_SET_H
#define LITSCOPE_HWSEM_STATE_HASH_SET_H

#include <assert.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "hwsem/packed_number_pairs.h"
#include "hwsem/state_compression.h"

#ifndef STORE_CHUNK_BITS /* smaller with sanitizers, whose books of a chunk cost more than its states */
#define STORE_CHUNK_BITS 18
#endif
enum { STORE_CHUNK = 1 << STORE_CHUNK_BITS };
enum { STORE_BUCKET = 12, STORE_PADDING = 8, STORE_LINE = 64 /* of a cache */ };

/* So far from each other lies what several threads write: caches fetch lines in pairs. */
enum { STORE_APART = 2 * STORE_LINE };

/* Tags, the lowest byte first, 0: free; in the last four bytes how many are used. */
struct store_bucket {
  _Atomic uint64_t heads[2];
  _Atomic uint32_t states[STORE_BUCKET];
};

struct store_table {
  struct store_bucket *buckets;
  size_t count;
};

struct store {
  size_t state_size;
  size_t stride;      /* between states in buffers: whole words */
  uint64_t last_mask; /* of a state's last word, what belongs to it */

  struct tree *tree;         /* the caller's; NULL: states are in chunks as they are */
  struct packed_pairs roots; /* with a tree */
  uint8_t **chunks;          /* each STORE_CHUNK states */
  size_t chunk_bytes;        /* of each */
  struct store_table table;
  struct store_sharing *sharing; /* of several threads */

  /* What changes with states lies apart from what others read meanwhile. */
  char apart[STORE_APART];
  uint32_t count;
  uint32_t room;  /* states up to which there is room in chunks and table */
  uint32_t limit; /* states up to which the table need not grow */
  size_t chunk_count, chunk_room, bucket_room;
  _Atomic uint64_t table_bytes;
  char apart_too[STORE_APART];
};

void store_init(struct store *store);
void store_free(struct store *store);

/* Empties the store for states of `state_size` bytes, which `tree` compresses (NULL: they are not
 * compressed); keeps what memory fits.  false: no memory. */
bool store_reset(struct store *store, size_t state_size, struct tree *tree);

/* Word by word, each folded in by a multiplication (the mixing of wyhash).  At
 * least STORE_PADDING bytes must be readable after the state.  A store finds the
 * bucket by the highest bits and the tag by the lowest eight. */
#define STORE_HASH_SEED UINT64_C(0x9e3779b97f4a7c15)

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
  assert(index >> STORE_CHUNK_BITS < store->chunk_count);
  return store->chunks[index >> STORE_CHUNK_BITS] + (size_t)(index & (STORE_CHUNK - 1)) * store->state_size;
}

/* State `index`: where it is, or in `buffer`, which has room for store_stride bytes. */
static inline const void *store_read(const struct store *store, uint32_t index, void *buffer) {
  if (store->tree) return tree_unfold(store->tree, packed_pairs_at(&store->roots, index), buffer);
  return store_packed_at(store, index);
}

/* States that are to be added lie so far apart in buffers, with STORE_PADDING bytes
 * after the last: whole words. */
static inline size_t store_stride(const struct store *store) {
  return store->stride;
}

/* States, and their `hashes`, or their `roots` where they are compressed (tree_fold). */
struct store_batch {
  const void *states;
  const uint64_t *hashes, *roots;
  uint32_t count;
};

/* Adds states, each unless it is there; indices[i]: the number of state i.  Those that are added are numbered in their
 * order, after all that were there.  false: memory or numbers ran out; nothing can be added any more. */
bool store_add(struct store *store, const struct store_batch *batch, uint32_t *indices);

/* From now on several threads may add at once, and others read.  false: no memory, and nothing has changed. */
bool store_share(struct store *store);

/* Where several threads add: makes room that is soon wanted, in chunks and table, while others go on.  It takes a
 * while, and others should not have to wait for who does it. */
void store_prepare(struct store *store);

/* Adds one state, wherever it lies: as it is, or folded. */
bool store_add_one(struct store *store, const void *state, uint32_t *index);

/* Bytes in use by the table and by roots.  Others may be adding. */
uint64_t store_bytes(const struct store *store);

#endif
