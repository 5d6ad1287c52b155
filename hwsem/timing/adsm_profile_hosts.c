/* SPDX-License-Identifier: MIT */
/* The hosts that run profiles: a runtime that keeps units of objects coherent, and a
 * programmer who copies by hand. */
#include <stdlib.h>

#include "checker/base/guard.h"
#include "hwsem/timing/adsm_profile_parts.h"

/* ---- a runtime ---- */

enum { NONE = -1 };

struct unit {
  enum adsm_state state;
  int64_t next; /* the dirty one after this one */
};

struct runtime {
  enum adsm_protocol protocol;
  int64_t first[ADSM_PROFILE_OBJECTS + 1]; /* units of an object */
  int64_t size[ADSM_PROFILE_OBJECTS];      /* of a unit */
  struct unit *units;
  int64_t oldest, newest, dirty, most;
};

static int64_t bytes_of(const struct profile_run *run, int object, int64_t unit) {
  const struct runtime *t = run->own;
  int64_t left = run->profile->object[object].size - (unit - t->first[object]) * t->size[object];
  return left < t->size[object] ? left : t->size[object];
}

static int object_of(const struct profile_run *run, int64_t unit) {
  const struct runtime *t = run->own;
  int object = 0;
  while (unit >= t->first[object + 1]) object++;
  return object;
}

/* A unit goes along an edge. */
static void follow(struct profile_run *run, int object, int64_t unit, enum adsm_event event, bool waits) {
  struct runtime *t = run->own;
  struct adsm_edge edge = adsm_edge(t->protocol, t->units[unit].state, event);
  t->units[unit].state = edge.next;
  run->cost.events++;
  if (edge.fault) {
    run->cost.faults++;
    profile_pass(run, ADSM_PART_SIGNAL, adsm_fault_time(&run->p->adsm, t->first[run->profile->objects]));
  }
  if (edge.transfer != ADSM_STAY) profile_transfer(run, edge.transfer == ADSM_UP, bytes_of(run, object, unit), waits);
}

/* A block has become dirty; the oldest goes when there are too many. */
static void roll(struct profile_run *run, int64_t unit) {
  struct runtime *t = run->own;
  *(t->oldest == NONE ? &t->oldest : &t->units[t->newest].next) = unit;
  t->newest = unit;
  t->units[unit].next = NONE;
  if (++t->dirty <= t->most) return;
  int64_t oldest = t->oldest;
  t->oldest = t->units[oldest].next;
  t->dirty--;
  follow(run, object_of(run, oldest), oldest, ADSM_EVICT, false);
}

static void touch_unit(struct profile_run *run, int object, int64_t unit, enum adsm_event event) {
  struct runtime *t = run->own;
  bool dirty = t->units[unit].state == ADSM_DIRTY;
  follow(run, object, unit, event, true);
  if (t->protocol == ADSM_ROLLING && !dirty && t->units[unit].state == ADSM_DIRTY) roll(run, unit);
}

static void touch(struct profile_run *run, int object, int64_t byte, enum adsm_event event) {
  const struct runtime *t = run->own;
  touch_unit(run, object, t->first[object] + byte / t->size[object], event);
}

/* I/O calls on shared objects are made for each block (section 4.4). */
static void sweep(struct profile_run *run, int object, enum adsm_event event, enum adsm_part part, int64_t rate) {
  const struct runtime *t = run->own;
  bool file = part == ADSM_PART_IO_READ || part == ADSM_PART_IO_WRITE;
  for (int64_t unit = t->first[object]; unit < t->first[object + 1]; unit++) {
    touch_unit(run, object, unit, event);
    if (file) profile_pass(run, part, run->p->chunk);
    profile_pass(run, part, bytes_of(run, object, unit) * rate / 1024);
  }
}

/* An object that the kernel does not write, where that is known, stays with the host:
 * what is dirty goes up (section 4.3). */
static void lend(struct profile_run *run, int object, int64_t unit) {
  struct runtime *t = run->own;
  if (t->units[unit].state != ADSM_DIRTY) return;
  if (t->protocol != ADSM_BATCH) t->units[unit].state = ADSM_READ_ONLY;
  profile_transfer(run, true, bytes_of(run, object, unit), true);
}

/* The list of dirty blocks without those that are no longer. */
static void drop_clean(struct runtime *t) {
  int64_t next = t->oldest;
  t->oldest = t->newest = NONE;
  t->dirty = 0;
  for (int64_t unit; (unit = next) != NONE;) {
    next = t->units[unit].next;
    if (t->units[unit].state != ADSM_DIRTY) continue;
    *(t->oldest == NONE ? &t->oldest : &t->units[t->newest].next) = unit;
    t->newest = unit;
    t->units[unit].next = NONE;
    t->dirty++;
  }
}

