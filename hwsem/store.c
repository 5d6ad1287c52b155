/* SPDX-License-Identifier: MIT */
/* Chunks of packed states, or roots, and a table of buckets with linear probing.  The
 * table grows at seven eighths full, and entries are placed anew from the states
 * themselves: it doubles beside packed states; beside compressed ones, where it is most
 * of the memory, it grows by a quarter. */
#include "hwsem/store.h"

#include <assert.h>
#include <stdlib.h>

#include "hwsem/pages.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* BATCH: states whose memory is fetched together. */
enum { FIRST_BUCKETS = 8, BATCH = 64, SPARING_FROM = 1 << 12 };

_Static_assert(sizeof(struct store_bucket) == 64, "a bucket is a cache line");

void store_init(struct store *store) {
  *store = (struct store){0};
}

static void drop_chunks(struct store *store) {
  for (size_t i = 0; i < store->chunk_count; i++) free(store->chunks[i]);
  store->chunk_count = 0;
  free(store->next_chunk);
  store->next_chunk = NULL;
  store->asked = false;
}

void store_free(struct store *store) {
  drop_chunks(store);
  pairs_free(&store->roots);
  free(store->chunks);
  free(store->buckets);
  *store = (struct store){0};
}

static void set_buckets(struct store *store, size_t count) {
  size_t limit = count * STORE_BUCKET / 8 * 7;
  store->bucket_count = count;
  atomic_store_explicit(&store->table_bytes, count * sizeof *store->buckets, memory_order_relaxed);
  store->limit = limit < UINT32_MAX ? (uint32_t)limit : UINT32_MAX;
}

bool store_reset(struct store *store, size_t state_size, struct tree *tree) {
  pairs_free(&store->roots);
  store->tree = tree;
  size_t bytes = STORE_CHUNK * state_size + STORE_PADDING;
  if (bytes > store->chunk_bytes || tree) {
    drop_chunks(store);
    store->chunk_bytes = bytes;
  }
  unsigned spare = (unsigned)(-state_size % sizeof(uint64_t));
  store->state_size = state_size;
  store->stride = state_size + spare;
  store->last_mask = state_size ? ~UINT64_C(0) >> (8 * spare) : 0;
  store->count = store->limit = 0;
  store->most = UINT32_MAX - 1;
  if (tree && !pairs_init(&store->roots)) return false;
  if (!store->buckets) return true;
  /* The previous run may have left a large table: a small run must not pay for
   * clearing it, so the table shrinks to its first buckets and grows again. */
  set_buckets(store, FIRST_BUCKETS);
  memset(store->buckets, 0, FIRST_BUCKETS * sizeof *store->buckets);
  return true;
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

/* Buckets. */

static inline size_t bucket_of(const struct store *store, uint64_t hash) {
  __extension__ typedef unsigned __int128 wide;
  return (size_t)((wide)hash * store->bucket_count >> 64);
}

static inline size_t next_bucket(const struct store *store, size_t i) {
  return i + 1 < store->bucket_count ? i + 1 : 0;
}

static inline uint8_t tag_of(uint64_t hash) {
  uint8_t tag = (uint8_t)hash;
  return tag ? tag : 1;
}

/* Entries with the hash's tag, as bits. */
static inline unsigned matching(const struct store_bucket *bucket, uint64_t hash) {
#ifdef __SSE2__
  __m128i tags = _mm_load_si128((const __m128i *)bucket), wanted = _mm_set1_epi8((char)tag_of(hash));
  return (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, wanted)) & ((1u << STORE_BUCKET) - 1);
#else
  unsigned match = 0;
  for (unsigned i = 0; i < STORE_BUCKET; i++) match |= (unsigned)(bucket->tags[i] == tag_of(hash)) << i;
  return match;
#endif
}

static inline void put(struct store_bucket *bucket, uint64_t hash, uint32_t index) {
  bucket->tags[bucket->used] = tag_of(hash);
  bucket->states[bucket->used++] = index;
}

