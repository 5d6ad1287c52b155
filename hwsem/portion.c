/* SPDX-License-Identifier: MIT */
/* Making successors, and looking them up. */
#include "hwsem/portion.h"

#include <assert.h>
#include <stdlib.h>

enum { MEMORY = 1 << 12, MEMORY_SHIFT = 16, FIRST_ROOM = 64 };

struct maker {
  struct successor_sink sink;
  const struct making *making;
  const struct store *store; /* any: for its hashes */
  void (*canonical)(const struct machine *m, void *state);
  bool (*idle)(const struct machine *m, struct step step);
  struct portion *portion;
  struct made *now;
  size_t stride;
  uint64_t *lately; /* MEMORY states that were made lately, by their hashes */
  size_t lately_bytes;
  bool remembers;
};

void portion_free(struct portion *p) {
  free(p->places);
  free(p->made);
  free(p->states);
  free(p->hashes);
  free(p->by_shard);
  free(p->fresh);
}

static bool resize(void *array, size_t bytes) {
  void *resized = realloc(*(void **)array, bytes);
  if (resized) *(void **)array = resized;
  return resized;
}

bool portion_take(struct portion *p, const struct visited *v, struct visited_cursor *cursor, uint32_t count) {
  if (count > p->room) {
    if (!resize(&p->places, count * sizeof *p->places) || !resize(&p->made, count * sizeof *p->made)) return false;
    p->room = count;
  }
  p->first = cursor->next;
  p->count = count;
  for (uint32_t i = 0; i < count; i++) p->places[i] = visited_pass(v, cursor);
  return true;
}

/* Makers. */

struct maker *maker_new(void) {
  return calloc(1, sizeof(struct maker));
}

void maker_free(struct maker *maker) {
  if (!maker) return;
  free(maker->lately);
  free(maker);
}

void maker_reset(struct maker *maker, const struct making *making, size_t stride) {
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
    if (i + 1 == words) word &= maker->store->last_mask;
    differ |= there[i] ^ word;
    there[i] = word;
  }
  return differ == 0;
}

/* Makes room for more successors; by_shard and fresh have room for as many. */
__attribute__((noinline)) static bool reserve(struct portion *p) {
  uint32_t room = p->kept_room ? 2 * p->kept_room : FIRST_ROOM;
  if (!resize(&p->states, room * p->stride + MACHINE_SPARE) || !resize(&p->hashes, room * sizeof *p->hashes) ||
      !resize(&p->by_shard, room * sizeof *p->by_shard) || !resize(&p->fresh, room * sizeof *p->fresh))
    return false;
  p->kept_room = room;
  return true;
}

/* The representative of a representative is itself: else one class would be
 * several states. */
__attribute__((unused)) static bool represents_its_class(const struct maker *maker, const uint8_t *state) {
  size_t size = maker->store->state_size;
  uint64_t again[size / sizeof(uint64_t) + 2];
  if (!maker->canonical) return true;
  memcpy(again, state, size);
  maker->canonical(maker->making->machine, again);
  return !memcmp(again, state, size);
}

static bool keep(struct successor_sink *sink, struct step step, const void *next) {
  struct maker *maker = (struct maker *)sink;
  struct portion *p = maker->portion;
  uint8_t *place = sink->place;
  if (next != place) memcpy(place, next, maker->store->state_size);
  if (maker->canonical) maker->canonical(maker->making->machine, place);
  assert(represents_its_class(maker, place));
  uint64_t hash = store_hash(maker->store, place);
  maker->now->emitted++;
  if (maker->idle) maker->now->idle += maker->idle(maker->making->machine, step);
  p->hashes[p->kept] = hash;
  p->kept += !(maker->remembers && made_lately(maker, hash, place));
  p->failed = p->kept == p->kept_room && !reserve(p);
  sink->place = p->states + p->kept * p->stride;
  return !p->failed;
}

/* The numbers of successors, sorted by shard. */
static void sort_by_shard(struct portion *p, const struct visited *v) {
  uint32_t counts[VISITED_SHARDS] = {0};
  if (v->shard_count > 1)
    for (uint32_t i = 0; i < p->kept; i++) counts[visited_shard(v, p->hashes[i])]++;
  else
    counts[0] = p->kept;
  p->begin[0] = 0;
  for (unsigned s = 0; s < v->shard_count; s++) {
    p->begin[s + 1] = p->begin[s] + counts[s];
    p->numbered[s] = p->begin[s];
    counts[s] = p->begin[s];
  }
  if (v->shard_count > 1)
    for (uint32_t i = 0; i < p->kept; i++) p->by_shard[counts[visited_shard(v, p->hashes[i])]++] = i;
}

void portion_make(struct portion *p, const struct visited *v, struct maker *maker) {
  const struct machine *m = maker->making->machine;
  bool ample = maker->making->por && m->ample;
  uint64_t buffer[maker->stride / sizeof(uint64_t) + 1];
  p->kept = 0;
  if (p->stride != maker->stride) p->kept_room = 0;
  p->stride = maker->stride;
  p->failed = p->kept_room == 0 && !reserve(p);
  if (p->failed) return;
  maker->store = &v->shards[0];
  maker->portion = p;
  maker->sink = (struct successor_sink){.emit = keep, .place = p->states};
  for (uint32_t i = 0; i < p->count && !p->failed; i++) {
    const void *state = visited_read(v, p->places[i], buffer);
    struct made *made = maker->now = &p->made[i];
    *made = (struct made){0};
    made->complete = ample ? m->ample(m, state, &maker->sink) : m->successors(m, state, &maker->sink);
    made->final = made->complete && m->final(m, state);
    made->end = p->kept;
  }
  sort_by_shard(p, v);
}

bool portion_look_up(struct portion *p, struct visited *v, unsigned shard) {
  struct store_batch batch = {.states = p->states, .hashes = p->hashes, .count = p->begin[shard + 1] - p->begin[shard]};
  if (v->shard_count > 1) batch.which = p->by_shard + p->begin[shard];
  return store_add(&v->shards[shard], &batch, p->fresh + p->begin[shard]);
}

bool portion_number(struct portion *p, struct visited *v, uint32_t i) {
  for (uint32_t k = i > 0 ? p->made[i - 1].end : 0; k < p->made[i].end; k++) {
    unsigned shard = v->shard_count > 1 ? visited_shard(v, p->hashes[k]) : 0;
    if (p->fresh[p->numbered[shard]++] && !visited_number(v, shard)) return false;
  }
  return visited_close(v);
}
