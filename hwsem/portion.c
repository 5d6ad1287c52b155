/* SPDX-License-Identifier: MIT */
/* Making successors, and looking them up. */
#include "hwsem/portion.h"

#include <assert.h>
#include <stdlib.h>

#include "hwsem/lock.h"

/* SOME: states whose successors are made, and then added, while they are in a core's own cache. */
enum { MEMORY = 1 << 12, MEMORY_SHIFT = 16, SOME = 256, FIRST_ROOM = 64 };

struct maker {
  struct successor_sink sink;
  const struct making *making;
  struct store shape; /* sizes alone count: what states look like, and their hashes */
  void (*canonical)(const struct machine *m, void *state);
  bool (*idle)(const struct machine *m, struct step step);
  struct made *now;

  /* Successors of some states that were kept. */
  uint8_t *states;
  uint64_t *hashes, *roots; /* roots: of compressed states */
  uint32_t kept, room;
  size_t stride;
  uint32_t *by_shard; /* the same by shard, shard s from begin[s] to begin[s + 1] */
  uint32_t begin[VISITED_SHARDS + 1];
  visited_place *found; /* where they are */
  bool failed;

  uint64_t *lately; /* MEMORY states that were made lately, by their hashes */
  size_t lately_bytes;
  bool remembers;
};

void portion_free(struct portion *p) {
  free(p->places);
  free(p->made);
  free(p->fresh);
}

static bool resize(void *array, size_t bytes) {
  void *resized = realloc(*(void **)array, bytes);
  if (resized) *(void **)array = resized;
  return resized;
}

/* Where its states are. */
static bool place_states(struct portion *p, const struct visited *v) {
  if (p->count > p->room) {
    if (!resize(&p->places, p->count * sizeof *p->places) || !resize(&p->made, p->count * sizeof *p->made))
      return false;
    p->room = p->count;
  }
  for (uint32_t i = 0; i < p->count; i++) p->places[i] = visited_find(v, p->first + i);
  return true;
}

/* Makers. */

/* Each in lines of its own: they are written with every state. */
struct maker *maker_new(void) {
  size_t size = (sizeof(struct maker) + STORE_LINE - 1) / STORE_LINE * STORE_LINE;
  struct maker *maker = aligned_alloc(STORE_LINE, size);
  if (maker) memset(maker, 0, size);
  return maker;
}

void maker_free(struct maker *maker) {
  if (!maker) return;
  free(maker->states);
  free(maker->hashes);
  free(maker->roots);
  free(maker->by_shard);
  free(maker->found);
  free(maker->lately);
  free(maker);
}

void maker_reset(struct maker *maker, const struct making *making, size_t stride) {
  if (stride != maker->stride) maker->room = 0;
  maker->making = making;
  maker->canonical = making->symmetry ? making->machine->canonical : NULL;
  maker->idle = making->machine->idle;
  maker->stride = stride;
  maker->remembers = false;
}

void maker_remember(struct maker *maker, const struct visited *v, const void *known) {
  size_t bytes = MEMORY * maker->stride, size = v->shards[0].state_size;
  if (maker->remembers || size == 0) return;
  if (bytes > maker->lately_bytes) {
    if (!resize(&maker->lately, bytes)) return;
    maker->lately_bytes = bytes;
  }
  memset(maker->lately, 0, bytes);
  for (size_t i = 0; i < MEMORY; i++) memcpy((uint8_t *)maker->lately + i * maker->stride, known, size);
  maker->remembers = true;
}

/* Was the state made lately?  From now on, it was. */
static inline bool made_lately(struct maker *maker, uint64_t hash, const void *state) {
  size_t words = maker->stride / sizeof(uint64_t), at = hash >> MEMORY_SHIFT & (MEMORY - 1);
  uint64_t *there = maker->lately + at * words, differ = 0;
  const uint8_t *from = state;
  for (size_t i = 0; i < words; i++) {
    uint64_t word;
    memcpy(&word, from + i * sizeof word, sizeof word);
    if (i + 1 == words) word &= maker->shape.last_mask;
    differ |= there[i] ^ word;
    there[i] = word;
  }
  return differ == 0;
}

