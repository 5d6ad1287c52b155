/* SPDX-License-Identifier: MIT */
/* Static policies are a table; predictors share one set-associative table with
 * true LRU, refreshed by queries and allocations only. */
#include "hwsem/timing/amo_policy.h"

const char *const amo_policy_names[AMO_POLICY_COUNT + 1] = {
    "AllNear", "UniqueNear", "PresentNear", "DirtyNear", "SharedFar", "AllFar", "Metric", "Reuse-UN", "Reuse-PN", NULL};

/* DynAMO, Table 1: near or far by the state in the L1. */
static const bool static_near[AMO_ALL_FAR + 1][AMO_UD + 1] = {
    [AMO_ALL_NEAR] = {[AMO_UC] = true, [AMO_UD] = true, [AMO_SC] = true, [AMO_SD] = true, [AMO_I] = true},
    [AMO_UNIQUE_NEAR] = {[AMO_UC] = true, [AMO_UD] = true},
    [AMO_PRESENT_NEAR] = {[AMO_UC] = true, [AMO_UD] = true, [AMO_SC] = true, [AMO_SD] = true},
    [AMO_DIRTY_NEAR] = {[AMO_UC] = true, [AMO_UD] = true, [AMO_SD] = true},
    [AMO_SHARED_FAR] = {[AMO_UC] = true, [AMO_UD] = true, [AMO_I] = true},
};

struct entry {
  int64_t stamp;
  int64_t near, invalidated; /* Metric */
  int64_t confidence;        /* Reuse */
  bool reused, live;         /* live: an atomic operation brought the block that is now in the L1 */
};

struct amo_predictor {
  const struct amo_parameters *p;
  enum amo_policy policy;
  uint32_t sets, ways, mask; /* mask: sets - 1 where they are a power of two, else 0 */
  uint32_t *lines;           /* of the entries, apart, as they are searched at every access: 1 + number, 0: free */
  struct entry *entries;
  int64_t clock;           /* of LRU stamps */
  int64_t period, ends;    /* Metric: the decay period seen last, and when it ends */
  int64_t fetched, reused; /* Reuse: over all lines */
};

struct amo_predictor *amo_predictor_new(struct arena *arena, const struct amo_parameters *parameters,
                                        enum amo_policy policy) {
  struct amo_predictor *predictor = ARENA_NEW(arena, struct amo_predictor);
  predictor->p = parameters;
  predictor->policy = policy;
  predictor->ways = (uint32_t)parameters->amtways;
  predictor->sets = (uint32_t)(parameters->amt / parameters->amtways);
  predictor->mask = predictor->sets & (predictor->sets - 1) ? 0 : predictor->sets - 1;
  predictor->ends = parameters->mdecay;
  if (amo_policy_predicts(policy)) {
    predictor->lines = ARENA_ARRAY(arena, uint32_t, (size_t)parameters->amt);
    predictor->entries = ARENA_ARRAY(arena, struct entry, (size_t)parameters->amt);
  }
  return predictor;
}

/* The first way of a line's set. */
static uint32_t set_of(const struct amo_predictor *predictor, int64_t line) {
  uint32_t number = (uint32_t)line;
  return (predictor->mask ? number & predictor->mask : number % predictor->sets) * predictor->ways;
}

static struct entry *find(const struct amo_predictor *predictor, int64_t line) {
  uint32_t set = set_of(predictor, line), name = (uint32_t)line + 1;
  for (uint32_t way = set; way < set + predictor->ways; way++)
    if (predictor->lines[way] == name) return &predictor->entries[way];
  return NULL;
}

/* A fresh entry, in a free way or in place of the least recently used. */
static struct entry *allocate(struct amo_predictor *predictor, int64_t line) {
  uint32_t set = set_of(predictor, line), victim = set;
  for (uint32_t way = set; way < set + predictor->ways && predictor->lines[victim]; way++)
    if (!predictor->lines[way] || predictor->entries[way].stamp < predictor->entries[victim].stamp) victim = way;
  predictor->lines[victim] = (uint32_t)line + 1;
  predictor->entries[victim] = (struct entry){.confidence = predictor->p->confmax};
  return &predictor->entries[victim];
}

