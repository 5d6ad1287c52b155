/* SPDX-License-Identifier: MIT */
/* Hash tables in an arena: numbers, found by the hash of what they stand for.
 *
 * What a number stands for the caller keeps, in a vector or where else, and compares:
 *
 *     HASH_EACH (at, &table, hash)
 *       if (same(&things.at[hash_number(&table, at)], wanted)) return ...;
 *     hash_add(arena, &table, hash, number);
 *
 * Open addressing, at most half full; a table of zeros is empty.  Tables that outgrow their room
 * leave it in the arena, which wastes at most as much as is used.
 */
#ifndef LITSCOPE_BASE_HASH_TABLE_H
#define LITSCOPE_BASE_HASH_TABLE_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/arena.h"

struct hash_slot {
  uint64_t hash;
  uint32_t number;
  bool taken;
};

struct hash_table {
  struct hash_slot *slots;
  size_t room, count; /* room: a power of two, or 0 */
};

/* Of bytes without padding: XXH3, the same on all machines of one byte order. */
uint64_t hash_bytes(const void *bytes, size_t size);

/* One more number in a hash of several, whose order counts; a hash begins as 0. */
static inline uint64_t hash_join(uint64_t hash, uint64_t number) {
  hash ^= number + UINT64_C(0x9e3779b97f4a7c15) + (hash << 6) + (hash >> 2);
  hash *= UINT64_C(0xff51afd7ed558ccd);
  return hash ^ hash >> 32;
}

/* The next slot with this hash, from `at` on round the table; `room`: none. */
static inline size_t hash_probe(const struct hash_table *table, uint64_t hash, size_t at) {
  if (!table->room) return 0;
  for (at &= table->room - 1; table->slots[at].taken; at = (at + 1) & (table->room - 1))
    if (table->slots[at].hash == hash) return at;
  return table->room;
}

/* for each slot with this hash; nothing is added meanwhile. */
#define HASH_EACH(at, table, hash) \
  for (size_t at = hash_probe((table), (hash), (hash)); at < (table)->room; at = hash_probe((table), (hash), at + 1))

static inline uint32_t hash_number(const struct hash_table *table, size_t at) {
  return table->slots[at].number;
}

/* Adds a number, even where the hash has others. */
void hash_add(struct arena *arena, struct hash_table *table, uint64_t hash, uint32_t number);

/* As a set of hashes: adds one; false: it was there. */
bool hash_is_new(struct arena *arena, struct hash_table *table, uint64_t hash);

#endif
