/* SPDX-License-Identifier: MIT */
/* Numbers, shards and parents of states. */
#include "hwsem/visited.h"

#include <assert.h>
#include <stdlib.h>

enum { MARK = 1 << 12, CHUNKS = 1 << (32 - STORE_CHUNK_BITS), WORD_BITS = 64 };

/* A place: the shard, and above it how far the state is from its place in order. */
enum { PLACE_BYTES = 3, SHARD_BITS = 6, AWAY = 1 << (8 * PLACE_BYTES - SHARD_BITS - 1) };
_Static_assert(1 << SHARD_BITS == VISITED_SHARDS, "a shard's number fits");

void visited_init(struct visited *v) {
  *v = (struct visited){.shard_count = 1};
  store_init(&v->shards[0]);
}

static void free_places(struct visited *v) {
  for (size_t i = 0; v->places && i < CHUNKS && v->places[i]; i++) free(v->places[i]);
  free(v->places);
  v->places = NULL;
  for (unsigned i = 0; i < v->shard_count; i++) {
    pthread_mutex_destroy(&v->locks[i].mutex);
    free(v->numbered[i]);
    v->numbered[i] = NULL;
    v->numbered_room[i] = 0;
    v->first_open[i] = 0;
  }
}

static void free_shards_from(struct visited *v, unsigned first) {
  for (unsigned i = first; i < v->shard_count; i++) store_free(&v->shards[i]);
  if (v->shard_count > 1) free_places(v);
  v->shard_count = first;
}

void visited_free(struct visited *v) {
  free_shards_from(v, 0);
  free(v->marks);
  free(v->born);
  free(v->born_marks);
}

