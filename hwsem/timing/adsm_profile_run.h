/* SPDX-License-Identifier: MIT */
/* Profiles from within: what adsm_profile.c has read, and a host that runs it:
 * under a protocol, or with copies by hand (adsm_profile_hosts.c). */
#ifndef LITSCOPE_HWSEM_TIMING_ADSM_PROFILE_RUN_H
#define LITSCOPE_HWSEM_TIMING_ADSM_PROFILE_RUN_H

#include "hwsem/timing/adsm_profile.h"
#include "hwsem/timing/adsm_units.h"

enum profile_kind {
  PHASE_REPEAT,
  PHASE_READ,
  PHASE_DUMP,
  PHASE_FILL,
  PHASE_LOAD,
  PHASE_PEEK,
  PHASE_POKE,
  PHASE_WEAVE,
  PHASE_CPU,
  PHASE_CALL,
  PHASE_START,
  PHASE_WAIT,
  PHASES
};

struct profile_phase {
  enum profile_kind kind;
  int object, accelerator;
  int64_t number, size; /* times, cells, parts, microseconds; bytes in turn */
  struct profile_phase *body, *next;
};

struct adsm_profile {
  const char *name[ADSM_OBJECTS];
  struct adsm_object object[ADSM_OBJECTS];
  int objects;
  struct profile_phase *phases;
};

struct profile_run {
  struct adsm_host host; /* first: programs know this part */
  const struct adsm_profile_parameters *p;
  const struct adsm_profile *profile;
  struct cost_limit *limit;
  int64_t now, engine;               /* engine: busy with a transfer until then */
  int64_t kernel[ADSM_ACCELERATORS]; /* when the one that was started last ends */
  struct adsm_profile_cost cost;
};

/* Time passes, in a part of the whole. */
void profile_pass(struct profile_run *run, enum adsm_part part, int64_t time);

/* Bytes move, once the engine is free; `waits`: the host waits for the end, too. */
void profile_transfer(struct profile_run *run, bool up, int64_t bytes, bool waits);

void profile_run_phases(struct profile_run *run, const struct profile_phase *phase);

#endif
