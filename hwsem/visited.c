/* SPDX-License-Identifier: MIT */
/* Numbers, shards and parents of states. */
#include "hwsem/visited.h"

#include <assert.h>
#include <stdlib.h>

enum { CHUNKS = 1 << (32 - STORE_CHUNK_BITS), WORD_BITS = 64, PLACE_BITS = 16, MARK = VISITED_MARK };

void visited_init(struct visited *v) {
  *v = (struct visited){.shard_count = 1};
  store_init(&v->shards[0]);
}

static void free_places(struct visited *v) {
  for (size_t i = 0; v->chunks && i < CHUNKS && v->chunks[i]; i++) free(v->chunks[i]);
  free(v->chunks);
  v->chunks = NULL;
  pairs_free(&v->far);
  for (unsigned i = 0; i < v->shard_count; i++) {
    pthread_mutex_destroy(&v->locks[i].mutex);
    free(v->numbered[i]);
    v->numbered[i] = NULL;
    v->numbered_room[i] = 0;
    v->first_open[i] = v->counts[i] = 0;
  }
}

static void free_shards_from(struct visited *v, unsigned first) {
  for (unsigned i = first; i < v->shard_count; i++) store_free(&v->shards[i]);
  if (v->shard_count > 1) free_places(v);
  v->shard_count = first;
  v->shard_bits = 0;
}

void visited_free(struct visited *v) {
  free_shards_from(v, 0);
  tree_free(v->tree);
  free(v->born);
  free(v->born_marks);
}

bool visited_reset(struct visited *v, size_t state_size, bool compress) {
  free_shards_from(v, 1);
  v->count = v->closed = 0;
  tree_free(v->tree);
  v->tree = compress ? tree_new(state_size) : NULL;
  return (v->tree || !compress) && store_reset(&v->shards[0], state_size, v->tree);
}

/* Makes room for `wanted` elements, and twice as many as there were. */
static bool make_room(void *array, size_t element, size_t wanted, size_t *room) {
  if (wanted <= *room) return true;
  size_t more = wanted > 2 * *room ? wanted : 2 * *room;
  void *grown = realloc(*(void **)array, more * element);
  if (!grown) return false;
  *(void **)array = grown;
  *room = more;
  return true;
}

/* Shards. */

/* Notes that a state is numbered. */
static inline bool mark_numbered(struct visited *v, uint32_t shard, uint32_t index) {
  uint64_t **bits = &v->numbered[shard];
  size_t word = index / WORD_BITS, *room = &v->numbered_room[shard], before = *room;
  if (word >= before) {
    if (!make_room(bits, sizeof **bits, word + 1, room)) return false;
    memset(*bits + before, 0, (*room - before) * sizeof **bits);
  }
  (*bits)[word] |= UINT64_C(1) << index % WORD_BITS;
  return true;
}

/* From the first that was open last on. */
static void find_open(struct visited *v, unsigned shard) {
  const uint64_t *bits = v->numbered[shard];
  size_t word = v->first_open[shard] / WORD_BITS, room = v->numbered_room[shard];
  while (word < room && bits[word] == ~UINT64_C(0)) word++;
  v->first_open[shard] = (uint32_t)(word * WORD_BITS) + (word < room ? (unsigned)__builtin_ctzll(~bits[word]) : 0);
}

const uint32_t *visited_first_open(struct visited *v) {
  if (v->shard_count == 1) return &v->count;
  for (unsigned i = 0; i < v->shard_count; i++) find_open(v, i);
  return v->first_open;
}

static bool add_chunk(struct visited *v, struct visited_chunk **chunk) {
  enum { MARKS = STORE_CHUNK / MARK };
  *chunk = malloc(sizeof **chunk + MARKS * v->shard_count * sizeof *(*chunk)->counts);
  return *chunk;
}

static bool note_far(struct visited *v, uint32_t number, uint32_t from_order) {
  uint32_t count = atomic_load_explicit(&v->far_count, memory_order_relaxed);
  if (!pairs_append(&v->far, count, pair_of(number, from_order))) return false;
  atomic_store_explicit(&v->far_count, count + 1, memory_order_release);
  return true;
}

/* Notes where state `number` is, which is the next. */
static bool note_place(struct visited *v, uint32_t number, visited_place place) {
  uint32_t shard = visited_shard_at(v, place), index = place >> v->shard_bits, at = number & (STORE_CHUNK - 1);
  struct visited_chunk **chunk = &v->chunks[number >> STORE_CHUNK_BITS];
  if (at == 0 && !add_chunk(v, chunk)) return false;
  uint32_t *counts = (*chunk)->counts + at / MARK * v->shard_count;
  if (at % MARK == 0) memcpy(counts, v->counts, v->shard_count * sizeof *counts);
  uint32_t from_order = index - counts[shard] - (at % MARK >> v->shard_bits), away = from_order + v->excess;
  if (away == 0 || away >= 2 * v->excess) {
    away = 0;
    if (!note_far(v, number, from_order)) return false;
  }
  (*chunk)->places[at] = (uint16_t)(away << v->shard_bits | shard);
  v->counts[shard]++;
  return mark_numbered(v, shard, index);
}

