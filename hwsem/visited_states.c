/* SPDX-License-Identifier: MIT */
/* Numbers, places and parents of states. */
#include "hwsem/visited_states.h"

#include <assert.h>
#include <stdlib.h>

/* MARK: states between those whose bits among the parents are known. */
enum { CHUNKS = 1 << (32 - STORE_CHUNK_BITS), WORD_BITS = 64, MARK = 1 << 12 };

void visited_init(struct visited *v) {
  *v = (struct visited){0};
  store_init(&v->store);
}

static void free_places(struct visited *v) {
  for (size_t i = v->ordered >> STORE_CHUNK_BITS; v->places && i < CHUNKS && v->places[i]; i++) free(v->places[i]);
  free(v->places);
  v->places = NULL;
  packed_pairs_free(&v->far);
  free(v->numbered);
  v->numbered = NULL;
  v->numbered_room = 0;
  v->far_count = 0;
  v->ordered = v->first_open = 0;
  v->shared = false;
}

void visited_free(struct visited *v) {
  free_places(v);
  store_free(&v->store);
  tree_free(v->tree);
  free(v->born);
  free(v->born_marks);
}

bool visited_reset(struct visited *v, size_t state_size, bool compress) {
  free_places(v);
  v->count = v->closed = v->born_count = 0;
  tree_free(v->tree);
  v->tree = compress ? tree_new(state_size) : NULL;
  return (v->tree || !compress) && store_reset(&v->store, state_size, v->tree);
}

/* Makes room for `wanted` elements, and twice as many as there were. */
__attribute__((noinline)) static bool make_more(void *array, size_t element, size_t wanted, size_t *room) {
  size_t more = wanted > 2 * *room ? wanted : 2 * *room;
  void *grown = realloc(*(void **)array, more * element);
  if (!grown) return false;
  *(void **)array = grown;
  *room = more;
  return true;
}

static inline bool make_room(void *array, size_t element, size_t wanted, size_t *room) {
  return wanted <= *room || make_more(array, element, wanted, room);
}

/* Several threads. */

static bool make_numbered_room(struct visited *v, size_t words) {
  size_t before = v->numbered_room;
  if (words <= before) return true;
  if (!make_room(&v->numbered, sizeof *v->numbered, words, &v->numbered_room)) return false;
  memset(v->numbered + before, 0, (v->numbered_room - before) * sizeof *v->numbered);
  return true;
}

bool visited_share(struct visited *v) {
  assert(!v->shared);
  v->places = calloc(CHUNKS, sizeof *v->places);
  if (!v->places || !packed_pairs_init(&v->far) || !make_numbered_room(v, v->count / WORD_BITS + 1) ||
      !store_share(&v->store)) {
    free_places(v);
    return false;
  }
  memset(v->numbered, 0xff, v->count / WORD_BITS * sizeof *v->numbered);
  v->numbered[v->count / WORD_BITS] = (UINT64_C(1) << v->count % WORD_BITS) - 1;
  v->ordered = v->first_open = v->count;
  v->shared = true;
  return true;
}

/* From the first that was open last on. */
visited_place visited_first_open(struct visited *v) {
  if (!v->shared) return v->count;
  size_t word = v->first_open / WORD_BITS;
  while (word < v->numbered_room && v->numbered[word] == ~UINT64_C(0)) word++;
  unsigned bit = word < v->numbered_room ? (unsigned)__builtin_ctzll(~v->numbered[word]) : 0;
  return v->first_open = (uint32_t)(word * WORD_BITS) + bit;
}

/* Room to note where state `number` is. */
__attribute__((noinline)) static bool make_place_room(struct visited *v, uint32_t number, visited_place place) {
  uint16_t **places = &v->places[number >> STORE_CHUNK_BITS];
  if (!*places && !(*places = malloc(STORE_CHUNK * sizeof **places))) return false;
  return make_numbered_room(v, place / WORD_BITS + 1);
}

