/* SPDX-License-Identifier: MIT */
/* The units of shared objects as a runtime keeps them: their states, and the list
 * of those that are dirty under rolling-update.  What an edge does (nothing but a
 * price, or real copies) is the owner's.
 */
#ifndef LITSCOPE_HWSEM_TIMING_ADSM_UNITS_H
#define LITSCOPE_HWSEM_TIMING_ADSM_UNITS_H

#include "hwsem/timing/adsm_host.h"

/* Units of all objects lie after one another; those that are dirty under
 * rolling-update form a list in the order in which they became so. */
struct adsm_units {
  enum adsm_protocol protocol;
  bool annotated; /* calls leave the host's copy of what kernels do not write valid */
  int64_t objects;
  struct adsm_object object[ADSM_OBJECTS];
  int64_t first[ADSM_OBJECTS + 1]; /* units of an object, and of none */
  int64_t size[ADSM_OBJECTS];      /* of a unit, but for the last of an object */
  unsigned char *state;
  int64_t *next; /* the dirty unit after this one */
  int64_t oldest, newest, dirty, most;
  /* A unit goes along an edge; its state is that after it already. */
  void (*edge)(struct adsm_units *units, int64_t object, int64_t unit, struct adsm_edge edge, enum adsm_event event);
};

/* To be closed.  `edge` is the owner's to fill. */
struct adsm_units adsm_units_open(const struct adsm_parameters *p, enum adsm_protocol protocol,
                                  const struct adsm_object *object, int64_t objects);
void adsm_units_close(struct adsm_units *units);

static inline int64_t adsm_unit_count(const struct adsm_units *units) {
  return units->first[units->objects];
}

/* The bytes of a unit of an object. */
int64_t adsm_unit_size(const struct adsm_units *units, int64_t object, int64_t unit);

/* The unit of an object that holds a byte. */
int64_t adsm_unit_at(const struct adsm_units *units, int64_t object, int64_t byte);

/* The host reads or writes in a unit; the oldest dirty one may be evicted. */
void adsm_units_touch(struct adsm_units *units, int64_t object, int64_t unit, enum adsm_event event);

/* A call or a sync: all units of an accelerator's objects. */
void adsm_units_call(struct adsm_units *units, int accelerator);
void adsm_units_sync(struct adsm_units *units, int accelerator);

#endif