static bool move_state(struct visited *v, const struct store *from, uint32_t number) {
  uint64_t state[from->stride / sizeof(uint64_t) + 2], buffer[from->stride / sizeof(uint64_t) + 1];
  memcpy(state, store_read(from, number, buffer), from->state_size);
  uint32_t shard = visited_shard(store_hash(from, state), v->shard_count), index;
  return store_add_one(&v->shards[shard], state, &index) && note_place(v, number, visited_place_of(v, shard, index));
}

bool visited_share(struct visited *v, unsigned shards) {
  assert(v->shard_count == 1 && shards <= VISITED_SHARDS && (shards & (shards - 1)) == 0);
  struct store whole = v->shards[0];
  bool ok = true;
  v->shard_count = shards;
  v->shard_bits = (unsigned)__builtin_ctz(shards);
  for (unsigned i = 0; i < shards; i++) {
    store_init(&v->shards[i]);
    pthread_mutex_init(&v->locks[i].mutex, NULL);
    ok = ok && store_reset(&v->shards[i], whole.state_size, v->tree) && store_reserve_chunks(&v->shards[i]);
    store_limit(&v->shards[i], UINT32_MAX >> v->shard_bits);
  }
  v->excess = UINT32_C(1) << (PLACE_BITS - v->shard_bits - 1);
  v->far_count = 0;
  v->chunks = ok ? calloc(CHUNKS, sizeof *v->chunks) : NULL;
  ok = ok && v->chunks && pairs_init(&v->far);
  for (uint32_t i = 0; ok && i < v->count; i++) ok = move_state(v, &whole, i);
  if (ok) {
    store_free(&whole);
  } else {
    free_shards_from(v, 0);
    v->shard_count = 1;
    v->shard_bits = 0;
    v->shards[0] = whole;
  }
  return ok;
}

uint32_t visited_far(const struct visited *v, uint32_t number) {
  uint32_t low = 0, high = atomic_load_explicit(&v->far_count, memory_order_acquire);
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (pairs_at(&v->far, middle) >> 32 > number)
      high = middle;
    else
      low = middle;
  }
  return (uint32_t)pairs_at(&v->far, low);
}

/* Numbers and parents. */

static bool add_bit(struct visited *v, bool bit) {
  uint64_t at = (uint64_t)v->count + v->closed;
  size_t word = at / WORD_BITS;
  if (!make_room(&v->born, sizeof *v->born, word + 1, &v->born_room)) return false;
  if (at % WORD_BITS == 0) v->born[word] = 0;
  v->born[word] |= (uint64_t)bit << at % WORD_BITS;
  return true;
}

bool visited_number(struct visited *v, visited_place place) {
  size_t mark = v->count / MARK;
  if (v->count % MARK == 0) {
    if (!make_room(&v->born_marks, sizeof *v->born_marks, mark + 1, &v->born_mark_room)) return false;
    v->born_marks[mark] = (uint64_t)v->count + v->closed;
  }
  if (!add_bit(v, true)) return false;
  uint32_t number = v->count++;
  return v->shard_count == 1 || note_place(v, number, place);
}

bool visited_close(struct visited *v) {
  if (!add_bit(v, false)) return false;
  v->closed++;
  return true;
}

/* The zeros before a state's bit number the states that were closed before it was found. */
uint32_t visited_parent(const struct visited *v, uint32_t number) {
  assert(number > 0);
  uint64_t at = v->born_marks[number / MARK];
  uint32_t left = number % MARK; /* ones to pass */
  size_t word = at / WORD_BITS;
  uint64_t bits = v->born[word] & ~UINT64_C(0) << at % WORD_BITS;
  for (unsigned ones; (ones = (unsigned)__builtin_popcountll(bits)) <= left; left -= ones) bits = v->born[++word];
  for (; left > 0; left--) bits &= bits - 1;
  at = word * WORD_BITS + (unsigned)__builtin_ctzll(bits);
  return (uint32_t)(at - number);
}

uint64_t visited_bytes(struct visited *v) {
  uint64_t bytes = ((uint64_t)v->count + v->closed) / 8;
  bytes += v->tree ? tree_bytes(v->tree) : v->count * (uint64_t)v->shards[0].state_size;
  for (unsigned i = 0; i < v->shard_count; i++) bytes += store_bytes(&v->shards[i]);
  if (v->shard_count == 1) return bytes;
  return bytes + v->count / 8 + sizeof *(*v->chunks)->places * (uint64_t)v->count + v->far.bytes;
}
