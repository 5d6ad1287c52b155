/* The visited set: states of one size, packed in chunks and numbered in the
 * order they came, with an open-addressed table of (tag, number) pairs beside.
 *
 * A hash alone can lie, so a lookup compares the whole state; the tag (hash
 * bits kept in the slot) only saves most of the comparisons that would fail.
 * Chunks never move: a pointer to a state stays good until the next reset.
 *
 * Large runs are bound by cache misses, so a lookup is offered in steps whose
 * memory can be prefetched: store_hint, store_probe, then store_add.
 */
#ifndef LITSCOPE_HWSEM_STORE_H
#define LITSCOPE_HWSEM_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct store {
  size_t state_size;
  uint32_t count;

  uint8_t **chunks;   /* each STORE_CHUNK states */
  uint32_t **parents; /* for each chunk, the number of each state's parent */
  size_t chunk_count, chunk_room;

  uint64_t *slots; /* tag in the upper half, number + 1 in the lower, 0: free */
  size_t mask;     /* slots - 1 */
  size_t slot_room;
};

enum { STORE_CHUNK_BITS = 12, STORE_CHUNK = 1 << STORE_CHUNK_BITS };

void store_init(struct store *store);
void store_free(struct store *store);

/* Empties the store for states of `state_size` bytes; keeps what memory fits. */
void store_reset(struct store *store, size_t state_size);

uint64_t store_hash(const struct store *store, const void *state);

static inline const void *store_at(const struct store *store, uint32_t index) {
  return store->chunks[index >> STORE_CHUNK_BITS] + (size_t)(index & (STORE_CHUNK - 1)) * store->state_size;
}

static inline uint32_t store_parent(const struct store *store, uint32_t index) {
  return store->parents[index >> STORE_CHUNK_BITS][index & (STORE_CHUNK - 1)];
}

/* Prefetches the slot of a hash. */
static inline void store_hint(const struct store *store, uint64_t hash) {
  __builtin_prefetch(&store->slots[hash & store->mask]);
}

/* Prefetches the state that the slot of a hash names. */
static inline void store_probe(const struct store *store, uint64_t hash) {
  uint64_t slot = store->slots[hash & store->mask];
  if (slot) __builtin_prefetch(store_at(store, (uint32_t)slot - 1));
}

/* Adds a state unless it is there.  Returns its number, UINT32_MAX when memory
 * or numbers ran out; *fresh says whether it was added. */
uint32_t store_add(struct store *store, const void *state, uint64_t hash, uint32_t parent, bool *fresh);

/* Bytes in use. */
uint64_t store_bytes(const struct store *store);

#endif
