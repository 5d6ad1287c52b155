/* SPDX-License-Identifier: MIT */
#ifndef LITSCOPE_TESTS_GENERATE_H
#define LITSCOPE_TESTS_GENERATE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

/* Numbers below n, by chance (xorshift64*), and what is chosen by them. */
static inline unsigned below(uint64_t *seed, unsigned n) {
  *seed ^= *seed >> 12;
  *seed ^= *seed << 25;
  *seed ^= *seed >> 27;
  return (unsigned)((*seed * 0x2545f4914f6cdd1du) >> 33) % n;
}

static inline bool chance(uint64_t *seed, unsigned percent) {
  return below(seed, 100) < percent;
}

static inline const char *pick(uint64_t *seed, unsigned count, const char *const *words) {
  return words[below(seed, count)];
}
#define PICK(seed, ...) \
  pick((seed), sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *), (const char *const[]){__VA_ARGS__})

/* Writes the random PTX or Vulkan test of a seed: see generate.c. */
void generate_gpu(FILE *out, bool vulkan, unsigned seed);

#endif
