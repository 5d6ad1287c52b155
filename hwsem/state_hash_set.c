/* SPDX-License-Identifier: MIT */
/* Chunks of packed states, or roots, and a table of buckets with linear probing.  The
 * table grows at seven eighths full, or somewhat before where a thread can do so while others go on; entries are placed
 * anew from the states themselves: it doubles with packed states; with compressed ones, where it is most
 * of the memory, it grows by a quarter. */
#include "hwsem/state_hash_set.h"

#include <assert.h>
#include <stdlib.h>

#include "hwsem/adaptive_lock.h"
#include "hwsem/huge_pages.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

/* BATCH: states whose memory is fetched together.  TOGETHER: those that one of several threads looks up before it adds
 * what is new. */
enum { FIRST_BUCKETS = 8, BATCH = 64, TOGETHER = 2048 };

/* Buckets from which on a table of compressed states grows little, and only one is kept meanwhile. */
enum { SPARING_FROM = 1 << 12, SPARING_ALONE = 1 << 20 };

static const uint32_t MOST = UINT32_MAX - 1; /* states */

_Static_assert(sizeof(struct store_bucket) == 64, "a bucket is a cache line");

void store_init(struct store *store) {
  *store = (struct store){0};
}

static void drop_chunks(struct store *store) {
  for (size_t i = 0; i < store->chunk_count; i++) free(store->chunks[i]);
  store->chunk_count = 0;
}

/* What several threads that add have in common. */
struct store_sharing {
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned inside; /* threads that are looking up */
  bool growing;    /* one has begun to make a larger table */
  bool full;       /* nobody is to begin before the table has grown */
  bool failed;     /* memory or numbers ran out */
};

static void end_sharing(struct store *store) {
  if (!store->sharing) return;
  pthread_mutex_destroy(&store->sharing->lock);
  pthread_cond_destroy(&store->sharing->changed);
  free(store->sharing);
  store->sharing = NULL;
}

void store_free(struct store *store) {
  end_sharing(store);
  drop_chunks(store);
  packed_pairs_free(&store->roots);
  free(store->chunks);
  free(store->table.buckets);
  *store = (struct store){0};
}

static void count_table(struct store *store, size_t buckets) {
  atomic_store_explicit(&store->table_bytes, buckets * sizeof(struct store_bucket), memory_order_relaxed);
}

/* With `count` buckets, which are cleared. */
static void set_table(struct store *store, struct store_bucket *buckets, size_t count) {
  size_t limit = count * STORE_BUCKET / 8 * 7;
  store->table = (struct store_table){buckets, count};
  count_table(store, count);
  store->limit = limit < MOST ? (uint32_t)limit : MOST;
}

