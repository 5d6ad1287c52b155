/* SPDX-License-Identifier: MIT */
/* Access patterns of the paper's programs, with objects of p->s bytes each, and what they cost under the protocols
 * (prices/adsm_prices.h). */
#ifndef LITSCOPE_HWSEM_TIMING_ADSM_PATTERNS_H
#define LITSCOPE_HWSEM_TIMING_ADSM_PATTERNS_H

#include "hwsem/prices/parameters.h"
#include "hwsem/timing/adsm_host.h"

enum adsm_pattern {
  ADSM_VECTOR_ADD,     /* a and b are written, call, c is read: three objects */
  ADSM_STENCIL_STEP,   /* sync, one cell of one of two volumes is set, call: one step */
  ADSM_STENCIL,        /* a volume is written, call, then T steps of it, sync */
  ADSM_STENCIL_DUMP,   /* the same, and the volume is read at the end */
  ADSM_FILE_INPUT,     /* an object is read from a file, call */
  ADSM_SPARSE_READ,    /* sync, m blocks of an object are read, call */
  ADSM_SPARSE_WRITE,   /* sync, m blocks are written, call */
  ADSM_MULTI_PASS,     /* p passes of writes over an object, call */
  ADSM_CONSTANT_INPUT, /* an object is written once, T calls with a sync each */
  ADSM_READ_BACK,      /* an input that the kernel left alone is read after the sync */
  ADSM_PATTERNS
};

const char *adsm_pattern_name(enum adsm_pattern pattern); /* "vector-add", ... */

/* The pattern that the parameter `pattern` of a setting names.  False with an error. */
bool adsm_setting_pattern(const struct setting *setting, enum adsm_pattern *pattern);

/* Fills in its objects, no more than ADSM_OBJECTS; returns how many there are. */
int64_t adsm_pattern_objects(const struct adsm_parameters *p, enum adsm_pattern pattern, struct adsm_object *object);

void adsm_pattern_run(enum adsm_pattern pattern, struct adsm_host *host);

/* Runs a pattern under a protocol.  Parameters must have passed
 * adsm_parameters_check. */
struct adsm_cost adsm_pattern_cost(const struct adsm_parameters *p, enum adsm_pattern pattern,
                                   enum adsm_protocol protocol);

#endif
