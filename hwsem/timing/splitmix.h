/* SPDX-License-Identifier: MIT */
/* splitmix64: the only source of pseudo-random numbers in the timed machines,
 * always started from a stated seed (Steele, Lea and Flood, OOPSLA 2014). */
#ifndef LITSCOPE_HWSEM_TIMING_SPLITMIX_H
#define LITSCOPE_HWSEM_TIMING_SPLITMIX_H

#include <stdint.h>

static inline uint64_t splitmix_next(uint64_t *state) {
  uint64_t z = *state += 0x9E3779B97F4A7C15u;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9u;
  z = (z ^ z >> 27) * 0x94D049BB133111EBu;
  return z ^ z >> 31;
}

#endif
