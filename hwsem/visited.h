/* SPDX-License-Identifier: MIT */
/* The states that an exploration has visited: numbered in breadth-first order, each with
 * the state that it was first reached from.
 *
 * States live in one store, or are shared out among several by their hashes (shards), so
 * that several threads may add at once, each to another shard.  A shard's states come in
 * the order of their numbers, so a byte a state says where it is: in which shard.
 * Parents ascend with the numbers: they are a string of bits, 1 for a state found and 0
 * when all successors of one have been, two bits a state.
 *
 * The explorer's thread alone numbers; others read states that they were handed the
 * places of.
 */
#ifndef LITSCOPE_HWSEM_VISITED_H
#define LITSCOPE_HWSEM_VISITED_H

#include "hwsem/store.h"

enum { VISITED_SHARDS = 64 };

/* Where a state is. */
struct visited_place {
  uint32_t shard, index;
};

/* Goes through states in the order of their numbers. */
struct visited_cursor {
  uint32_t next;                   /* number */
  uint32_t counts[VISITED_SHARDS]; /* of states before it in each shard */
};

struct visited {
  unsigned shard_count; /* a power of two */
  struct store shards[VISITED_SHARDS];
  uint32_t count;       /* numbered */
  uint32_t closed;      /* states whose successors are all numbered */
  uint8_t **shard_of;   /* of each state, in chunks; several shards only */
  uint32_t *marks;      /* states of each shard before every MARK-th */
  size_t mark_room;     /* marks */
  uint64_t *born;       /* parents, as bits */
  uint64_t *born_marks; /* where the bit of every MARK-th state is */
  size_t born_room, born_mark_room;
  struct visited_cursor end; /* next: count */
};

void visited_init(struct visited *v);
void visited_free(struct visited *v);

/* Empties it, one shard; keeps what memory fits.  false: no memory. */
bool visited_reset(struct visited *v, size_t state_size, bool compress);

/* Shares the states out among `shards`, a power of two up to VISITED_SHARDS, and makes room for
 * all that may come, so that others may read.  false: no memory, and nothing has changed. */
bool visited_share(struct visited *v, unsigned shards);

static inline unsigned visited_shard(const struct visited *v, uint64_t hash) {
  return (unsigned)(hash >> STORE_TAG_BITS) & (v->shard_count - 1);
}

/* Numbers the next state of a shard, which has been added there (store_add).  false: no memory. */
bool visited_number(struct visited *v, unsigned shard);

/* All successors of the next state have been numbered.  false: no memory. */
bool visited_close(struct visited *v);

/* The place of the cursor's next state, which it passes. */
struct visited_place visited_pass(const struct visited *v, struct visited_cursor *cursor);

/* A cursor whose next state is state `number`, and the place of any state; not quick. */
struct visited_cursor visited_cursor_at(const struct visited *v, uint32_t number);
struct visited_place visited_find(const struct visited *v, uint32_t number);

/* The state that state `number` > 0 was first reached from; not quick. */
uint32_t visited_parent(const struct visited *v, uint32_t number);

static inline const void *visited_read(const struct visited *v, struct visited_place place, void *buffer) {
  return store_read(&v->shards[place.shard], place.index, buffer);
}

/* Bytes in use; its own, without those of the shards. */
uint64_t visited_bytes(const struct visited *v);
uint64_t visited_own_bytes(const struct visited *v);

#endif