static void place(struct store *store, uint64_t hash, uint32_t index) {
  size_t i = bucket_of(store, hash);
  assert(store->count <= store->bucket_count * STORE_BUCKET); /* some entry is free: probing ends */
  while (store->buckets[i].used == STORE_BUCKET) i = next_bucket(store, i);
  put(&store->buckets[i], hash, index);
}

/* What the table knows a state by: the hash that it came with, or that of its root. */
static uint64_t hash_again(const struct store *store, uint32_t index) {
  return store->tree ? dictionary_hash(pairs_at(&store->roots, index))
                     : store_hash(store, store_read(store, index, NULL));
}

/* Places states first .. end - 1, which number BATCH at most. */
static void place_some(struct store *store, uint32_t first, uint32_t end) {
  uint64_t hashes[BATCH];
  for (uint32_t i = first; i < end; i++) {
    hashes[i - first] = hash_again(store, i);
    __builtin_prefetch(&store->buckets[bucket_of(store, hashes[i - first])]);
  }
  for (uint32_t i = first; i < end; i++) place(store, hashes[i - first], i);
}

bool store_grow(struct store *store) {
  size_t now = store->buckets || store->count ? store->bucket_count : 0; /* they may have been lost on the way */
  size_t wanted = now == 0 ? FIRST_BUCKETS : store->tree && now >= SPARING_FROM ? now + now / 4 : 2 * now;
  if (wanted > store->bucket_room) {
    free(store->buckets);
    store->bucket_room = 0;
    store->buckets = pages_allocate(sizeof *store->buckets, wanted * sizeof *store->buckets);
    if (!store->buckets) return false;
    store->bucket_room = wanted;
  }
  assert(store->buckets);
  memset(store->buckets, 0, wanted * sizeof *store->buckets);
  set_buckets(store, wanted);
  for (uint32_t i = 0; i < store->count; i += BATCH)
    place_some(store, i, store->count - i < BATCH ? store->count : i + BATCH);
  return true;
}

/* States. */

static bool set_chunk_room(struct store *store, size_t room) {
  uint8_t **chunks = realloc(store->chunks, room * sizeof *chunks);
  if (!chunks) return false;
  store->chunks = chunks;
  store->chunk_room = room;
  return true;
}

bool store_reserve_chunks(struct store *store) {
  enum { ALL = 1 << (32 - STORE_CHUNK_BITS) };
  return store->tree || store->chunk_room >= ALL || set_chunk_room(store, ALL);
}

static bool grow_chunks(struct store *store) {
  if (store->chunk_count == store->chunk_room && !set_chunk_room(store, store->chunk_room ? 2 * store->chunk_room : 16))
    return false;
  /* Most runs are small and must not pay for clearing huge pages. */
  uint8_t *chunk = store->next_chunk;
  if (!chunk) chunk = store->chunk_count ? pages_allocate(STORE_LINE, store->chunk_bytes) : malloc(store->chunk_bytes);
  if (!chunk) return false;
  store->chunks[store->chunk_count++] = chunk;
  store->next_chunk = NULL;
  store->asked = false;
  return true;
}

bool store_asks_for_chunk(struct store *store) {
  bool late = !store->tree && (store->count & (STORE_CHUNK - 1)) > STORE_CHUNK / 4 * 3, asks = late && !store->asked;
  store->asked |= asks;
  return asks;
}

/* The system clears pages as they are first touched, which takes milliseconds. */
void *store_new_chunk(const struct store *store) {
  enum { PAGE = 4096 };
  uint8_t *chunk = pages_allocate(STORE_LINE, store->chunk_bytes);
  for (size_t i = 0; chunk && i < STORE_CHUNK * store->state_size; i += PAGE) chunk[i] = 0;
  return chunk;
}

void store_give_chunk(struct store *store, void *chunk) {
  if (store->next_chunk)
    free(chunk);
  else
    store->next_chunk = chunk;
}

static inline bool append_packed(struct store *store, const uint8_t *state) {
  size_t chunk = store->count >> STORE_CHUNK_BITS, at = store->count & (STORE_CHUNK - 1);
  if (chunk == store->chunk_count && !grow_chunks(store)) return false;
  /* By whole words: what lies behind the state is written later. */
  uint8_t *to = store->chunks[chunk] + at * store->state_size;
  for (size_t i = 0; i < store->stride; i += sizeof(uint64_t)) memcpy(to + i, state + i, sizeof(uint64_t));
  return true;
}

