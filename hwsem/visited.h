/* SPDX-License-Identifier: MIT */
/* The states that an exploration has visited: numbered in breadth-first order, each with
 * the state that it was first reached from.
 *
 * States live in one store, or are shared out among several by their hashes (shards), so
 * that several threads may add at once, each to another shard.  One store has its states in
 * the order of their numbers.  Shards nearly do: those that several threads add at a time are
 * numbered soon after, in the order of the search.  So two bytes a state say where it is: in
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

/* Of STORE_CHUNK states that follow each other in number: where they are, against where they would be if
 * shards got them by turns from every VISITED_MARK-th on; and what shards had by then. */
enum { VISITED_MARK = 1 << 12 };
struct visited_chunk {
  uint16_t places[STORE_CHUNK];
  uint32_t counts[];
};

/* Locks lie apart: a core that takes one does not slow down others at the next. */
struct visited_lock {
  pthread_mutex_t mutex;
  char apart[128 - sizeof(pthread_mutex_t)];
};

struct visited {
  struct tree *tree;                /* of all shards; NULL: states are not compressed */
  unsigned shard_count, shard_bits; /* a power of two, and which */
  uint32_t excess;                  /* of what places hold above the shard; 0 there: far */
  struct store shards[VISITED_SHARDS];
  struct visited_lock locks[VISITED_SHARDS]; /* of several shards: held by who adds to one */
  struct visited_chunk **chunks;             /* several shards only: where states are, */
  struct pairs far;                          /* and of those that are far from there the number and how far */
  _Atomic uint32_t far_count;

  /* What changes with every state that is numbered lies apart from what others read meanwhile. */
  char apart[STORE_LINE];
  uint32_t count;  /* numbered */
  uint32_t closed; /* states whose successors are all numbered */
  /* Of each shard how many are numbered, and as bits which; and the first that is not. */
  uint32_t counts[VISITED_SHARDS];
  uint64_t *numbered[VISITED_SHARDS];
  size_t numbered_room[VISITED_SHARDS];
  uint32_t first_open[VISITED_SHARDS];
  uint64_t *born;       /* parents, as bits */
  uint64_t *born_marks; /* where the bit of every VISITED_MARK-th state is */
  size_t born_room, born_mark_room;
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

/* Where state `number` is. */
uint32_t visited_far(const struct visited *v, uint32_t number); /* those that are far */

static inline visited_place visited_find(const struct visited *v, uint32_t number) {
  if (v->shard_count == 1) return number;
  const struct visited_chunk *chunk = v->chunks[number >> STORE_CHUNK_BITS];
  uint32_t at = number & (STORE_CHUNK - 1), packed = chunk->places[at], shard = packed & (v->shard_count - 1);
  uint32_t index = chunk->counts[at / VISITED_MARK * v->shard_count + shard] + (at % VISITED_MARK >> v->shard_bits);
  index += packed >> v->shard_bits ? (packed >> v->shard_bits) - v->excess : visited_far(v, number);
  return visited_place_of(v, shard, index);
}

/* The state that state `number` > 0 was first reached from; not quick. */
uint32_t visited_parent(const struct visited *v, uint32_t number);

static inline const void *visited_read(const struct visited *v, visited_place place, void *buffer) {
  return store_read(&v->shards[visited_shard_at(v, place)], place >> v->shard_bits, buffer);
}

/* Bytes in use; of states that are not numbered yet, those of the table alone.  Others may be adding. */
uint64_t visited_bytes(struct visited *v);

#endif
