/* SPDX-License-Identifier: MIT */
/* Open addressing with linear probing; a table doubles when it is half full. */
#include "checker/base/hash_table.h"

#include <assert.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_ROOM = 64 };

uint64_t hash_bytes(const void *bytes, size_t size) {
  return XXH3_64bits(bytes, size);
}

static void put(struct hash_table *table, struct hash_slot slot) {
  size_t at = slot.hash & (table->room - 1);
  while (table->slots[at].taken) at = (at + 1) & (table->room - 1);
  table->slots[at] = slot;
}

static void grow(struct arena *arena, struct hash_table *table) {
  struct hash_table larger = {.room = table->room ? 2 * table->room : FIRST_ROOM, .count = table->count};
  larger.slots = ARENA_ARRAY(arena, struct hash_slot, larger.room);
  for (size_t i = 0; i < table->room; i++)
    if (table->slots[i].taken) put(&larger, table->slots[i]);
  *table = larger;
}

void hash_add(struct arena *arena, struct hash_table *table, uint64_t hash, uint32_t number) {
  if (2 * table->count >= table->room) grow(arena, table);
  assert((table->room & (table->room - 1)) == 0 && table->count < table->room);
  put(table, (struct hash_slot){hash, number, true});
  table->count++;
}

bool hash_is_new(struct arena *arena, struct hash_table *table, uint64_t hash) {
  if (hash_probe(table, hash, hash) < table->room) return false;
  hash_add(arena, table, hash, 0);
  return true;
}
