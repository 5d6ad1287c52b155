/* SPDX-License-Identifier: MIT */
/* The visited set: chunks of packed states and a table of buckets with linear
 * probing.  The table doubles at seven eighths full; entries are placed anew
 * from the states themselves. */
#include "hwsem/store.h"

#include <assert.h>
#include <stdlib.h>
#include <sys/mman.h>

enum { FIRST_BUCKETS = 8, AHEAD = 64, HUGE_PAGE = 1 << 21 };

_Static_assert(sizeof(struct store_bucket) == 64, "a bucket is a cache line");

void store_init(struct store *store) {
  *store = (struct store){0};
}

static void drop_chunks(struct store *store) {
  for (size_t i = 0; i < store->chunk_count; i++) {
    free(store->chunks[i]);
    free(store->parents[i]);
  }
  store->chunk_count = 0;
}

void store_free(struct store *store) {
  drop_chunks(store);
  free(store->chunks);
  free(store->parents);
  free(store->buckets);
  *store = (struct store){0};
}

static void set_buckets(struct store *store, size_t count) {
  size_t limit = count * STORE_BUCKET / 8 * 7;
  store->mask = count - 1;
  store->limit = limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

void store_reset(struct store *store, size_t state_size) {
  size_t bytes = STORE_CHUNK * state_size + STORE_PADDING;
  if (bytes > store->chunk_bytes) {
    drop_chunks(store);
    store->chunk_bytes = bytes;
  }
  unsigned spare = (unsigned)(-state_size % sizeof(uint64_t));
  store->state_size = state_size;
  store->stride = state_size + spare;
  store->last_mask = state_size ? ~UINT64_C(0) >> (8 * spare) : 0;
  store->count = store->limit = 0;
  if (!store->buckets) return;
  /* The previous run may have left a large table: a small run must not pay for
   * clearing it, so the table shrinks to its first buckets and grows again. */
  set_buckets(store, FIRST_BUCKETS);
  memset(store->buckets, 0, FIRST_BUCKETS * sizeof *store->buckets);
}

static inline bool same_word(const uint8_t *a, const uint8_t *b, size_t at) {
  uint64_t x, y;
  memcpy(&x, a + at, sizeof x);
  memcpy(&y, b + at, sizeof y);
  return x == y;
}

/* Word by word; the last word may overlap the one before. */
static inline bool same(const uint8_t *a, const uint8_t *b, size_t size) {
  enum { WORD = sizeof(uint64_t) };
  if (size < WORD) return !memcmp(a, b, size);
  if (size <= 2 * WORD) return same_word(a, b, 0) && same_word(a, b, size - WORD);
  for (size_t i = 0; i + WORD < size; i += WORD)
    if (!same_word(a, b, i)) return false;
  return same_word(a, b, size - WORD);
}

/* Memory that is met at random: huge pages spare it most of its misses. */
static void *allocate(size_t alignment, size_t bytes) {
  if (bytes < HUGE_PAGE) return aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
  bytes = (bytes + HUGE_PAGE - 1) / HUGE_PAGE * HUGE_PAGE;
  void *memory = aligned_alloc(HUGE_PAGE, bytes);
  if (memory) madvise(memory, bytes, MADV_HUGEPAGE);
  return memory;
}

/* Buckets. */

static inline void put(struct store_bucket *bucket, uint64_t hash, uint32_t index) {
  bucket->tags[bucket->used] = store_tag(hash);
  bucket->states[bucket->used++] = index;
}

static void place(struct store *store, uint64_t hash, uint32_t index) {
  size_t i = hash & store->mask;
  assert(store->count <= (store->mask + 1) * STORE_BUCKET); /* some entry is free: probing ends */
  while (store->buckets[i].used == STORE_BUCKET) i = (i + 1) & store->mask;
  put(&store->buckets[i], hash, index);
}

/* Places states first .. end - 1, which number AHEAD at most. */
static void place_some(struct store *store, uint32_t first, uint32_t end) {
  uint64_t hashes[AHEAD];
  for (uint32_t i = first; i < end; i++) {
    hashes[i - first] = store_hash(store, store_at(store, i));
    store_hint(store, hashes[i - first]);
  }
  for (uint32_t i = first; i < end; i++) place(store, hashes[i - first], i);
}

static bool grow_table(struct store *store) {
  size_t wanted = store->buckets ? 2 * (store->mask + 1) : FIRST_BUCKETS;
  assert((wanted & (wanted - 1)) == 0); /* a mask finds the bucket */
  if (wanted > store->bucket_room) {
    struct store_bucket *buckets = allocate(sizeof *buckets, wanted * sizeof *buckets);
    if (!buckets) return false;
    free(store->buckets);
    store->buckets = buckets;
    store->bucket_room = wanted;
  }
  memset(store->buckets, 0, wanted * sizeof *store->buckets);
  set_buckets(store, wanted);
  for (uint32_t i = 0; i < store->count; i += AHEAD)
    place_some(store, i, store->count - i < AHEAD ? store->count : i + AHEAD);
  return true;
}

/* States. */

static bool set_chunk_room(struct store *store, size_t room) {
  uint8_t **chunks = realloc(store->chunks, room * sizeof *chunks);
  if (chunks) store->chunks = chunks;
  uint32_t **parents = realloc(store->parents, room * sizeof *parents);
  if (parents) store->parents = parents;
  if (!chunks || !parents) return false;
  store->chunk_room = room;
  return true;
}

bool store_reserve_chunks(struct store *store) {
  enum { ALL = 1 << (32 - STORE_CHUNK_BITS) };
  return store->chunk_room >= ALL || set_chunk_room(store, ALL);
}

static bool grow_chunks(struct store *store) {
  if (store->chunk_count == store->chunk_room && !set_chunk_room(store, store->chunk_room ? 2 * store->chunk_room : 16))
    return false;
  /* Most runs are small and must not pay for clearing huge pages. */
  uint8_t *chunk = store->chunk_count ? allocate(64, store->chunk_bytes) : malloc(store->chunk_bytes);
  uint32_t *parents = malloc(STORE_CHUNK * sizeof *parents);
  if (!chunk || !parents) {
    free(chunk);
    free(parents);
    return false;
  }
  store->chunks[store->chunk_count] = chunk;
  store->parents[store->chunk_count++] = parents;
  return true;
}

static inline bool append(struct store *store, const uint8_t *state, uint32_t parent) {
  size_t chunk = store->count >> STORE_CHUNK_BITS, at = store->count & (STORE_CHUNK - 1);
  if (store->count == UINT32_MAX - 1 || (chunk == store->chunk_count && !grow_chunks(store))) return false;
  memcpy(store->chunks[chunk] + at * store->state_size, state, store->state_size);
  store->parents[chunk][at] = parent;
  store->count++;
  return true;
}

static inline bool add(struct store *store, const uint8_t *state, uint64_t hash, uint32_t parent) {
  if (store->count >= store->limit && !grow_table(store)) return false;
  for (size_t i = hash & store->mask;; i = (i + 1) & store->mask) {
    struct store_bucket *bucket = &store->buckets[i];
    for (unsigned match = store_match(bucket, hash); match; match &= match - 1)
      if (same(store_at(store, bucket->states[__builtin_ctz(match)]), state, store->state_size)) return true;
    if (bucket->used == STORE_BUCKET) continue;
    if (!append(store, state, parent)) return false;
    put(bucket, hash, store->count - 1);
    return true;
  }
}

bool store_add_all(struct store *store, const void *states, const uint64_t *hashes, const uint32_t *parents,
                   unsigned count) {
  const uint8_t *at = states;
  for (unsigned i = 0; i < count; i++, at += store->stride)
    if (!add(store, at, hashes[i], parents[i])) return false;
  return true;
}

uint64_t store_bytes(const struct store *store) {
  uint64_t table = store->buckets ? (store->mask + 1) * sizeof *store->buckets : 0;
  return store->count * (uint64_t)(store->state_size + sizeof(uint32_t)) + table;
}
