/* SPDX-License-Identifier: MIT */
/* The states that an exploration has visited: numbered in breadth-first order, each with
 * the state that it was first reached from.
 *
 * One thread that adds states does so in the order of their numbers: a state's place in the store (state_hash_set.h) is
 * its number. Several nearly do: what they add at a time is numbered soon after, in the order of the search.  So two
 * bytes a state say how far its place is from its number.  Parents ascend with the numbers: they are a string of bits,
 * 1 for a state found and 0 when all successors of one have been, two bits a state.
 *
 * The explorer's thread alone numbers; others read states that they were handed the
 * places of.
 */
#ifndef LITSCOPE_HWSEM_VISITED_STATES_H
#define LITSCOPE_HWSEM_VISITED_STATES_H

#include "hwsem/state_hash_set.h"

/* Where a state is in the store. */
typedef uint32_t visited_place;

/* How far a state's place is from its number is noted with VISITED_FAR added; 0 marks those that do not fit. */
enum { VISITED_FAR = 1 << 15 };

struct visited {
  struct tree *tree; /* NULL: states are not compressed */
  struct store store;
  bool shared;
  uint32_t ordered;        /* several threads: states below have their numbers as places */
  uint16_t **places;       /* of the others, STORE_CHUNK of them each */
  struct packed_pairs far; /* of those that are far their numbers and how far */
  _Atomic uint32_t far_count;

  /* What changes with every state that is numbered lies apart from what others read meanwhile. */
  char apart[STORE_APART];
  uint32_t count;     /* numbered */
  uint32_t closed;    /* states whose successors are all numbered */
  uint64_t *numbered; /* several threads only: as bits, which places are */
  size_t numbered_room;
  uint32_t first_open; /* the first that is not, when it was last looked for */
  uint64_t *born;      /* parents, as bits, of the first so many states */
  uint32_t born_count;
  uint64_t *born_marks; /* where the bit of every so many-th state is */
  size_t born_room, born_mark_room;
};

void visited_init(struct visited *v);
void visited_free(struct visited *v);

/* Empties it, for one thread; keeps what memory fits.  false: no memory. */
bool visited_reset(struct visited *v, size_t state_size, bool compress);

/* From now on several threads may add at once, and others read.  false: no memory, and nothing has changed. */
bool visited_share(struct visited *v);

/* Is a state numbered that has been added (store_add)? */
static inline bool visited_is_numbered(const struct visited *v, visited_place place) {
  if (!v->shared) return place < v->count;
  return place / 64 < v->numbered_room && (v->numbered[place / 64] >> place % 64 & 1);
}

/* The first place whose state is not numbered; good until the next is. */
visited_place visited_first_open(struct visited *v);

/* Numbers the initial state, which is the first in the store.  false: no memory. */
bool visited_begin(struct visited *v);

/* Numbers those successors of the next state that are not; with it they are closed.  false: no memory. */
bool visited_close(struct visited *v, const visited_place *successors, uint32_t count);

/* Where state `number` is. */
uint32_t visited_far(const struct visited *v, uint32_t number); /* those that are far */

static inline visited_place visited_find(const struct visited *v, uint32_t number) {
  if (!v->shared || number < v->ordered) return number;
  uint32_t noted = v->places[number >> STORE_CHUNK_BITS][number & (STORE_CHUNK - 1)];
  return number + (noted ? noted - VISITED_FAR : visited_far(v, number));
}

/* The state that state `number` > 0 was first reached from; not quick. */
uint32_t visited_parent(const struct visited *v, uint32_t number);

static inline const void *visited_read(const struct visited *v, visited_place place, void *buffer) {
  return store_read(&v->store, place, buffer);
}

/* Bytes in use; of states that are not numbered yet, those of the table alone.  Others may be adding. */
uint64_t visited_bytes(struct visited *v);

#endif
