/* SPDX-License-Identifier: MIT */
/* A host that shares objects with accelerators, whatever keeps these coherent: the
 * protocols with a price, copies by hand, or a runtime that copies.  Programs
 * (adsm_patterns.h, adsm_profile.h) call what it does.
 */
#ifndef LITSCOPE_HWSEM_TIMING_ADSM_HOST_H
#define LITSCOPE_HWSEM_TIMING_ADSM_HOST_H

#include "hwsem/prices/adsm_prices.h"

enum { ADSM_OBJECTS = 8 }; /* at most */

struct adsm_object {
  int64_t size;    /* bytes */
  bool written;    /* by kernels */
  int accelerator; /* from 0 on */
};

/* Where time goes: the categories of the paper's Figure 10. */
enum adsm_part {
  ADSM_PART_CPU,
  ADSM_PART_GPU,
  ADSM_PART_IO_READ,
  ADSM_PART_IO_WRITE,
  ADSM_PART_COPY, /* that the host waits for */
  ADSM_PART_SIGNAL,
  ADSM_PART_LAUNCH,
  ADSM_PARTS
};

struct adsm_host {
  const struct adsm_parameters *p;
  /* Reads or writes all of an object, in order, at `rate` ns for 1024 bytes of `part`. */
  void (*sweep)(struct adsm_host *host, int64_t object, enum adsm_event event, enum adsm_part part, int64_t rate);
  void (*touch)(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event);
  /* Of all objects of an accelerator. */
  void (*call)(struct adsm_host *host, int accelerator);
  void (*sync)(struct adsm_host *host, int accelerator);
  void (*forget)(struct adsm_host *host); /* what came before is not counted */
};

#endif
