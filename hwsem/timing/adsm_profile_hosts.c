/* SPDX-License-Identifier: MIT */
/* The hosts that run profiles: a runtime that keeps units of objects coherent, and a
 * programmer who copies by hand. */
#include <stddef.h>

#include "hwsem/timing/adsm_profile_run.h"

static void forget(struct adsm_host *host) {
  ((struct profile_run *)(void *)host)->cost = (struct adsm_profile_cost){0};
}

/* ---- a runtime ---- */

struct runtime {
  struct profile_run run; /* first: programs know this part */
  struct adsm_units units;
};

static struct runtime *of_host(struct adsm_host *host) {
  return (struct runtime *)(void *)host;
}

/* Only evictions are not waited for. */
static void take_edge(struct adsm_units *units, int64_t object, int64_t unit, struct adsm_edge edge,
                      enum adsm_event event) {
  struct profile_run *run = (struct profile_run *)(void *)((char *)units - offsetof(struct runtime, units));
  run->cost.events++;
  if (edge.fault) {
    run->cost.faults++;
    profile_pass(run, ADSM_PART_SIGNAL, adsm_fault_time(&run->p->adsm, adsm_unit_count(units)));
  }
  if (edge.transfer == ADSM_STAY) return;
  int64_t bytes = adsm_unit_size(units, object, unit);
  profile_transfer(run, edge.transfer == ADSM_UP, bytes, event != ADSM_EVICT);
}

static void touch(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event) {
  struct adsm_units *units = &of_host(host)->units;
  adsm_units_touch(units, object, adsm_unit_at(units, object, byte), event);
}

/* I/O calls on shared objects are made for each block (section 4.4). */
static void sweep(struct adsm_host *host, int64_t object, enum adsm_event event, enum adsm_part part, int64_t rate) {
  struct profile_run *run = &of_host(host)->run;
  struct adsm_units *units = &of_host(host)->units;
  bool file = part == ADSM_PART_IO_READ || part == ADSM_PART_IO_WRITE;
  for (int64_t unit = units->first[object]; unit < units->first[object + 1]; unit++) {
    adsm_units_touch(units, object, unit, event);
    if (file) profile_pass(run, part, run->p->chunk);
    profile_pass(run, part, adsm_unit_size(units, object, unit) * rate / 1024);
  }
}

static void call(struct adsm_host *host, int accelerator) {
  struct profile_run *run = &of_host(host)->run;
  adsm_units_call(&of_host(host)->units, accelerator);
  if (run->engine > run->now) profile_pass(run, ADSM_PART_COPY, run->engine - run->now);
}

static void sync_units(struct adsm_host *host, int accelerator) {
  struct adsm_units *units = &of_host(host)->units;
  if (units->protocol == ADSM_BATCH) adsm_units_sync(units, accelerator); /* else nothing happens */
}

bool adsm_profile_fits(const struct adsm_profile *profile, int64_t block) {
  enum { BLOCKS = 1 << 22 };
  int64_t blocks = 0;
  for (int i = 0; i < profile->objects; i++) blocks += (profile->object[i].size - 1) / block + 1;
  return blocks <= BLOCKS;
}

struct adsm_profile_cost adsm_profile_run(const struct adsm_profile_parameters *p, const struct adsm_profile *profile,
                                          enum adsm_protocol protocol, struct cost_limit *limit) {
  struct runtime r = {
      .run = {.host = {&p->adsm, sweep, touch, call, sync_units, forget}, .p = p, .profile = profile, .limit = limit},
      .units = adsm_units_open(&p->adsm, protocol, profile->object, profile->objects)};
  r.units.edge = take_edge;
  profile_run_phases(&r.run, profile->phases);
  adsm_units_close(&r.units);
  return r.run.cost;
}

/* ---- by hand ---- */

struct by_hand {
  struct profile_run run;      /* first: programs know this part */
  bool whole[ADSM_OBJECTS];    /* to be copied before the next call */
  int64_t cells[ADSM_OBJECTS]; /* else so many cells of it */
  bool stale[ADSM_OBJECTS];    /* a kernel has written it since */
  bool sparing;                /* cells are copied one by one, however long that takes */
};

static void sweep_by_hand(struct adsm_host *host, int64_t object, enum adsm_event event, enum adsm_part part,
                          int64_t rate) {
  struct by_hand *h = (struct by_hand *)(void *)host;
  int64_t size = h->run.profile->object[object].size;
  if (event == ADSM_WRITE)
    h->whole[object] = true;
  else if (h->stale[object])
    profile_transfer(&h->run, false, size, true);
  h->stale[object] = false;
  profile_pass(&h->run, part, size * rate / 1024);
}

static void touch_by_hand(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event) {
  struct by_hand *h = (struct by_hand *)(void *)host;
  (void)byte;
  if (event == ADSM_WRITE)
    h->cells[object]++;
  else if (h->stale[object])
    profile_transfer(&h->run, false, host->p->cell, true);
}

/* Many cells of an object are copied as a whole, where that is faster. */
static void call_by_hand(struct adsm_host *host, int accelerator) {
  struct by_hand *h = (struct by_hand *)(void *)host;
  h->run.cost.calls++;
  for (int i = 0; i < h->run.profile->objects; i++) {
    const struct adsm_object *object = &h->run.profile->object[i];
    if (object->accelerator != accelerator) continue;
    int64_t one = adsm_transfer_time(host->p, true, host->p->cell),
            all = adsm_transfer_time(host->p, true, object->size);
    if (h->whole[i] || (!h->sparing && h->cells[i] > all / (one ? one : 1)))
      profile_transfer(&h->run, true, object->size, true);
    else
      for (int64_t k = 0; k < h->cells[i]; k++) profile_transfer(&h->run, true, host->p->cell, true);
    h->whole[i] = false;
    h->cells[i] = 0;
    h->stale[i] |= object->written;
  }
}

static void sync_by_hand(struct adsm_host *host, int accelerator) {
  (void)host, (void)accelerator;
}

static struct by_hand by_hand(const struct adsm_profile_parameters *p, const struct adsm_profile *profile,
                              struct cost_limit *limit) {
  return (struct by_hand){.run = {.host = {&p->adsm, sweep_by_hand, touch_by_hand, call_by_hand, sync_by_hand, forget},
                                  .p = p,
                                  .profile = profile,
                                  .limit = limit}};
}

struct adsm_profile_cost adsm_profile_by_hand(const struct adsm_profile_parameters *p,
                                              const struct adsm_profile *profile, struct cost_limit *limit) {
  struct by_hand h = by_hand(p, profile, limit);
  profile_run_phases(&h.run, profile->phases);
  return h.run.cost;
}

struct adsm_profile_cost adsm_pattern_by_hand(const struct adsm_parameters *p, enum adsm_pattern pattern) {
  struct adsm_profile_parameters parameters = {.adsm = *p};
  struct adsm_profile profile = {0};
  profile.objects = (int)adsm_pattern_objects(p, pattern, profile.object);
  struct by_hand h = by_hand(&parameters, &profile, NULL);
  h.sparing = true;
  adsm_pattern_run(pattern, &h.run.host);
  return h.run.cost;
}
