/* SPDX-License-Identifier: MIT */
/* The ADSM protocols on this machine, for real: shared objects in memory that page
 * protection guards, a signal for each access that it catches, copies between them
 * and other memory that stands for the accelerator's, evictions by a thread that
 * copies while the host runs.  What bytes move and what faults come is the protocols';
 * what they cost is the machine's own.
 *
 * After Gelado and others, ASPLOS 2010, section 4.3.
 */
#ifndef LITSCOPE_HWSEM_TIMING_ADSM_RUNTIME_H
#define LITSCOPE_HWSEM_TIMING_ADSM_RUNTIME_H

#include "hwsem/timing/adsm_patterns.h"

struct adsm_measured {
  struct adsm_cost cost; /* fault_time: in handlers, without transfers; host_time: all the rest */
  bool right;            /* whatever host and kernel read was what had been written */
};

/* Why parameters cannot be used here, in `arena`, or NULL: sizes must be whole
 * pages, and there is a limit to the regions of memory of a process. */
const char *adsm_runtime_check(struct arena *arena, const struct adsm_parameters *p);

/* Runs a pattern.  Kernels do next to nothing, and their time is not counted.
 * Parameters must have passed both checks. */
struct adsm_measured adsm_pattern_measure(const struct adsm_parameters *p, enum adsm_pattern pattern,
                                          enum adsm_protocol protocol);

/* The parameters with what was measured here in place of latency, up, down, half,
 * fault, search, produce and input: copies of 4096 and of p->s bytes, faults that
 * move nothing, production of an object, its input from a file. */
struct adsm_parameters adsm_calibrate(const struct adsm_parameters *p);

/* Nanoseconds of a fault that moves nothing, for blocks of p->B bytes: the larger
 * they are, the more pages change their protection. */
int64_t adsm_fault_here(const struct adsm_parameters *p);

#endif