/* Makes room for more successors, and for what is found of them. */
__attribute__((noinline)) static bool reserve(struct maker *maker) {
  uint32_t room = maker->room ? 2 * maker->room : FIRST_ROOM;
  if (!resize(&maker->states, room * maker->stride + MACHINE_SPARE) ||
      !resize(&maker->hashes, room * sizeof *maker->hashes) || !resize(&maker->roots, room * sizeof *maker->roots) ||
      !resize(&maker->by_shard, room * sizeof *maker->by_shard) || !resize(&maker->found, room * sizeof *maker->found))
    return false;
  maker->room = room;
  return true;
}

/* The representative of a representative is itself: else one class would be
 * several states. */
__attribute__((unused)) static bool represents_its_class(const struct maker *maker, const uint8_t *state) {
  size_t size = maker->shape.state_size;
  uint64_t again[size / sizeof(uint64_t) + 2];
  if (!maker->canonical) return true;
  memcpy(again, state, size);
  maker->canonical(maker->making->machine, again);
  return !memcmp(again, state, size);
}

static bool keep(struct successor_sink *sink, struct step step, const void *next) {
  struct maker *maker = (struct maker *)sink;
  uint8_t *place = sink->place;
  if (next != place) memcpy(place, next, maker->shape.state_size);
  if (maker->canonical) maker->canonical(maker->making->machine, place);
  assert(represents_its_class(maker, place));
  uint64_t hash = store_hash(&maker->shape, place);
  maker->now->emitted++;
  if (maker->idle) maker->now->idle += maker->idle(maker->making->machine, step);
  maker->hashes[maker->kept] = hash;
  maker->kept += !(maker->remembers && made_lately(maker, hash, place));
  maker->failed = maker->kept == maker->room && !reserve(maker);
  sink->place = maker->states + maker->kept * maker->stride;
  return !maker->failed;
}

/* Successors of states `from` to `end` - 1. */
static void make_some(struct portion *p, const struct visited *v, struct maker *maker, uint32_t from, uint32_t end) {
  const struct machine *m = maker->making->machine;
  bool ample = maker->making->por && m->ample;
  uint64_t buffer[maker->stride / sizeof(uint64_t) + 1];
  maker->kept = 0;
  maker->sink = (struct successor_sink){.emit = keep, .place = maker->states};
  for (uint32_t i = from; i < end && !maker->failed; i++) {
    const void *state = visited_read(v, p->places[i], buffer);
    struct made *made = maker->now = &p->made[i];
    *made = (struct made){0};
    made->complete = ample ? m->ample(m, state, &maker->sink) : m->successors(m, state, &maker->sink);
    made->final = made->complete && m->final(m, state);
    made->end = maker->kept;
  }
}

/* Looking up. */

static void sort_by_shard(struct maker *maker, const struct visited *v) {
  uint32_t counts[VISITED_SHARDS] = {0}, *by_shard = maker->by_shard;
  const uint32_t count = maker->kept, shards = v->shard_count;
  const uint64_t *hashes = maker->hashes;
  for (uint32_t i = 0; i < count; i++) counts[visited_shard(hashes[i], shards)]++;
  maker->begin[0] = 0;
  for (unsigned s = 0; s < shards; s++) {
    maker->begin[s + 1] = maker->begin[s] + counts[s];
    counts[s] = maker->begin[s];
  }
  for (uint32_t i = 0; i < count; i++) by_shard[counts[visited_shard(hashes[i], shards)]++] = i;
}

/* To a shard whose lock is held; lets go of it. */
static void add_to(struct maker *maker, struct visited *v, unsigned shard) {
  struct store_batch batch = {.states = maker->states, .hashes = maker->hashes, .roots = maker->roots};
  batch.which = maker->by_shard + maker->begin[shard];
  batch.count = maker->begin[shard + 1] - maker->begin[shard];
  batch.shift = v->shard_bits;
  batch.low = shard;
  struct store *store = &v->shards[shard];
  maker->failed |= !store_add(store, &batch, maker->found);
  bool asks = store_asks_for_chunk(store);
  pthread_mutex_unlock(&v->locks[shard].mutex);
  if (!asks) return;
  void *chunk = store_new_chunk(store);
  lock_soon(&v->locks[shard].mutex);
  store_give_chunk(store, chunk);
  pthread_mutex_unlock(&v->locks[shard].mutex);
}