/* Adding.  A state on its way: as it is, its hash, and beside compressed states its root. */

struct arrival {
  const uint8_t *state;
  uint64_t hash, root;
};

static inline bool is_it(const struct store *store, uint32_t index, const struct arrival *a) {
  if (store->tree) return pairs_at(&store->roots, index) == a->root;
  return same(store_packed_at(store, index), a->state, store->state_size);
}

/* Fetches the state that the arrival may be. */
static inline void probe(const struct store *store, const struct arrival *a) {
  const struct store_bucket *bucket = &store->buckets[bucket_of(store, a->hash)];
  unsigned match = matching(bucket, a->hash);
  if (!match) return;
  uint32_t index = bucket->states[__builtin_ctz(match)];
  __builtin_prefetch(store->tree ? pairs_place(&store->roots, index) : store_packed_at(store, index));
}

static inline bool look_up(struct store *store, const struct arrival *a, uint32_t *index) {
  if (store->count >= store->limit && !store_grow(store)) return false;
  for (size_t i = bucket_of(store, a->hash);; i = next_bucket(store, i)) {
    struct store_bucket *bucket = &store->buckets[i];
    for (unsigned match = matching(bucket, a->hash); match; match &= match - 1)
      if (is_it(store, *index = bucket->states[__builtin_ctz(match)], a)) return true;
    if (bucket->used == STORE_BUCKET) continue;
    if (store->count == store->most) return false;
    if (store->tree ? !pairs_append(&store->roots, store->count, a->root) : !append_packed(store, a->state))
      return false;
    put(bucket, a->hash, *index = store->count++);
    return true;
  }
}

static inline struct arrival arrive(const struct store *store, const struct store_batch *batch, uint32_t i) {
  struct arrival a = {.state = (const uint8_t *)batch->states + i * store->stride};
  if (store->tree) a.root = batch->roots[i];
  a.hash = store->tree ? dictionary_hash(a.root) : batch->hashes[i];
  return a;
}

static bool add_some(struct store *store, const struct store_batch *batch, uint32_t first, uint32_t count,
                     uint32_t *indices) {
  struct arrival arrivals[BATCH];
  for (uint32_t i = 0; i < count; i++) {
    arrivals[i] = arrive(store, batch, batch->which ? batch->which[first + i] : first + i);
    __builtin_prefetch(&store->buckets[bucket_of(store, arrivals[i].hash)]);
  }
  for (uint32_t i = 0; i < count; i++) probe(store, &arrivals[i]);
  for (uint32_t i = 0; i < count; i++) {
    uint32_t index;
    if (!look_up(store, &arrivals[i], &index)) return false;
    indices[batch->which ? batch->which[first + i] : first + i] = index << batch->shift | batch->low;
  }
  return true;
}

bool store_add(struct store *store, const struct store_batch *batch, uint32_t *indices) {
  if (!store->buckets && !store_grow(store)) return false;
  for (uint32_t i = 0; i < batch->count; i += BATCH)
    if (!add_some(store, batch, i, batch->count - i < BATCH ? batch->count - i : BATCH, indices)) return false;
  return true;
}

bool store_add_one(struct store *store, const void *state, uint32_t *index) {
  uint64_t buffer[store->stride / sizeof(uint64_t) + 2], hash = 0, root = 0;
  memset(buffer, 0, sizeof buffer);
  memcpy(buffer, state, store->state_size);
  if (!store->tree)
    hash = store_hash(store, buffer);
  else if (!tree_fold(store->tree, buffer, store->stride, 1, &root))
    return false;
  return store_add(store, &(struct store_batch){.states = buffer, .hashes = &hash, .roots = &root, .count = 1}, index);
}

uint64_t store_bytes(const struct store *store) {
  return atomic_load_explicit(&store->table_bytes, memory_order_relaxed) +
         atomic_load_explicit(&store->roots.bytes, memory_order_relaxed);
}