__attribute__((noinline)) static bool note_far(struct visited *v, uint32_t number, uint32_t away) {
  uint32_t count = atomic_load_explicit(&v->far_count, memory_order_relaxed);
  if (!packed_pairs_reserve(&v->far, count) || !packed_pairs_set(&v->far, count, pair_of(number, away))) return false;
  atomic_store_explicit(&v->far_count, count + 1, memory_order_release);
  return true;
}

/* Notes where state `number` is, which is the next. */
static inline bool note_place(struct visited *v, uint32_t number, visited_place place) {
  size_t chunk = number >> STORE_CHUNK_BITS, word = place / WORD_BITS;
  if ((!v->places[chunk] || word >= v->numbered_room) && !make_place_room(v, number, place)) return false;
  v->numbered[word] |= UINT64_C(1) << place % WORD_BITS;
  uint32_t noted = place - number + VISITED_FAR;
  bool far = noted == 0 || noted >= 2 * VISITED_FAR;
  v->places[chunk][number & (STORE_CHUNK - 1)] = far ? 0 : (uint16_t)noted;
  return !far || note_far(v, number, place - number);
}

uint32_t visited_far(const struct visited *v, uint32_t number) {
  uint32_t low = 0, high = atomic_load_explicit(&v->far_count, memory_order_acquire);
  while (high - low > 1) {
    uint32_t middle = low + (high - low) / 2;
    if (packed_pairs_at(&v->far, middle) >> 32 > number)
      high = middle;
    else
      low = middle;
  }
  return (uint32_t)packed_pairs_at(&v->far, low);
}

/* Numbers and parents. */

__attribute__((noinline)) static bool add_mark(struct visited *v) {
  size_t mark = v->count / MARK;
  if (!make_room(&v->born_marks, sizeof *v->born_marks, mark + 1, &v->born_mark_room)) return false;
  v->born_marks[mark] = (uint64_t)v->count + v->closed;
  return true;
}

static inline bool number_next(struct visited *v, visited_place place) {
  if (v->count % MARK == 0 && !add_mark(v)) return false;
  uint32_t number = v->count++;
  return !v->shared || note_place(v, number, place);
}

bool visited_begin(struct visited *v) {
  return number_next(v, 0);
}

/* `count` bits, the lowest first, above which there are none. */
static inline void add_bits(struct visited *v, uint64_t at, uint64_t bits, unsigned count) {
  size_t word = at / WORD_BITS, shift = at % WORD_BITS;
  v->born[word] = shift ? v->born[word] | bits << shift : bits;
  if (shift + count > WORD_BITS) v->born[word + 1] = bits >> (WORD_BITS - shift);
}

/* As many ones as states were numbered, and a zero. */
static inline bool add_born(struct visited *v) {
  enum { MOST = WORD_BITS - 1 };
  uint64_t at = (uint64_t)v->born_count + v->closed, end = (uint64_t)v->count + v->closed + 1;
  if (!make_room(&v->born, sizeof *v->born, end / WORD_BITS + 1, &v->born_room)) return false;
  for (; end - at > MOST; at += MOST) add_bits(v, at, ~UINT64_C(0) >> 1, MOST);
  add_bits(v, at, (UINT64_C(1) << (end - at - 1)) - 1, (unsigned)(end - at));
  v->born_count = v->count;
  return true;
}

bool visited_close(struct visited *v, const visited_place *successors, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (!visited_is_numbered(v, successors[i]) && !number_next(v, successors[i])) return false;
  if (!add_born(v)) return false;
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
  assert(at - number < number); /* a state is found from one that came before it */
  return (uint32_t)(at - number);
}

uint64_t visited_bytes(struct visited *v) {
  uint64_t bytes = ((uint64_t)v->count + v->closed) / 8 + store_bytes(&v->store);
  bytes += v->tree ? tree_bytes(v->tree) : v->count * (uint64_t)v->store.state_size;
  if (!v->shared) return bytes;
  return bytes + v->count / 8 + sizeof **v->places * (uint64_t)(v->count - v->ordered) + v->far.bytes;
}
