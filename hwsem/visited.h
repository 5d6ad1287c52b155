/* SPDX-License-Identifier: MIT */
/* The states that an exploration has visited: numbered in breadth-first order, each with
 * the state that it was first reached from.
 *
 * States live in one store, or are shared out among several by their hashes (shards), so
 * that several threads may add at once, each to another shard.  One store has its states in
 * the order of their numbers.  Shards nearly do: those that several threads add at a time are
 * numbered soon after, in the order of the search.  So three bytes a state say where it is: in
 * which shard, and how far from the place that it would have in order.  Parents ascend with the numbers: they are a
 * string of bits, 1 for a state found and 0 when all successors of one have been, two bits a state.
 *
 * The explorer's thread alone numbers; others read states that they were handed the
 * places of.
 */
#ifndef LITSCOPE_HWSEM_VISITED_H
#define LITSCOPE_HWSEM_VISITED_H

#include <pthread.h>

#include "hwsem/store.h"

enum { VISITED_SHARDS = 64 };

/* Where a state is: its index, and below it in as many bits as shards need its shard. */
typedef uint32_t visited_place;

/* Goes through states in the order of their numbers. */
struct visited_cursor {
  uint32_t next;                   /* number */
  uint32_t far;                    /* of those that are far, the first from here on */
  uint32_t counts[VISITED_SHARDS]; /* of states before it in each shard */
};

/* Locks lie apart: a core that takes one does not slow down others at the next. */
struct visited_lock {
  pthread_mutex_t mutex;
  char apart[128 - sizeof(pthread_mutex_t)];
};

struct visited {
  struct tree *tree;                /* of all shards; NULL: states are not compressed */
  unsigned shard_count, shard_bits; /* a power of two, and which */
  struct store shards[VISITED_SHARDS];
  struct visited_lock locks[VISITED_SHARDS]; /* of several shards: held by who adds to one */
  uint32_t count;                            /* numbered */
  uint32_t closed;                           /* states whose successors are all numbered */
  /* Several shards only: of each state where it is, in chunks; of those that are far, the number and
   * how far; of each shard, as bits, the states that are numbered, and the first that is not. */
  uint16_t **places;
  struct pairs far;
  uint64_t *numbered[VISITED_SHARDS];
  size_t numbered_room[VISITED_SHARDS];
  uint32_t first_open[VISITED_SHARDS];

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

static inline visited_place visited_place_of(const struct visited *v, uint32_t shard, uint32_t index) {
  return index << v->shard_bits | shard;
}

static inline uint32_t visited_shard_at(const struct visited *v, visited_place place) {
  return place & (v->shard_count - 1);
}

static inline unsigned visited_shard(uint64_t hash, unsigned shard_count) {
  return (unsigned)(hash >> STORE_TAG_BITS) & (shard_count - 1);
}

/* Is a state numbered that has been added (store_add)? */
static inline bool visited_is_numbered(const struct visited *v, visited_place place) {
  if (v->shard_count == 1) return place < v->count;
  uint32_t shard = visited_shard_at(v, place), index = place >> v->shard_bits;
  size_t word = index / 64;
  return word < v->numbered_room[shard] && (v->numbered[shard][word] >> index % 64 & 1);
}

/* Of each shard, the first state that is not numbered; good until the next is. */
const uint32_t *visited_first_open(struct visited *v);

/* Numbers one that is not.  false: no memory. */
bool visited_number(struct visited *v, visited_place place);

/* All successors of the next state have been numbered.  false: no memory. */
bool visited_close(struct visited *v);

/* The place of the cursor's next state, which it passes. */
visited_place visited_pass(const struct visited *v, struct visited_cursor *cursor);

/* A cursor whose next state is state `number`, and the place of any state; not quick. */
struct visited_cursor visited_cursor_at(const struct visited *v, uint32_t number);
visited_place visited_find(const struct visited *v, uint32_t number);

/* The state that state `number` > 0 was first reached from; not quick. */
uint32_t visited_parent(const struct visited *v, uint32_t number);

static inline const void *visited_read(const struct visited *v, visited_place place, void *buffer) {
  return store_read(&v->shards[visited_shard_at(v, place)], place >> v->shard_bits, buffer);
}

/* Fetches what visited_read will read first. */
static inline void visited_fetch(const struct visited *v, visited_place place) {
  store_fetch(&v->shards[visited_shard_at(v, place)], place >> v->shard_bits);
}

/* Bytes in use.  Others may be adding. */
uint64_t visited_bytes(struct visited *v);

#endif
