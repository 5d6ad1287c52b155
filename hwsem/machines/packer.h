/* SPDX-License-Identifier: MIT */
/* States as bytes, one way and back by the same walk: what a program does not use
 * is left out.
 *
 * A machine has one function that packs each field of a state.  It is called with
 * bytes to fill, with bytes to unpack, and with none to measure.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_PACKER_H
#define LITSCOPE_HWSEM_MACHINES_PACKER_H

#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct packer {
  const uint8_t *from; /* bytes to unpack, ... */
  uint8_t *to;         /* ... or to fill; both NULL: only measure */
  size_t at;           /* how far; at the end, the size */
};

static inline void pack(struct packer *p, void *field, size_t size) {
  if (p->from) memcpy(field, p->from + p->at, size);
  if (p->to) memcpy(p->to + p->at, field, size);
  p->at += size;
}

#endif
