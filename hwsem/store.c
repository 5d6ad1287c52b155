/* The visited set: chunks of packed states and an open-addressed table with
 * linear probing.  The table doubles at seven eighths full; slots are rehashed
 * from the states themselves. */
#include "store.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

enum { FIRST_SLOTS = 1024 };

void store_init(struct store *store) {
  *store = (struct store){0};
}

static void drop_chunks(struct store *store) {
  for (size_t i = 0; i < store->chunk_count; i++) {
    free(store->chunks[i]);
    free(store->parents[i]);
  }
  store->chunk_count = 0;
}

void store_free(struct store *store) {
  drop_chunks(store);
  free(store->chunks);
  free(store->parents);
  free(store->slots);
  *store = (struct store){0};
}

void store_reset(struct store *store, size_t state_size) {
  if (store->state_size != state_size) drop_chunks(store);
  store->state_size = state_size;
  store->count = 0;
  if (!store->slots) return;
  /* The previous run may have left a large table: a small run must not pay for
   * clearing it, so the table shrinks to its first slots and grows again. */
  store->mask = FIRST_SLOTS - 1;
  memset(store->slots, 0, FIRST_SLOTS * sizeof *store->slots);
}

uint64_t store_hash(const struct store *store, const void *state) {
  return XXH3_64bits(state, store->state_size);
}

/* Word by word; the last word may overlap the one before. */
static bool same(const uint8_t *a, const uint8_t *b, size_t size) {
  uint64_t x, y;
  if (size < sizeof x) return memcmp(a, b, size) == 0;
  for (size_t i = 0; i + sizeof x < size; i += sizeof x) {
    memcpy(&x, a + i, sizeof x);
    memcpy(&y, b + i, sizeof y);
    if (x != y) return false;
  }
  memcpy(&x, a + size - sizeof x, sizeof x);
  memcpy(&y, b + size - sizeof y, sizeof y);
  return x == y;
}

static uint64_t slot_of(uint64_t hash, uint32_t index) {
  return (hash & UINT64_C(0xffffffff00000000)) | ((uint64_t)index + 1);
}

static void place(struct store *store, uint64_t hash, uint32_t index) {
  size_t i = hash & store->mask;
  while (store->slots[i]) i = (i + 1) & store->mask;
  store->slots[i] = slot_of(hash, index);
}

/* A large table is met at random: huge pages spare it most of its misses. */
static uint64_t *new_slots(size_t count) {
  enum { HUGE_PAGE = 1 << 21 };
  size_t bytes = count * sizeof(uint64_t);
  if (bytes < HUGE_PAGE) return malloc(bytes);
  void *slots = aligned_alloc(HUGE_PAGE, bytes);
  if (slots) madvise(slots, bytes, MADV_HUGEPAGE);
  return slots;
}

static bool grow_table(struct store *store) {
  size_t wanted = store->slots ? 2 * (store->mask + 1) : FIRST_SLOTS;
  if (wanted > store->slot_room) {
    uint64_t *slots = new_slots(wanted);
    if (!slots) return false;
    free(store->slots);
    store->slots = slots;
    store->slot_room = wanted;
  }
  memset(store->slots, 0, wanted * sizeof *store->slots);
  store->mask = wanted - 1;
  for (uint32_t i = 0; i < store->count; i++) place(store, store_hash(store, store_at(store, i)), i);
  return true;
}

static bool grow_chunks(struct store *store) {
  if (store->chunk_count == store->chunk_room) {
    size_t room = store->chunk_room ? 2 * store->chunk_room : 16;
    uint8_t **chunks = realloc(store->chunks, room * sizeof *chunks);
    if (chunks) store->chunks = chunks;
    uint32_t **parents = realloc(store->parents, room * sizeof *parents);
    if (parents) store->parents = parents;
    if (!chunks || !parents) return false;
    store->chunk_room = room;
  }
  uint8_t *chunk = malloc(STORE_CHUNK * store->state_size);
  uint32_t *parents = malloc(STORE_CHUNK * sizeof *parents);
  if (!chunk || !parents) {
    free(chunk);
    free(parents);
    return false;
  }
  store->chunks[store->chunk_count] = chunk;
  store->parents[store->chunk_count++] = parents;
  return true;
}

static bool full(const struct store *store) {
  return !store->slots || store->count + (uint64_t)1 > (store->mask + 1) / 8 * 7;
}

uint32_t store_add(struct store *store, const void *state, uint64_t hash, uint32_t parent, bool *fresh) {
  *fresh = false;
  if (full(store) && !grow_table(store)) return UINT32_MAX;
  uint32_t tag = (uint32_t)(hash >> 32);
  size_t i = hash & store->mask;
  for (; store->slots[i]; i = (i + 1) & store->mask) {
    uint32_t index = (uint32_t)store->slots[i] - 1;
    if ((uint32_t)(store->slots[i] >> 32) == tag && same(store_at(store, index), state, store->state_size))
      return index;
  }
  size_t chunk = store->count >> STORE_CHUNK_BITS, at = store->count & (STORE_CHUNK - 1);
  if (store->count == UINT32_MAX - 1 || (chunk == store->chunk_count && !grow_chunks(store))) return UINT32_MAX;
  memcpy(store->chunks[chunk] + at * store->state_size, state, store->state_size);
  store->parents[chunk][at] = parent;
  store->slots[i] = slot_of(hash, store->count);
  *fresh = true;
  return store->count++;
}

uint64_t store_bytes(const struct store *store) {
  uint64_t table = store->slots ? (store->mask + 1) * sizeof *store->slots : 0;
  return store->count * (uint64_t)(store->state_size + sizeof(uint32_t)) + table;
}
