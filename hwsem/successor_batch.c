/* SPDX-License-Identifier: MIT */
/* Making successors, and looking them up. */
#include "hwsem/successor_batch.h"

#include <assert.h>
#include <stdlib.h>

/* SOME: states whose successors are made, and then added, while they are in a core's own cache. */
enum { MEMORY = 1 << 12, MEMORY_SHIFT = 16, SOME = 256, FIRST_ROOM = 64 };

struct maker {
  struct successor_sink sink;
  const struct making *making;
  struct store shape; /* sizes alone count: what states look like, and their hashes */
  void (*canonical)(const struct machine *m, void *state);
  bool (*idle)(const struct machine *m, struct step step);
  uint32_t emitted, idle_count; /* of the state under way */

  /* Successors of some states that were kept. */
  uint8_t *states;
  uint64_t *hashes, *roots; /* roots: of compressed states */
  uint32_t kept, room;
  size_t stride;
  visited_place *found; /* where they are */
  uint32_t *before;     /* of the portion's that may be new, how many before each */
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

/* They are written with every state. */
struct maker *maker_new(void) {
  size_t size = (sizeof(struct maker) + STORE_APART - 1) / STORE_APART * STORE_APART;
  struct maker *maker = aligned_alloc(STORE_APART, size);
  if (maker) memset(maker, 0, size);
  return maker;
}

void maker_free(struct maker *maker) {
  if (!maker) return;
  free(maker->states);
  free(maker->hashes);
  free(maker->roots);
  free(maker->before);
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
  size_t bytes = MEMORY * maker->stride, size = v->store.state_size;
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
      !resize(&maker->before, room * sizeof *maker->before) || !resize(&maker->found, room * sizeof *maker->found))
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
  maker->emitted++;
  if (maker->idle) maker->idle_count += maker->idle(maker->making->machine, step);
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
    maker->emitted = maker->idle_count = 0;
    bool complete = ample ? m->ample(m, state, &maker->sink) : m->successors(m, state, &maker->sink);
    bool final = complete && m->final(m, state), idle = maker->idle_count == maker->emitted;
    p->made[i] = (struct made){maker->kept, maker->emitted, idle, complete, final};
  }
}

static bool look_up(struct maker *maker, struct visited *v) {
  struct store_batch batch = {maker->states, maker->hashes, maker->roots, maker->kept};
  if (v->tree && !tree_fold(v->tree, maker->states, maker->stride, maker->kept, maker->roots)) return false;
  return store_add(&v->store, &batch, maker->found);
}

/* What may be new. */

static bool reserve_open(struct portion *p, uint32_t wanted) {
  if (wanted <= p->open_room) return true;
  uint32_t room = wanted > 2 * p->open_room ? wanted : 2 * p->open_room;
  if (!resize(&p->fresh, room * sizeof *p->fresh)) return false;
  p->open_room = room;
  return true;
}

/* Of the successors of states `from` to `end` - 1, without branches. */
static void sift(struct portion *p, const struct maker *maker, uint32_t from, uint32_t end, visited_place open) {
  const visited_place *found = maker->found;
  visited_place *fresh = p->fresh;
  uint32_t *before = maker->before, left = p->open;
  const uint32_t count = maker->kept;
  for (uint32_t k = 0; k < count; k++) {
    fresh[left] = found[k];
    before[k] = left;
    left += found[k] >= open;
  }
  before[count] = left;
  for (uint32_t i = from; i < end; i++) p->made[i].end = before[p->made[i].end];
  p->open = left;
}

void portion_make(struct portion *p, struct visited *v, struct maker *maker, visited_place open) {
  const struct store *shape = &v->store;
  maker->shape = (struct store){.state_size = shape->state_size, .last_mask = shape->last_mask};
  maker->failed = !place_states(p, v) || (maker->room == 0 && !reserve(maker));
  p->open = 0;
  for (uint32_t from = 0, end; from < p->count && !maker->failed; from = end) {
    end = p->count - from < SOME ? p->count : from + SOME;
    make_some(p, v, maker, from, end);
    maker->failed = maker->failed || !look_up(maker, v) || !reserve_open(p, p->open + maker->kept + 1);
    if (!maker->failed) sift(p, maker, from, end, open);
  }
  p->failed = maker->failed;
}

bool portion_number(struct portion *p, struct visited *v, uint32_t i) {
  uint32_t begin = i > 0 ? p->made[i - 1].end : 0;
  return visited_close(v, p->fresh + begin, p->made[i].end - begin);
}
