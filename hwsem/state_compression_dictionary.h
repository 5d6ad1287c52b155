/* SPDX-License-Identifier: MIT */
/* Words of eight bytes, numbered as they are met: what compressed states are made of (state_compression.h).
 *
 * Several threads may look up and add at once.  Looking up takes no lock, and most words are
 * there already; adding takes the dictionary's.  Only to grow a thread must be alone with it.
 */
#ifndef LITSCOPE_HWSEM_STATE_COMPRESSION_DICTIONARY_H
#define LITSCOPE_HWSEM_STATE_COMPRESSION_DICTIONARY_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { DICTIONARY_FIRST_BITS = 10, DICTIONARY_BLOCKS = 32 - DICTIONARY_FIRST_BITS };

/* Blocks of keys, each twice as large as the one before, never move: they are read while others
 * are added. */
struct dictionary {
  uint64_t *blocks[DICTIONARY_BLOCKS];
  _Atomic uint32_t *slots; /* number + 1; 0: free */
  size_t mask;
  pthread_mutex_t lock;
  uint32_t count, limit; /* words; those there is room for */
};

void dictionary_init(struct dictionary *d);
void dictionary_free(struct dictionary *d);

/* Puts for each of `count` words its number, up to DICTIONARY_TOGETHER.  false: it must grow
 * first; words may have been added, none is changed. */
enum { DICTIONARY_TOGETHER = 32 };
bool dictionary_number(struct dictionary *d, uint64_t *words, uint32_t count);

/* Grows where it has no room.  false: no memory, or numbers ran out. */
bool dictionary_grow(struct dictionary *d);

/* Bytes in use.  Others may be adding. */
uint64_t dictionary_bytes(struct dictionary *d);

static inline uint64_t *dictionary_place(const struct dictionary *d, uint32_t number) {
  uint64_t n = (uint64_t)number + (1 << DICTIONARY_FIRST_BITS);
  unsigned bit = 63 - (unsigned)__builtin_clzll(n);
  return &d->blocks[bit - DICTIONARY_FIRST_BITS][n - (UINT64_C(1) << bit)];
}

static inline uint64_t dictionary_word(const struct dictionary *d, uint32_t number) {
  return *dictionary_place(d, number);
}

/* Numbers are small, and so are many words: mixed twice they make a hash. */
static inline uint64_t dictionary_hash(uint64_t word) {
  word = (word ^ word >> 32) * UINT64_C(0xd6e8feb86659fd93);
  word = (word ^ word >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return word ^ word >> 32;
}

#endif