/* Metric's counters age with time: every period halves them. */
static void decay(struct amo_predictor *predictor, int64_t now) {
  if (now < predictor->ends) return;
  int64_t period = now / predictor->p->mdecay, passed = period - predictor->period;
  predictor->period = period;
  predictor->ends = (period + 1) * predictor->p->mdecay;
  for (int64_t i = 0; i < predictor->p->amt; i++) {
    predictor->entries[i].near >>= passed < 8 ? passed : 8;
    predictor->entries[i].invalidated >>= passed < 8 ? passed : 8;
  }
}

static bool ask_metric(struct amo_predictor *predictor, const struct entry *entry) {
  return entry->invalidated == 0 || entry->near > predictor->p->mth * entry->invalidated;
}

static bool ask_reuse(struct amo_predictor *predictor, const struct entry *entry, enum amo_state state) {
  if (entry->confidence > 0) return true;
  return predictor->policy == AMO_REUSE_PN && state != AMO_I;
}

bool amo_predictor_near(struct amo_predictor *predictor, int64_t line, enum amo_state state, int64_t now) {
  if (predictor->policy == AMO_TABLE) return predictor->p->near >> state & 1;
  if (!amo_policy_predicts(predictor->policy)) return static_near[predictor->policy][state];
  if (state == AMO_UC || state == AMO_UD) return true;
  if (predictor->policy == AMO_METRIC) decay(predictor, now);
  struct entry *entry = find(predictor, line);
  bool near = true;
  if (entry && predictor->policy == AMO_METRIC)
    near = ask_metric(predictor, entry);
  else if (entry)
    near = ask_reuse(predictor, entry, state);
  else if (predictor->policy != AMO_METRIC)
    near = 2 * predictor->reused >= predictor->fetched;
  if (!entry) entry = allocate(predictor, line);
  entry->stamp = ++predictor->clock;
  return near;
}

static void note_metric(struct amo_predictor *predictor, struct entry *entry, enum amo_event event) {
  if (event == AMO_DONE) entry->near++;
  if (event == AMO_SNOOPED) entry->invalidated++;
  if (entry->near >= predictor->p->mmax || entry->invalidated >= predictor->p->mmax) {
    entry->near /= 2;
    entry->invalidated /= 2;
  }
}

static void note_reuse(struct amo_predictor *predictor, struct entry *entry, enum amo_event event) {
  switch (event) {
    case AMO_DONE:
      break;
    case AMO_FETCHED:
      entry->reused = false;
      entry->live = true;
      if (++predictor->fetched >= predictor->p->fr) {
        predictor->fetched /= 2;
        predictor->reused /= 2;
      }
      break;
    case AMO_HIT:
      if (!entry->live || entry->reused) break;
      entry->reused = true;
      predictor->reused++;
      break;
    case AMO_EVICTED:
    case AMO_SNOOPED:
      if (!entry->live) break;
      if (entry->reused && entry->confidence < predictor->p->confmax) entry->confidence++;
      if (!entry->reused && entry->confidence > 0) entry->confidence--;
      entry->live = false;
      break;
  }
}

void amo_predictor_note(struct amo_predictor *predictor, int64_t line, enum amo_event event, int64_t now) {
  if (predictor->policy < AMO_METRIC || predictor->policy == AMO_TABLE) return;
  if (predictor->policy == AMO_METRIC) decay(predictor, now);
  struct entry *entry = find(predictor, line);
  if (!entry) return;
  if (predictor->policy == AMO_METRIC)
    note_metric(predictor, entry, event);
  else
    note_reuse(predictor, entry, event);
}