static void call(struct profile_run *run, int accelerator) {
  struct runtime *t = run->own;
  for (int object = 0; object < run->profile->objects; object++) {
    const struct profile_object *o = &run->profile->object[object];
    for (int64_t unit = t->first[object]; o->accelerator == accelerator && unit < t->first[object + 1]; unit++) {
      if (run->p->adsm.annotate && !o->written)
        lend(run, object, unit);
      else
        follow(run, object, unit, ADSM_CALL, true);
    }
  }
  if (run->engine > run->now) profile_pass(run, ADSM_PART_COPY, run->engine - run->now);
  drop_clean(t);
}

static void sync_units(struct profile_run *run, int accelerator) {
  const struct runtime *t = run->own;
  if (t->protocol != ADSM_BATCH) return; /* nothing happens */
  for (int object = 0; object < run->profile->objects; object++)
    for (int64_t unit = t->first[object];
         run->profile->object[object].accelerator == accelerator && unit < t->first[object + 1]; unit++)
      follow(run, object, unit, ADSM_SYNC, true);
}

bool adsm_profile_fits(const struct adsm_profile *profile, int64_t block) {
  enum { BLOCKS = 1 << 22 };
  int64_t blocks = 0;
  for (int i = 0; i < profile->objects; i++) blocks += (profile->object[i].size - 1) / block + 1;
  return blocks <= BLOCKS;
}

struct adsm_profile_cost adsm_profile_run(const struct adsm_profile_parameters *p, const struct adsm_profile *profile,
                                          enum adsm_protocol protocol, struct cost_limit *limit) {
  static const struct profile_host host = {sweep, touch, call, sync_units};
  struct runtime t = {.protocol = protocol, .oldest = NONE, .newest = NONE};
  struct profile_run run = {.p = p, .profile = profile, .host = &host, .limit = limit, .own = &t};
  for (int i = 0; i < profile->objects; i++) {
    int64_t size = profile->object[i].size;
    t.size[i] = protocol == ADSM_ROLLING && p->adsm.B < size ? p->adsm.B : size;
    t.first[i + 1] = t.first[i] + (size + t.size[i] - 1) / t.size[i];
  }
  t.most = p->adsm.R ? p->adsm.R : 2 * profile->objects;
  t.units = calloc((size_t)t.first[profile->objects], sizeof *t.units);
  if (!t.units) guard_out_of_memory();
  for (int64_t u = 0; u < t.first[profile->objects]; u++) t.units[u].state = adsm_initial_state(protocol);
  profile_run_phases(&run, profile->phases);
  free(t.units);
  return run.cost;
}

/* ---- by hand ---- */

struct copies {
  bool whole[ADSM_PROFILE_OBJECTS];    /* to be copied before the next call */
  int64_t cells[ADSM_PROFILE_OBJECTS]; /* else so many cells of it */
  bool stale[ADSM_PROFILE_OBJECTS];    /* a kernel has written it since */
};

static void sweep_by_hand(struct profile_run *run, int object, enum adsm_event event, enum adsm_part part,
                          int64_t rate) {
  struct copies *c = run->own;
  int64_t size = run->profile->object[object].size;
  if (event == ADSM_WRITE)
    c->whole[object] = true;
  else if (c->stale[object])
    profile_transfer(run, false, size, true);
  c->stale[object] = false;
  profile_pass(run, part, size * rate / 1024);
}

static void touch_by_hand(struct profile_run *run, int object, int64_t byte, enum adsm_event event) {
  struct copies *c = run->own;
  (void)byte;
  if (event == ADSM_WRITE)
    c->cells[object]++;
  else if (c->stale[object])
    profile_transfer(run, false, run->p->adsm.cell, true);
}

/* Many cells of an object are copied as a whole. */
static void call_by_hand(struct profile_run *run, int accelerator) {
  struct copies *c = run->own;
  for (int i = 0; i < run->profile->objects; i++) {
    if (run->profile->object[i].accelerator != accelerator) continue;
    int64_t size = run->profile->object[i].size, cell = run->p->adsm.cell;
    int64_t one = adsm_transfer_time(&run->p->adsm, true, cell), all = adsm_transfer_time(&run->p->adsm, true, size);
    if (c->whole[i] || c->cells[i] > all / (one ? one : 1))
      profile_transfer(run, true, size, true);
    else
      for (int64_t k = 0; k < c->cells[i]; k++) profile_transfer(run, true, cell, true);
    c->whole[i] = false;
    c->cells[i] = 0;
    c->stale[i] |= run->profile->object[i].written;
  }
}

static void sync_by_hand(struct profile_run *run, int accelerator) {
  (void)run, (void)accelerator;
}

struct adsm_profile_cost adsm_profile_by_hand(const struct adsm_profile_parameters *p,
                                              const struct adsm_profile *profile, struct cost_limit *limit) {
  static const struct profile_host host = {sweep_by_hand, touch_by_hand, call_by_hand, sync_by_hand};
  struct copies copies = {0};
  struct profile_run run = {.p = p, .profile = profile, .host = &host, .limit = limit, .own = &copies};
  profile_run_phases(&run, profile->phases);
  return run.cost;
}
