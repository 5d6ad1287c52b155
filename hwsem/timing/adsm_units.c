/* SPDX-License-Identifier: MIT */
/* States of units, and the first-in first-out list of dirty ones (section 4.3). */
#include "hwsem/timing/adsm_units.h"

#include <stdlib.h>

#include "checker/base/number.h"
#include "checker/base/out_of_memory_guard.h"

enum { NONE = -1 };

struct adsm_units adsm_units_open(const struct adsm_parameters *p, enum adsm_protocol protocol,
                                  const struct adsm_object *object, int64_t objects) {
  struct adsm_units units = {
      .protocol = protocol, .annotated = p->annotate, .objects = objects, .oldest = NONE, .newest = NONE};
  for (int64_t i = 0; i < objects; i++) {
    units.object[i] = object[i];
    units.size[i] = protocol == ADSM_ROLLING ? smaller(p->B, object[i].size) : object[i].size;
    units.first[i + 1] = units.first[i] + (object[i].size - 1) / units.size[i] + 1;
  }
  units.most = p->R ? p->R : 2 * objects;
  size_t count = (size_t)adsm_unit_count(&units);
  units.state = malloc(count);
  units.next = calloc(count, sizeof *units.next);
  if (!units.state || !units.next) {
    adsm_units_close(&units);
    guard_out_of_memory();
  }
  for (size_t u = 0; u < count; u++) units.state[u] = (unsigned char)adsm_initial_state(protocol);
  return units;
}

void adsm_units_close(struct adsm_units *units) {
  free(units->state);
  free(units->next);
}

static int64_t object_of(const struct adsm_units *units, int64_t unit) {
  int64_t object = 0;
  while (unit >= units->first[object + 1]) object++;
  return object;
}

int64_t adsm_unit_size(const struct adsm_units *units, int64_t object, int64_t unit) {
  int64_t size = units->size[object];
  return smaller(size, units->object[object].size - (unit - units->first[object]) * size);
}

int64_t adsm_unit_at(const struct adsm_units *units, int64_t object, int64_t byte) {
  return units->first[object] + byte / units->size[object];
}

static void take(struct adsm_units *units, int64_t object, int64_t unit, struct adsm_edge edge, enum adsm_event event) {
  units->state[unit] = (unsigned char)edge.next;
  units->edge(units, object, unit, edge, event);
}

static void follow(struct adsm_units *units, int64_t object, int64_t unit, enum adsm_event event) {
  take(units, object, unit, adsm_edge(units->protocol, units->state[unit], event), event);
}

/* A block has become dirty. */
static void append(struct adsm_units *units, int64_t unit) {
  *(units->oldest == NONE ? &units->oldest : &units->next[units->newest]) = unit;
  units->newest = unit;
  units->next[unit] = NONE;
  units->dirty++;
}

void adsm_units_touch(struct adsm_units *units, int64_t object, int64_t unit, enum adsm_event event) {
  bool dirty = units->state[unit] == ADSM_DIRTY;
  follow(units, object, unit, event);
  if (units->protocol != ADSM_ROLLING || dirty || units->state[unit] != ADSM_DIRTY) return;
  append(units, unit);
  if (units->dirty <= units->most) return;
  int64_t oldest = units->oldest;
  units->oldest = units->next[oldest];
  units->dirty--;
  follow(units, object_of(units, oldest), oldest, ADSM_EVICT);
}

/* The list without those that are no longer dirty. */
static void drop_clean(struct adsm_units *units) {
  int64_t next = units->oldest;
  units->oldest = units->newest = NONE;
  units->dirty = 0;
  for (int64_t unit; (unit = next) != NONE;) {
    next = units->next[unit];
    if (units->state[unit] == ADSM_DIRTY) append(units, unit);
  }
}

void adsm_units_call(struct adsm_units *units, int accelerator) {
  for (int64_t object = 0; object < units->objects; object++) {
    const struct adsm_object *o = &units->object[object];
    for (int64_t u = units->first[object]; o->accelerator == accelerator && u < units->first[object + 1]; u++) {
      if (units->annotated && !o->written)
        take(units, object, u, adsm_lent_edge(units->protocol, units->state[u]), ADSM_CALL);
      else
        follow(units, object, u, ADSM_CALL);
    }
  }
  drop_clean(units);
}

void adsm_units_sync(struct adsm_units *units, int accelerator) {
  for (int64_t object = 0; object < units->objects; object++)
    for (int64_t u = units->first[object];
         units->object[object].accelerator == accelerator && u < units->first[object + 1]; u++)
      follow(units, object, u, ADSM_SYNC);
}
