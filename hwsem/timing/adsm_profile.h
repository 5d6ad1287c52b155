/* SPDX-License-Identifier: MIT */
/* Programs for ADSM as profiles: their shared objects, and phases in which host,
 * files and kernels use them.  A profile is a word:
 *
 *   profile = objects '|' phases
 *   objects = NAME '/' SIZE ['!'] [AT] ('+' ...)*     '!': kernels write it
 *   AT      = '@' NUMBER               an accelerator, from 1 to 4; 1 where there is none
 *   phases  = phase (';' phase)*
 *   phase   = read:NAME                the object is read from a file, in chunks of a block
 *           | dump:NAME                ... written to one
 *           | fill:NAME | load:NAME    the host writes it, reads it, in order
 *           | peek:NAME:COUNT | poke:NAME:COUNT    reads, writes cells, evenly spread
 *           | weave:NAME:PARTS:SIZE    writes it as PARTS parts side by side, SIZE bytes of each in turn
 *           | cpu:MICROSECONDS         the host computes
 *           | call:MICROSECONDS [AT]   a kernel runs there, on the objects there, and the host waits for it
 *           | start:MICROSECONDS [AT] | wait [AT]    ... and the host goes on, until it waits
 *           | COUNT '(' phases ')'
 *
 * SIZE is a number of bytes, with K or M after it for 2^10 or 2^20.
 *
 * Time passes as follows.  There is one engine for transfers, whatever the accelerators.  An eviction starts one and
 * goes on, but must wait while the engine is busy with an earlier one; fetches in faults and what is left at calls are
 * waited for.  Faults cost what adsm_prices.h says.
 *
 * Source: Gelado and others, ASPLOS 2010, sections 4.3, 4.4 and 5.
 */
#ifndef LITSCOPE_HWSEM_TIMING_ADSM_PROFILE_H
#define LITSCOPE_HWSEM_TIMING_ADSM_PROFILE_H

#include "hwsem/timing/adsm_patterns.h"
#include "hwsem/timing/simulation_limit.h"

enum { ADSM_ACCELERATORS = 4 };

extern const char *const adsm_part_names[ADSM_PARTS + 1]; /* ends in NULL */

struct adsm_profile_cost {
  int64_t part[ADSM_PARTS]; /* ns */
  int64_t up, down, faults;
  int64_t calls;  /* of kernels, by hand */
  int64_t events; /* edges that units went along, and transfers */
};

struct adsm_profile;

/* What a profile costs besides the parameters of adsm_prices.h. */
struct adsm_profile_parameters {
  struct adsm_parameters adsm; /* s, m, p and T have no meaning */
  int64_t output;              /* ns to write 1024 bytes to a file */
  int64_t launch;              /* ns a call */
  int64_t chunk;               /* ns an I/O call */
};

/* Reads a profile.  NULL with what is wrong in *fault, in `arena`. */
const struct adsm_profile *adsm_profile_read(struct arena *arena, const char *text, const char **fault);

int64_t adsm_profile_time(const struct adsm_profile_cost *cost);

/* Are its blocks few enough to be kept? */
bool adsm_profile_fits(const struct adsm_profile *profile, int64_t block);

/* Runs it under a protocol.  Once the limit is met, nothing in the result counts. */
struct adsm_profile_cost adsm_profile_run(const struct adsm_profile_parameters *p, const struct adsm_profile *profile,
                                          enum adsm_protocol protocol, struct cost_limit *limit);

/* Runs it with the copies that a careful programmer makes by hand: an input whole before the next
 * call, an output whole when the host reads it, a cell where cells are enough. */
struct adsm_profile_cost adsm_profile_by_hand(const struct adsm_profile_parameters *p,
                                              const struct adsm_profile *profile, struct cost_limit *limit);

/* The same of a pattern. */
struct adsm_profile_cost adsm_pattern_by_hand(const struct adsm_parameters *p, enum adsm_pattern pattern);

#endif
