/* SPDX-License-Identifier: MIT */
/* The access patterns of adsm.h as programs of a host, whatever it runs on: the
 * protocols with a price (adsm.c), or a runtime that copies (adsm_runtime.c).
 */
#ifndef LITSCOPE_HWSEM_PRICES_ADSM_PATTERNS_H
#define LITSCOPE_HWSEM_PRICES_ADSM_PATTERNS_H

#include "hwsem/prices/adsm.h"

enum { ADSM_PATTERN_OBJECTS = 3 }; /* at most */

/* What a host does with its shared objects, each of p->s bytes. */
struct adsm_host {
  const struct adsm_parameters *p;
  void (*sweep)(struct adsm_host *host, int64_t object, enum adsm_event event); /* a whole object, in order */
  void (*input)(struct adsm_host *host, int64_t object);                        /* the same from a file */
  void (*touch)(struct adsm_host *host, int64_t object, int64_t byte, enum adsm_event event);
  void (*call)(struct adsm_host *host);
  void (*sync)(struct adsm_host *host);
  void (*forget)(struct adsm_host *host); /* what came before is not counted */
};

void adsm_pattern_run(enum adsm_pattern pattern, struct adsm_host *host);

int64_t adsm_pattern_objects(enum adsm_pattern pattern);

/* Does its kernel write the object? */
bool adsm_pattern_writes(enum adsm_pattern pattern, int64_t object);

#endif
