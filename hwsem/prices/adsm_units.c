/* SPDX-License-Identifier: MIT */
/* States of units, and the first-in first-out list of dirty ones (section 4.3). */
#include "hwsem/prices/adsm_units.h"

#include <stdlib.h>

#include "checker/base/guard.h"

enum { NONE = -1 };

struct adsm_units adsm_units_open(const struct adsm_parameters *p, enum adsm_protocol protocol, int64_t objects) {
  int64_t size = protocol == ADSM_ROLLING && p->B < p->s ? p->B : p->s;
  struct adsm_units units = {.protocol = protocol, .objects = objects, .size = size};
  units.per_object = (p->s + size - 1) / size;
  units.last_size = p->s - (units.per_object - 1) * size;
  units.most = p->R ? p->R : 2 * objects;
  size_t count = (size_t)(objects * units.per_object);
  units.state = malloc(count);
  units.next = calloc(count, sizeof *units.next);
  if (!units.state || !units.next) {
    adsm_units_close(&units);
    guard_out_of_memory();
  }
  for (size_t u = 0; u < count; u++) units.state[u] = (unsigned char)adsm_initial_state(protocol);
  units.oldest = units.newest = NONE;
  return units;
}

void adsm_units_close(struct adsm_units *units) {
  free(units->state);
  free(units->next);
}

int64_t adsm_unit_size(const struct adsm_units *units, int64_t unit) {
  return unit % units->per_object == units->per_object - 1 ? units->last_size : units->size;
}

int64_t adsm_unit_at(const struct adsm_units *units, int64_t object, int64_t byte) {
  return object * units->per_object + byte / units->size;
}

static void follow(struct adsm_units *units, int64_t unit, enum adsm_event event) {
  struct adsm_edge edge = adsm_edge(units->protocol, units->state[unit], event);
  units->state[unit] = (unsigned char)edge.next;
  units->edge(units, unit, edge, event);
}

/* A block has become dirty; the oldest goes when there are too many. */
static void roll(struct adsm_units *units, int64_t unit) {
  if (units->oldest == NONE)
    units->oldest = unit;
  else
    units->next[units->newest] = unit;
  units->newest = unit;
  units->next[unit] = NONE;
  if (++units->dirty <= units->most) return;
  int64_t oldest = units->oldest;
  units->oldest = units->next[oldest];
  units->dirty--;
  follow(units, oldest, ADSM_EVICT);
}

void adsm_units_touch(struct adsm_units *units, int64_t unit, enum adsm_event event) {
  bool dirty = units->state[unit] == ADSM_DIRTY;
  follow(units, unit, event);
  if (units->protocol == ADSM_ROLLING && !dirty && units->state[unit] == ADSM_DIRTY) roll(units, unit);
}

/* A call, of a kernel that reads the unit at most (section 4.3): what is dirty goes up,
 * and the host's copy stays valid.  Where accesses are not detected it may be written
 * again at any time. */
static void lend(struct adsm_units *units, int64_t unit) {
  enum adsm_state state = units->state[unit];
  struct adsm_edge edge = {state, state == ADSM_DIRTY ? ADSM_UP : ADSM_STAY, false};
  if (state == ADSM_DIRTY && units->protocol != ADSM_BATCH) edge.next = ADSM_READ_ONLY;
  units->state[unit] = (unsigned char)edge.next;
  units->edge(units, unit, edge, ADSM_CALL);
}

void adsm_units_call(struct adsm_units *units) {
  for (int64_t u = 0; u < units->objects * units->per_object; u++) {
    if (units->kept[u / units->per_object])
      lend(units, u);
    else
      follow(units, u, ADSM_CALL);
  }
  units->oldest = units->newest = NONE;
  units->dirty = 0;
}

void adsm_units_sync(struct adsm_units *units) {
  for (int64_t u = 0; u < units->objects * units->per_object; u++) follow(units, u, ADSM_SYNC);
}
