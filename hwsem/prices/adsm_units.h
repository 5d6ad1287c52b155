/* SPDX-License-Identifier: MIT */
/* The units of shared objects as a runtime keeps them: their states, and the list
 * of those that are dirty under rolling-update.  What an edge does (nothing but a
 * price, or real copies) is the owner's.
 */
#ifndef LITSCOPE_HWSEM_PRICES_ADSM_UNITS_H
#define LITSCOPE_HWSEM_PRICES_ADSM_UNITS_H

#include "hwsem/prices/adsm.h"
#include "hwsem/prices/adsm_patterns.h"

/* Units of all objects lie behind one another; those that are dirty under
 * rolling-update form a list in the order in which they became so. */
struct adsm_units {
  enum adsm_protocol protocol;
  int64_t objects, per_object, size, last_size;
  unsigned char *state;
  int64_t *next; /* the dirty unit after this one */
  int64_t oldest, newest, dirty, most;
  bool kept[ADSM_PATTERN_OBJECTS]; /* by object: kernels do not write it, and calls leave the host's copy valid */
  /* A unit goes along an edge; its state is that behind it already. */
  void (*edge)(struct adsm_units *units, int64_t unit, struct adsm_edge edge, enum adsm_event event);
};

/* Objects of p->s bytes; to be closed.  `edge` is the owner's to fill. */
struct adsm_units adsm_units_open(const struct adsm_parameters *p, enum adsm_protocol protocol, int64_t objects);
void adsm_units_close(struct adsm_units *units);

int64_t adsm_unit_size(const struct adsm_units *units, int64_t unit);

/* The unit of an object that holds a byte. */
int64_t adsm_unit_at(const struct adsm_units *units, int64_t object, int64_t byte);

/* The host reads or writes in a unit; the oldest dirty one may be evicted. */
void adsm_units_touch(struct adsm_units *units, int64_t unit, enum adsm_event event);

/* A call or a sync: all units. */
void adsm_units_call(struct adsm_units *units);
void adsm_units_sync(struct adsm_units *units);

#endif