bool visited_reset(struct visited *v, size_t state_size, bool compress) {
  free_shards_from(v, 1);
  v->count = v->closed = 0;
  v->end = (struct visited_cursor){0};
  return store_reset(&v->shards[0], state_size, compress);
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

/* Notes that a state is numbered: ahead of the first that is not, as bits. */
static inline bool mark_numbered(struct visited *v, struct visited_place place) {
  uint32_t *open = &v->first_open[place.shard];
  if (place.index == *open) {
    do ++*open;
    while (visited_is_numbered(v, (struct visited_place){place.shard, *open}));
    return true;
  }
  uint64_t **bits = &v->numbered[place.shard];
  size_t word = place.index / WORD_BITS, *room = &v->numbered_room[place.shard], before = *room;
  if (word >= before) {
    if (!make_room(bits, sizeof **bits, word + 1, room)) return false;
    memset(*bits + before, 0, (*room - before) * sizeof **bits);
  }
  (*bits)[word] |= UINT64_C(1) << place.index % WORD_BITS;
  return true;
}

static inline void pack_place(uint8_t *to, uint32_t place) {
  to[0] = (uint8_t)place;
  to[1] = (uint8_t)(place >> 8);
  to[2] = (uint8_t)(place >> 16);
}

/* Notes where the next state is. */
static bool note_place(struct visited *v, struct visited_place place) {
  uint32_t number = v->end.next, away = place.index - v->end.counts[place.shard] + AWAY;
  size_t chunk = number >> STORE_CHUNK_BITS, at = number & (STORE_CHUNK - 1);
  if (away >= 2 * AWAY) return false; /* more under way at once than memory for it */
  if (number % MARK == 0) {
    size_t first = number / MARK * v->shard_count;
    if (!make_room(&v->marks, sizeof *v->marks, first + v->shard_count, &v->mark_room)) return false;
    memcpy(v->marks + first, v->end.counts, v->shard_count * sizeof *v->marks);
  }
  if (!v->places[chunk] && !(v->places[chunk] = malloc(PLACE_BYTES * STORE_CHUNK))) return false;
  pack_place(v->places[chunk] + PLACE_BYTES * at, away << SHARD_BITS | place.shard);
  v->end.next++;
  v->end.counts[place.shard]++;
  return mark_numbered(v, place);
}

static bool move_state(struct visited *v, const struct store *from, uint32_t number) {
  uint64_t state[from->stride / sizeof(uint64_t) + 2], buffer[from->stride / sizeof(uint64_t) + 1];
  memcpy(state, store_read(from, number, buffer), from->state_size);
  uint64_t hash = store_hash(from, state);
  struct visited_place place = {.shard = visited_shard(v, hash)};
  struct store_batch one = {.states = state, .hashes = &hash, .count = 1};
  return store_add(&v->shards[place.shard], &one, &place.index) && note_place(v, place);
}

bool visited_share(struct visited *v, unsigned shards) {
  assert(v->shard_count == 1 && shards <= VISITED_SHARDS && (shards & (shards - 1)) == 0);
  struct store whole = v->shards[0];
  bool ok = true;
  v->shard_count = shards;
  v->end = (struct visited_cursor){0};
  for (unsigned i = 0; i < shards; i++) {
    store_init(&v->shards[i]);
    pthread_mutex_init(&v->locks[i].mutex, NULL);
    ok = ok && store_reset(&v->shards[i], whole.state_size, whole.tree) && store_reserve_chunks(&v->shards[i]);
  }
  v->places = ok ? calloc(CHUNKS, sizeof *v->places) : NULL;
  ok = ok && v->places;
  for (uint32_t i = 0; ok && i < v->count; i++) ok = move_state(v, &whole, i);
  if (ok) {
    store_free(&whole);
  } else {
    free_shards_from(v, 0);
    v->shard_count = 1;
    v->shards[0] = whole;
  }
  return ok;
}

struct visited_place visited_pass(const struct visited *v, struct visited_cursor *cursor) {
  uint32_t number = cursor->next++;
  if (v->shard_count == 1) return (struct visited_place){0, number};
  const uint8_t *bytes = v->places[number >> STORE_CHUNK_BITS] + PLACE_BYTES * (number & (STORE_CHUNK - 1));
  uint32_t packed = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
  unsigned shard = packed & (VISITED_SHARDS - 1);
  return (struct visited_place){shard, cursor->counts[shard]++ + (packed >> SHARD_BITS) - AWAY};
}

struct visited_cursor visited_cursor_at(const struct visited *v, uint32_t number) {
  struct visited_cursor cursor = {.next = number};
  if (v->shard_count == 1) return cursor;
  cursor.next = number / MARK * MARK;
  memcpy(cursor.counts, v->marks + cursor.next / MARK * v->shard_count, v->shard_count * sizeof *v->marks);
  while (cursor.next < number) visited_pass(v, &cursor);
  return cursor;
}

struct visited_place visited_find(const struct visited *v, uint32_t number) {
  struct visited_cursor cursor = visited_cursor_at(v, number);
  return visited_pass(v, &cursor);
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

bool visited_number(struct visited *v, struct visited_place place) {
  size_t mark = v->count / MARK;
  if (v->count % MARK == 0) {
    if (!make_room(&v->born_marks, sizeof *v->born_marks, mark + 1, &v->born_mark_room)) return false;
    v->born_marks[mark] = (uint64_t)v->count + v->closed;
  }
  if (!add_bit(v, true)) return false;
  v->count++;
  return v->shard_count == 1 || note_place(v, place);
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
  uint64_t bits = (uint64_t)v->count + v->closed;
  if (v->shard_count == 1) return bits / 8 + store_bytes(&v->shards[0]);
  uint64_t bytes = (bits + v->count) / 8 + PLACE_BYTES * (uint64_t)v->count;
  for (unsigned i = 0; i < v->shard_count; i++) {
    pthread_mutex_lock(&v->locks[i].mutex);
    bytes += store_bytes(&v->shards[i]);
    pthread_mutex_unlock(&v->locks[i].mutex);
  }
  return bytes;
}
