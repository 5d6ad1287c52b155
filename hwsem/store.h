/* SPDX-License-Identifier: MIT */
/* The visited set: states of one size, packed in chunks and numbered in the
 * order they came, with a hash table of buckets beside.
 *
 * A bucket is a cache line of twelve entries: tags of eight bits that are
 * compared together, and numbers of states.  A hash alone can lie, so a lookup
 * compares the whole state; tags only save most of the comparisons that would
 * fail.  A full bucket spills into the next one.  Chunks never move: a pointer
 * to a state stays good until the next reset.
 *
 * Large runs are bound by cache misses, so what an addition will touch is fetched
 * ahead: its bucket as soon as its hash is known (store_hint), some time later the
 * state that an entry of the bucket may be (store_probe), and only then store_add_all.
 */
#ifndef LITSCOPE_HWSEM_STORE_H
#define LITSCOPE_HWSEM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

enum { STORE_CHUNK_BITS = 18, STORE_CHUNK = 1 << STORE_CHUNK_BITS };
enum { STORE_BUCKET = 12, STORE_PADDING = 8 };

struct store_bucket {
  uint8_t tags[STORE_BUCKET]; /* 0: free */
  uint32_t used;
  uint32_t states[STORE_BUCKET];
};

struct store {
  size_t state_size;
  size_t stride;      /* between states in buffers: whole words */
  uint64_t last_mask; /* of a state's last word, what belongs to it */
  uint32_t count;
  uint32_t limit; /* states up to which the table need not grow */

  uint8_t **chunks;   /* each STORE_CHUNK states */
  uint32_t **parents; /* for each chunk, the number of each state's parent */
  size_t chunk_count, chunk_room;
  size_t chunk_bytes; /* of each */

  struct store_bucket *buckets;
  size_t mask; /* buckets - 1 */
  size_t bucket_room;
};

void store_init(struct store *store);
void store_free(struct store *store);

/* Empties the store for states of `state_size` bytes; keeps what memory fits. */
void store_reset(struct store *store, size_t state_size);

/* Word by word, each folded in by a multiplication (the mixing of wyhash).  At
 * least STORE_PADDING bytes must be readable behind the state. */
#define STORE_HASH_SEED UINT64_C(0x9e3779b97f4a7c15)

static inline uint64_t store_fold(uint64_t a, uint64_t b) {
  __extension__ typedef unsigned __int128 wide;
  wide product = (wide)a * b;
  return (uint64_t)product ^ (uint64_t)(product >> 64);
}

static inline uint64_t store_mix(uint64_t hash, uint64_t word) {
  return store_fold(hash ^ word, UINT64_C(0xa0761d6478bd642f));
}

static inline uint64_t store_mix_last(const struct store *store, uint64_t hash, uint64_t word) {
  return store_fold(hash ^ (word & store->last_mask), UINT64_C(0xe7037ed1a0b428db));
}

static inline uint64_t store_hash(const struct store *store, const void *state) {
  const uint8_t *at = state;
  uint64_t word, hash = STORE_HASH_SEED;
  size_t left = store->state_size;
  for (; left > sizeof word; left -= sizeof word, at += sizeof word) {
    memcpy(&word, at, sizeof word);
    hash = store_mix(hash, word);
  }
  memcpy(&word, at, sizeof word);
  return store_mix_last(store, hash, word);
}

static inline const void *store_at(const struct store *store, uint32_t index) {
  return store->chunks[index >> STORE_CHUNK_BITS] + (size_t)(index & (STORE_CHUNK - 1)) * store->state_size;
}

static inline uint32_t store_parent(const struct store *store, uint32_t index) {
  return store->parents[index >> STORE_CHUNK_BITS][index & (STORE_CHUNK - 1)];
}

/* Prefetches the bucket of a hash, in a store that is not empty. */
static inline void store_hint(const struct store *store, uint64_t hash) {
  __builtin_prefetch(&store->buckets[hash & store->mask]);
}

static inline uint8_t store_tag(uint64_t hash) {
  uint8_t tag = (uint8_t)(hash >> 56);
  return tag ? tag : 1;
}

/* Entries with the hash's tag, as bits. */
static inline unsigned store_match(const struct store_bucket *bucket, uint64_t hash) {
#ifdef __SSE2__
  __m128i tags = _mm_load_si128((const __m128i *)bucket), wanted = _mm_set1_epi8((char)store_tag(hash));
  return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, wanted)) & ((1u << STORE_BUCKET) - 1);
#else
  unsigned match = 0;
  for (unsigned i = 0; i < STORE_BUCKET; i++) match |= (unsigned)(bucket->tags[i] == store_tag(hash)) << i;
  return match;
#endif
}

/* Prefetches the state that the hash's may be. */
static inline void store_probe(const struct store *store, uint64_t hash) {
  const struct store_bucket *bucket = &store->buckets[hash & store->mask];
  unsigned match = store_match(bucket, hash);
  if (match) __builtin_prefetch(store_at(store, bucket->states[__builtin_ctz(match)]));
}

/* States that are to be added lie so far apart in buffers, with STORE_PADDING bytes
 * behind the last: whole words. */
static inline size_t store_stride(const struct store *store) {
  return store->stride;
}

/* Adds `count` states unless they are there. false: memory or numbers ran out. */
bool store_add_all(struct store *store, const void *states, const uint64_t *hashes, const uint32_t *parents,
                   unsigned count);

/* Makes room for the chunks of every state that can be numbered, so that others may
 * read states (store_at) while more are added.  false: no memory. */
bool store_reserve_chunks(struct store *store);

/* Bytes in use. */
uint64_t store_bytes(const struct store *store);

#endif
