/* SPDX-License-Identifier: MIT */
/* Some states that follow each other in number, and their successors: made at once,
 * looked up at once, and then numbered in their order.
 *
 *     portion_take(p, visited, &cursor, count);  which states
 *     portion_make(p, maker);                    their successors
 *     portion_look_up(p, visited, shard);        for each shard: which of these are new
 *     portion_number(p, visited, i);             state by state
 *
 * Most successors have been met before, and many of them a moment ago: where two steps
 * do not touch each other, their two orders lead to one state.  So each maker remembers
 * some thousand states that it has made lately and lets go of what is among them.  As
 * makers are handed portions in the order of numbers, what is let go came earlier in
 * that order, so numbers are those of a search that lets nothing go.
 */
#ifndef LITSCOPE_HWSEM_PORTION_H
#define LITSCOPE_HWSEM_PORTION_H

#include "hwsem/machine.h"
#include "hwsem/visited.h"

/* How successors are made: as in explore.h. */
struct making {
  const struct machine *machine;
  bool por, symmetry;
};

/* What is known of a state's successors. */
struct made {
  uint32_t emitted, idle; /* idle: of these, by idle steps */
  uint32_t end;           /* of its successors among those kept */
  bool complete;          /* what the machine returned */
  bool final;             /* of the state itself */
};

struct portion {
  uint32_t first, count; /* states */
  size_t stride;
  struct visited_place *places;
  struct made *made;
  uint32_t room; /* of both */

  /* Successors that were kept, by state. */
  uint8_t *states;
  uint64_t *hashes;
  uint32_t kept, kept_room;
  uint32_t *by_shard; /* the same by shard, shard s from begin[s] to begin[s + 1], */
  bool *fresh;        /* and in that order, which are new */
  uint32_t begin[VISITED_SHARDS + 1];
  uint32_t numbered[VISITED_SHARDS]; /* of each shard, how many have been passed */
  bool failed;                       /* memory ran out: nothing else counts */
};

void portion_free(struct portion *p); /* what it holds; zeros hold nothing */

/* The next `count` states of a cursor.  false: no memory. */
bool portion_take(struct portion *p, const struct visited *v, struct visited_cursor *cursor, uint32_t count);

/* Makes successors, for one thread. */
struct maker;
struct maker *maker_new(void); /* NULL: no memory */
void maker_free(struct maker *maker);

/* Another run begins. */
void maker_reset(struct maker *maker, const struct making *making, size_t stride);

/* From now on the maker remembers; `known` has been visited.  Without memory it does not. */
void maker_remember(struct maker *maker, const struct visited *v, const void *known);

void portion_make(struct portion *p, const struct visited *v, struct maker *maker);

/* Adds the successors that belong to a shard.  Portions come in the order of numbers.
 * false: memory or numbers ran out. */
bool portion_look_up(struct portion *p, struct visited *v, unsigned shard);

/* Numbers the new successors of its i-th state; states come in order.  false: no memory. */
bool portion_number(struct portion *p, struct visited *v, uint32_t i);

#endif