/* Grows a shard that is soon full and that nobody is at, if there is one. */
static bool grow_one(struct maker *maker, struct visited *v) {
  bool grown = false;
  for (unsigned s = 0; s < v->shard_count && !grown; s++) {
    if (pthread_mutex_trylock(&v->locks[s].mutex)) continue;
    grown = store_is_nearly_full(&v->shards[s]);
    maker->failed |= grown && !store_grow(&v->shards[s]);
    pthread_mutex_unlock(&v->locks[s].mutex);
  }
  return grown;
}

/* To shards that nobody is at.  Somebody is at one for long only where it grows: then others are as full,
 * and grow meanwhile. */
static void add_to_all(struct maker *maker, struct visited *v) {
  uint64_t left = ~UINT64_C(0) >> (VISITED_SHARDS - v->shard_count);
  while (left && !maker->failed) {
    uint64_t before = left;
    for (uint64_t next = left; next; next &= next - 1) {
      unsigned shard = (unsigned)__builtin_ctzll(next);
      if (pthread_mutex_trylock(&v->locks[shard].mutex)) continue;
      add_to(maker, v, shard);
      left &= ~(UINT64_C(1) << shard);
    }
    if (left != before || grow_one(maker, v)) continue;
    lock_soon(&v->locks[__builtin_ctzll(left)].mutex);
    add_to(maker, v, (unsigned)__builtin_ctzll(left));
    left &= left - 1;
  }
}

static void look_up(struct maker *maker, struct visited *v) {
  maker->failed = v->tree && !tree_fold(v->tree, maker->states, maker->stride, maker->kept, maker->roots);
  if (maker->failed) return;
  if (v->shard_count > 1) {
    sort_by_shard(maker, v);
    add_to_all(maker, v);
  } else {
    struct store_batch batch = {
        .states = maker->states, .hashes = maker->hashes, .roots = maker->roots, .count = maker->kept};
    maker->failed = !store_add(&v->shards[0], &batch, maker->found);
  }
}

/* What may be new. */

static bool reserve_open(struct portion *p, uint32_t wanted) {
  if (wanted <= p->open_room) return true;
  uint32_t room = wanted > 2 * p->open_room ? wanted : 2 * p->open_room;
  if (!resize(&p->fresh, room * sizeof *p->fresh)) return false;
  p->open_room = room;
  return true;
}

/* Of the successors of states `from` to `end` - 1, without branches: first puts for each that was kept how many
 * before it may be new. */
static void sift(struct portion *p, const struct maker *maker, uint32_t from, uint32_t end, const struct visited *v,
                 const uint32_t *first_open) {
  const visited_place *found = maker->found;
  visited_place open[VISITED_SHARDS], *fresh = p->fresh;
  uint32_t *before = maker->by_shard, left = p->open;
  const uint32_t count = maker->kept, shards = v->shard_count;
  for (uint32_t s = 0; s < shards; s++) open[s] = visited_place_of(v, s, first_open[s]);
  for (uint32_t k = 0; k < count; k++) {
    fresh[left] = found[k];
    before[k] = left;
    left += found[k] >= open[found[k] & (shards - 1)];
  }
  before[count] = left;
  for (uint32_t i = from; i < end; i++) p->made[i].end = before[p->made[i].end];
  p->open = left;
}

void portion_make(struct portion *p, struct visited *v, struct maker *maker, const uint32_t *open) {
  const struct store *shape = &v->shards[0];
  maker->shape = (struct store){.state_size = shape->state_size, .last_mask = shape->last_mask};
  maker->failed = !place_states(p, v) || (maker->room == 0 && !reserve(maker));
  p->open = 0;
  for (uint32_t from = 0, end; from < p->count && !maker->failed; from = end) {
    end = p->count - from < SOME ? p->count : from + SOME;
    make_some(p, v, maker, from, end);
    if (!maker->failed) look_up(maker, v);
    maker->failed = maker->failed || !reserve_open(p, p->open + maker->kept + 1);
    if (!maker->failed) sift(p, maker, from, end, v, open);
  }
  p->failed = maker->failed;
}

bool portion_number(struct portion *p, struct visited *v, uint32_t i) {
  for (uint32_t k = i > 0 ? p->made[i - 1].end : 0; k < p->made[i].end; k++)
    if (!visited_is_numbered(v, p->fresh[k]) && !visited_number(v, p->fresh[k])) return false;
  return visited_close(v);
}