bool store_reset(struct store *store, size_t state_size, struct tree *tree) {
  end_sharing(store);
  packed_pairs_free(&store->roots);
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
  store->count = store->room = store->limit = 0;
  if (tree && !packed_pairs_init(&store->roots)) return false;
  if (!store->table.buckets) return true;
  /* The previous run may have left a large table: a small run must not pay for
   * clearing it, so the table shrinks to its first buckets and grows again. */
  memset(store->table.buckets, 0, FIRST_BUCKETS * sizeof *store->table.buckets);
  set_table(store, store->table.buckets, FIRST_BUCKETS);
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

static inline struct store_bucket *bucket_of(const struct store_table *table, uint64_t hash) {
  __extension__ typedef unsigned __int128 wide;
  return table->buckets + (size_t)((wide)hash * table->count >> 64);
}

static inline struct store_bucket *next_bucket(const struct store_table *table, struct store_bucket *bucket) {
  return bucket + 1 < table->buckets + table->count ? bucket + 1 : table->buckets;
}

static inline uint8_t tag_of(uint64_t hash) {
  uint8_t tag = (uint8_t)hash;
  return tag ? tag : 1;
}

/* What a bucket has.  The upper word is read first: while it stays what it was, so does the lower. */
struct head {
  uint64_t low, high;
};

static inline struct head head_of(const struct store_bucket *bucket) {
  uint64_t high = atomic_load_explicit(&bucket->heads[1], memory_order_acquire);
  return (struct head){atomic_load_explicit(&bucket->heads[0], memory_order_acquire), high};
}

static inline unsigned used(struct head head) {
  return head.high >> 32 & 0xff;
}

/* Entries with the hash's tag, as bits. */
static inline unsigned matching(struct head head, uint64_t hash) {
  unsigned match = 0;
#ifdef __SSE2__
  __m128i tags = _mm_set_epi64x((long long)head.high, (long long)head.low);
  match = (unsigned)_mm_movemask_epi8(_mm_cmpeq_epi8(tags, _mm_set1_epi8((char)tag_of(hash))));
#else
  for (unsigned i = 0; i < 8; i++) match |= (unsigned)((uint8_t)(head.low >> 8 * i) == tag_of(hash)) << i;
  for (unsigned i = 8; i < STORE_BUCKET; i++)
    match |= (unsigned)((uint8_t)(head.high >> 8 * (i - 8)) == tag_of(hash)) << i;
#endif
  return match & ((1u << STORE_BUCKET) - 1);
}

static inline uint32_t entry(const struct store_bucket *bucket, unsigned i) {
  return atomic_load_explicit(&bucket->states[i], memory_order_relaxed);
}

/* Into a bucket that has room; others may be reading. */
static inline void put(struct store_bucket *bucket, struct head head, uint64_t hash, uint32_t index) {
  unsigned i = used(head);
  uint64_t tag = (uint64_t)tag_of(hash) << 8 * (i & 7), high = head.high + (UINT64_C(1) << 32);
  atomic_store_explicit(&bucket->states[i], index, memory_order_relaxed);
  if (i < 8) atomic_store_explicit(&bucket->heads[0], head.low | tag, memory_order_release);
  atomic_store_explicit(&bucket->heads[1], i < 8 ? high : high | tag, memory_order_release);
}

/* The table grows. */

/* What the table knows a state by: the hash that it came with, or that of its root. */
static uint64_t hash_again(const struct store *store, uint32_t index) {
  return store->tree ? dictionary_hash(packed_pairs_at(&store->roots, index))
                     : store_hash(store, store_read(store, index, NULL));
}

static void place(const struct store_table *table, uint64_t hash, uint32_t index) {
  struct store_bucket *bucket = bucket_of(table, hash);
  while (used(head_of(bucket)) == STORE_BUCKET) bucket = next_bucket(table, bucket);
  put(bucket, head_of(bucket), hash, index);
}

/* Places states first .. end - 1 in a table that has room. */
static void place_all(const struct store *store, const struct store_table *table, uint32_t first, uint32_t end) {
  uint64_t hashes[BATCH];
  assert(end <= table->count * STORE_BUCKET); /* some entry is free: probing ends */
  for (uint32_t count; first < end; first += count) {
    count = end - first < BATCH ? end - first : BATCH;
    for (uint32_t i = 0; i < count; i++) {
      hashes[i] = hash_again(store, first + i);
      __builtin_prefetch(bucket_of(table, hashes[i]));
    }
    for (uint32_t i = 0; i < count; i++) place(table, hashes[i], first + i);
  }
}

static struct store_bucket *new_buckets(size_t count) {
  struct store_bucket *buckets = pages_allocate(sizeof *buckets, count * sizeof *buckets);
  if (buckets) memset(buckets, 0, count * sizeof *buckets);
  return buckets;
}

/* Buckets of the next table. */
static size_t next_count(const struct store *store) {
  size_t now = store->table.count;
  return store->tree && now >= SPARING_FROM ? now + now / 4 : 2 * now;
}

/* In place of the table there was, so that not both take memory. */
static bool grow(struct store *store) {
  struct store_bucket *buckets = store->table.buckets;
  size_t wanted = buckets ? next_count(store) : FIRST_BUCKETS;
  if (!buckets && store->count > 0) return false; /* they were lost on the way */
  if (wanted > store->bucket_room) {
    free(buckets);
    store->table.buckets = buckets = new_buckets(wanted);
    store->bucket_room = buckets ? wanted : 0;
    if (!buckets) return false;
  } else {
    memset(buckets, 0, wanted * sizeof *buckets);
  }
  set_table(store, buckets, wanted);
  place_all(store, &store->table, 0, store->count);
  return true;
}

/* Room. */

static bool set_chunk_room(struct store *store, size_t room) {
  uint8_t **chunks = realloc(store->chunks, room * sizeof *chunks);
  if (!chunks) return false;
  store->chunks = chunks;
  store->chunk_room = room;
  return true;
}

static bool reserve_chunk(struct store *store, size_t chunk) {
  if (chunk < store->chunk_count) return true;
  if (chunk == store->chunk_room && !set_chunk_room(store, chunk ? 2 * chunk : 16)) return false;
  /* Most runs are small and must not pay for clearing huge pages. */
  store->chunks[chunk] = chunk ? pages_allocate(STORE_LINE, store->chunk_bytes) : malloc(store->chunk_bytes);
  store->chunk_count += store->chunks[chunk] != NULL;
  return store->chunks[chunk];
}

/* Room for more states.  false: memory or numbers ran out. */
static bool make_room(struct store *store) {
  uint32_t next = store->count, chunk = store->tree ? PLANES_CHUNK : STORE_CHUNK;
  if (next == MOST) return false;
  assert(next < store->limit || !store->sharing); /* others are looking up */
  if (next >= store->limit && !grow(store)) return false;
  if (!(store->tree ? packed_pairs_reserve(&store->roots, next) : reserve_chunk(store, next >> STORE_CHUNK_BITS)))
    return false;
  uint32_t left = chunk - (next & (chunk - 1));
  if (store->limit - next < left) left = store->limit - next;
  store->room = MOST - next < left ? MOST : next + left;
  return true;
}

/* Adding.  A state on its way: as it is, its hash, and of compressed states its root. */

struct arrival {
  const uint8_t *state;
  uint64_t hash, root;
};

static inline bool is_it(const struct store *store, uint32_t index, const struct arrival *a) {
  if (store->tree) return packed_pairs_at(&store->roots, index) == a->root;
  return same(store_packed_at(store, index), a->state, store->state_size);
}

/* Fetches the state that the arrival may be. */
static inline void probe(const struct store *store, const struct arrival *a) {
  const struct store_bucket *bucket = bucket_of(&store->table, a->hash);
  unsigned match = matching(head_of(bucket), a->hash);
  if (!match) return;
  uint32_t index = entry(bucket, (unsigned)__builtin_ctz(match));
  __builtin_prefetch(store->tree ? packed_pairs_place(&store->roots, index) : store_packed_at(store, index));
}

/* As the next state.  false: no memory. */
static inline bool append(struct store *store, const struct arrival *a) {
  uint32_t index = store->count;
  if (store->tree) return packed_pairs_set(&store->roots, index, a->root);
  /* By whole words: what lies after the state is written later. */
  uint8_t *to = store->chunks[index >> STORE_CHUNK_BITS] + (size_t)(index & (STORE_CHUNK - 1)) * store->state_size;
  for (size_t i = 0; i < store->stride; i += sizeof(uint64_t)) memcpy(to + i, a->state + i, sizeof(uint64_t));
  return true;
}

/* Puts where the state is, if it is in the bucket. */
static inline bool is_in(const struct store *store, const struct store_bucket *bucket, struct head head,
                         const struct arrival *a, uint32_t *index) {
  for (unsigned match = matching(head, a->hash); match; match &= match - 1)
    if (is_it(store, *index = entry(bucket, (unsigned)__builtin_ctz(match)), a)) return true;
  return false;
}

/* Where a state would be: a bucket that had room, and what it had. */
struct gap {
  struct store_bucket *bucket;
  uint64_t high;
};

/* Puts where the state is, if it is anywhere, or where there was a gap for it; others may be adding. */
static inline bool find(const struct store *store, const struct arrival *a, uint32_t *index, struct gap *gap) {
  for (struct store_bucket *bucket = bucket_of(&store->table, a->hash);; bucket = next_bucket(&store->table, bucket)) {
    struct head head = head_of(bucket);
    *gap = (struct gap){bucket, head.high};
    if (is_in(store, bucket, head, a, index)) return true;
    if (used(head) < STORE_BUCKET) return false;
  }
}

/* With nobody else adding: adds the state at the gap if it is one yet.  false: it is none, or memory or numbers ran
 * out. */
static inline bool fill(struct store *store, const struct arrival *a, const struct gap *gap, uint32_t *index) {
  struct head head = head_of(gap->bucket);
  if (head.high != gap->high || store->count == store->room || !append(store, a)) return false;
  assert(store->count < store->limit);
  put(gap->bucket, head, a->hash, *index = store->count++);
  return true;
}

/* Puts where the state is, and adds it if it is nowhere.  false: memory or numbers ran out. */
static inline bool find_or_add(struct store *store, const struct arrival *a, uint32_t *index) {
  if (store->count == store->room && !make_room(store)) return false;
  for (struct store_bucket *bucket = bucket_of(&store->table, a->hash);; bucket = next_bucket(&store->table, bucket)) {
    struct head head = head_of(bucket);
    if (is_in(store, bucket, head, a, index)) return true;
    if (used(head) == STORE_BUCKET) continue;
    if (!append(store, a)) return false;
    assert(store->count < store->limit && store->count < store->room);
    put(bucket, head, a->hash, *index = store->count++);
    return true;
  }
}

static inline struct arrival arrive(const struct store *store, const struct store_batch *batch, uint32_t i) {
  struct arrival a = {.state = (const uint8_t *)batch->states + i * store->stride};
  if (store->tree) a.root = batch->roots[i];
  a.hash = store->tree ? dictionary_hash(a.root) : batch->hashes[i];
  return a;
}

/* Fetches what it takes to look up states first .. first + count - 1. */
static inline void fetch(const struct store *store, const struct store_batch *batch, uint32_t first, uint32_t count,
                         struct arrival *arrivals) {
  for (uint32_t i = 0; i < count; i++) {
    arrivals[i] = arrive(store, batch, first + i);
    __builtin_prefetch(bucket_of(&store->table, arrivals[i].hash));
  }
  for (uint32_t i = 0; i < count; i++) probe(store, &arrivals[i]);
}

static bool add_alone(struct store *store, const struct store_batch *batch, uint32_t *indices) {
  struct arrival arrivals[BATCH];
  if (!store->table.buckets && !grow(store)) return false;
  for (uint32_t first = 0, count; first < batch->count; first += count) {
    count = batch->count - first < BATCH ? batch->count - first : BATCH;
    fetch(store, batch, first, count, arrivals);
    for (uint32_t i = 0; i < count; i++)
      if (!find_or_add(store, &arrivals[i], indices + first + i)) return false;
  }
  return true;
}

/* Several threads. */

bool store_share(struct store *store) {
  enum { ALL = 1 << (32 - STORE_CHUNK_BITS) };
  assert(!store->sharing);
  if (!store->table.buckets && !grow(store)) return false;
  if (!store->tree && store->chunk_room < ALL && !set_chunk_room(store, ALL)) return false;
  struct store_sharing *sharing = calloc(1, sizeof *sharing);
  if (!sharing) return false;
  pthread_mutex_init(&sharing->lock, NULL);
  pthread_cond_init(&sharing->changed, NULL);
  store->sharing = sharing;
  return true;
}

/* With the lock held. */
static void wait_until_grown(struct store *store) {
  struct store_sharing *s = store->sharing;
  while (s->full && (s->growing || s->inside > 0)) pthread_cond_wait(&s->changed, &s->lock);
  if (!s->full) return;
  s->failed |= !grow(store);
  s->full = false;
  pthread_cond_broadcast(&s->changed);
}

/* Has the table no room for so many?  Numbers may run out before: then it need not grow. */
static bool is_full_for(const struct store *store, uint32_t news) {
  return store->limit < MOST && store->limit - store->count < news;
}

/* With the lock held: `larger` has the states before `placed`. */
static void change_table(struct store *store, const struct store_table *larger, uint32_t placed) {
  struct store_sharing *s = store->sharing;
  s->full = true;
  while (s->inside > 0) pthread_cond_wait(&s->changed, &s->lock);
  place_all(store, larger, placed, store->count);
  set_table(store, larger->buckets, larger->count);
  store->bucket_room = larger->count;
  s->full = false;
}

/* With the lock held, and let go of meanwhile: others go on with the table there is. */
static void grow_meanwhile(struct store *store) {
  enum { FEW = 1 << 12 };
  struct store_sharing *s = store->sharing;
  struct store_table now = store->table, larger = {.count = next_count(store)};
  uint32_t placed = 0, count = store->count;
  s->growing = true;
  count_table(store, store->bucket_room + larger.count);
  pthread_mutex_unlock(&s->lock);
  larger.buckets = new_buckets(larger.count);
  while (larger.buckets && count - placed > FEW) {
    uint32_t end = count - STORE_PADDING; /* what lies after these is written, and read with them */
    place_all(store, &larger, placed, end);
    placed = end;
    lock_soon(&s->lock);
    count = store->count;
    pthread_mutex_unlock(&s->lock);
  }
  lock_soon(&s->lock);
  if (larger.buckets) {
    change_table(store, &larger, placed);
    free(now.buckets);
  }
  count_table(store, store->table.count);
  s->growing = false; /* without memory, who finds the table full grows it */
  pthread_cond_broadcast(&s->changed);
}

/* The next chunk, when it is time; its pages are cleared with the lock let go of, since that takes milliseconds. */
static void make_next_chunk(struct store *store) {
  struct store_sharing *s = store->sharing;
  size_t chunk = store->chunk_count;
  bool late = store->count + STORE_CHUNK / 4 >= chunk * STORE_CHUNK;
  if (!late || chunk == store->chunk_room || !reserve_chunk(store, chunk)) return;
  uint8_t *pages = store->chunks[chunk];
  pthread_mutex_unlock(&s->lock);
  pages_populate(pages, store->chunk_bytes);
  lock_soon(&s->lock);
}

void store_prepare(struct store *store) {
  struct store_sharing *s = store->sharing;
  lock_soon(&s->lock);
  if (!store->tree) make_next_chunk(store);
  /* With compressed states two large tables would be twice the memory. */
  bool may = !store->tree || store->table.count < SPARING_ALONE;
  if (may && is_full_for(store, store->limit / 16) && !s->growing && !s->full && !s->failed) grow_meanwhile(store);
  pthread_mutex_unlock(&s->lock);
}

/* States that are nowhere yet: which they are, and where they would be. */
struct new_states {
  uint32_t which[TOGETHER + 1], count;
  struct gap gaps[TOGETHER + 1];
};

/* Looks up at most TOGETHER states. */
static void look_up(const struct store *store, const struct store_batch *batch, uint32_t first, uint32_t count,
                    uint32_t *indices, struct new_states *news) {
  news->count = 0;
  for (uint32_t some, end = first + count; first < end; first += some) {
    struct arrival arrivals[BATCH];
    some = end - first < BATCH ? end - first : BATCH;
    fetch(store, batch, first, some, arrivals);
    for (uint32_t i = 0; i < some; i++) {
      news->which[news->count] = first + i;
      news->count += !find(store, &arrivals[i], indices + first + i, &news->gaps[news->count]);
    }
  }
}

/* At most TOGETHER states; returns with the lock held.  false: to be done again, if it has not failed for good. */
static bool add_together(struct store *store, const struct store_batch *batch, uint32_t first, uint32_t count,
                         uint32_t *indices) {
  struct store_sharing *s = store->sharing;
  struct new_states news;
  look_up(store, batch, first, count, indices, &news);
  lock_soon(&s->lock);
  s->full |= is_full_for(store, news.count);
  bool ok = !s->full && !s->failed;
  for (uint32_t i = 0; ok && i < news.count; i++) {
    uint32_t *index = indices + news.which[i];
    struct arrival a = arrive(store, batch, news.which[i]);
    ok = fill(store, &a, &news.gaps[i], index) || find_or_add(store, &a, index);
    s->failed |= !ok;
  }
  return ok;
}

static bool add_shared(struct store *store, const struct store_batch *batch, uint32_t *indices) {
  struct store_sharing *s = store->sharing;
  lock_soon(&s->lock);
  s->inside++;
  for (uint32_t first = 0, count; first < batch->count && !s->failed;) {
    if (s->full) {
      s->inside--;
      pthread_cond_broadcast(&s->changed);
      wait_until_grown(store);
      s->inside++;
      continue;
    }
    pthread_mutex_unlock(&s->lock);
    count = batch->count - first < TOGETHER ? batch->count - first : TOGETHER;
    if (add_together(store, batch, first, count, indices)) first += count;
  }
  s->inside--;
  if (s->full) pthread_cond_broadcast(&s->changed);
  bool ok = !s->failed;
  pthread_mutex_unlock(&s->lock);
  return ok;
}

bool store_add(struct store *store, const struct store_batch *batch, uint32_t *indices) {
  return store->sharing ? add_shared(store, batch, indices) : add_alone(store, batch, indices);
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
