/* SPDX-License-Identifier: MIT */
/* Who waits for a mutex that is taken is looked at again when one of its ring becomes free. */
#include "hwsem/timing/fear_mutex_tables.h"

struct fear_mutex_tables fear_mutex_tables_new(struct arena *arena, const struct fear_rings *rings, int64_t B,
                                               int64_t mutexes, int64_t E) {
  int words = (int)(rings->nodes + 63) / 64;
  struct fear_mutex_tables t = {.arena = arena,
                                .rings = rings,
                                .E = E,
                                .mutexes = ARENA_ARRAY(arena, struct fear_mutex, (size_t)mutexes),
                                .members = ARENA_ARRAY(arena, struct fear_member, (size_t)rings->nodes),
                                .wires = ARENA_ARRAY(arena, int64_t, (size_t)(rings->count * B)),
                                .words = words,
                                .asking = ARENA_ARRAY(arena, uint64_t, (size_t)words),
                                .waiting = ARENA_ARRAY(arena, uint64_t, (size_t)words),
                                .sticks = ARENA_ARRAY(arena, uint64_t, (size_t)(rings->k * words))};
  for (int64_t m = 0; m < mutexes; m++) t.mutexes[m] = (struct fear_mutex){.released = NEVER, .last = NEVER};
  for (int64_t i = 0; i < rings->nodes; i++) t.sticks[i % rings->k * words + i / 64] |= UINT64_C(1) << i % 64;
  return t;
}

void fear_mutex_tables_enqueue(struct fear_mutex_tables *t, int member, bool releases, struct fear_waiter waiter) {
  uint64_t bit = UINT64_C(1) << member % 64;
  t->waiting[member / 64] |= bit;
  if (releases) {
    *vec_push(t->arena, &t->members[member].releases) = waiter;
  } else {
    t->asking[member / 64] |= bit;
    *vec_push(t->arena, &t->members[member].requests) = waiter;
  }
}

/* A mutex of the member's ring is free: who asks for it looks again. */
static void wake(struct fear_mutex_tables *t, int member) {
  int64_t k = t->rings->k, first = member / k * k, end = first + k;
  for (int64_t from = first; from < end; from = (from / 64 + 1) * 64) {
    uint64_t set = UINT64_MAX << from % 64;
    if (end / 64 == from / 64) set &= ~(UINT64_MAX << end % 64);
    t->waiting[from / 64] |= t->asking[from / 64] & set;
  }
}

static void change(struct fear_mutex_tables *t, int member, const struct fear_waiter *waiter, bool releases,
                   int64_t now) {
  struct fear_mutex *mutex = &t->mutexes[waiter->mutex];
  struct fear_change change = {.operation = waiter->operation,
                               .now = now,
                               .member = member,
                               .releases = releases,
                               .same = mutex->last == waiter->node,
                               .mature = mutex->released == NEVER || now / t->E > mutex->released / t->E};
  mutex->taken = !releases;
  if (releases) {
    mutex->released = now;
    wake(t, member);
  } else {
    mutex->last = waiter->node;
  }
  t->wires[waiter->wire] = t->changed(t->context, &change);
}

/* What a member can do of its releases or requests, in order; the rest stays.  Returns whether one should be looked
 * at again before a mutex becomes free. */
static bool serve(struct fear_mutex_tables *t, int member, struct fear_waiter *list, size_t *count, bool releases,
                  int64_t now) {
  size_t kept = 0;
  bool again = false;
  for (size_t i = 0; i < *count; i++) {
    struct fear_waiter waiter = list[i];
    bool taken = !releases && t->mutexes[waiter.mutex].taken;
    if (taken || t->wires[waiter.wire] > now) {
      again |= !taken;
      list[kept++] = waiter;
    } else {
      change(t, member, &waiter, releases, now);
    }
  }
  *count = kept;
  return again;
}

void fear_mutex_tables_serve(struct fear_mutex_tables *t, int64_t phase, int64_t now) {
  const uint64_t *sticks = &t->sticks[phase * t->words];
  for (int word = 0; word < t->words; word++)
    for (uint64_t holders = t->waiting[word] & sticks[word]; holders; holders &= holders - 1) {
      uint64_t bit = holders & -holders;
      int number = word * 64 + __builtin_ctzll(holders);
      struct fear_member *member = &t->members[number];
      bool again = serve(t, number, member->releases.at, &member->releases.count, true, now);
      again |= serve(t, number, member->requests.at, &member->requests.count, false, now);
      if (!again) t->waiting[word] &= ~bit;
      if (!member->requests.count) t->asking[word] &= ~bit;
    }
}

bool fear_mutex_tables_holder_waits(const struct fear_mutex_tables *t, int64_t phase) {
  uint64_t waits = 0;
  for (int word = 0; word < t->words; word++) waits |= t->waiting[word] & t->sticks[phase * t->words + word];
  return waits != 0;
}

bool fear_mutex_tables_someone_waits(const struct fear_mutex_tables *t) {
  uint64_t waits = 0;
  for (int word = 0; word < t->words; word++) waits |= t->waiting[word];
  return waits != 0;
}
