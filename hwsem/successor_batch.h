/* SPDX-License-Identifier: MIT */
/* Some states that follow each other in number, and their successors: made, looked up,
 * and then numbered in their order.
 *
 *     portion_make(p, visited, maker, open);       adds the successors of states p->first on; which may be new
 *     portion_number(p, visited, i);               state by state: numbers what is new
 *
 * Several portions may be made at once, each by a maker of its own.  Whichever of them adds a
 * state first, it is new to all until it is numbered: so numbers are those of a search that
 * does one portion after another.
 *
 * Most successors have been met before, and many of them a moment ago: where two steps
 * do not touch each other, their two orders lead to one state.  So each maker remembers
 * some thousand states that it has made lately and lets go of what is among them.  As
 * makers are handed portions in the order of numbers, what is let go came earlier in
 * that order, so numbers are those of a search that lets nothing go.
 */
#ifndef LITSCOPE_HWSEM_SUCCESSOR_BATCH_H
#define LITSCOPE_HWSEM_SUCCESSOR_BATCH_H

#include "hwsem/machine.h"
#include "hwsem/visited_states.h"

/* How successors are made: as in explore.h. */
struct making {
  const struct machine *machine;
  bool por, symmetry;
};

/* What is known of a state's successors; small, as it goes from thread to thread. */
struct made {
  uint32_t end;     /* of its successors among those that may be new */
  uint32_t emitted; /* successors */
  bool idle;        /* of these, all by idle steps */
  bool complete;    /* what the machine returned */
  bool final;       /* of the state itself */
};

struct portion {
  uint32_t first, count; /* states: the caller's */
  visited_place *places; /* the rest is as portion_make left it */
  struct made *made;
  uint32_t room; /* of both */

  /* Successors that may be new, in the order of the states: where they are. */
  visited_place *fresh;
  uint32_t open, open_room;
  bool failed; /* memory or numbers ran out: nothing else counts */
};

void portion_free(struct portion *p); /* what it holds; zeros hold nothing */

/* Makes successors, for one thread. */
struct maker;
struct maker *maker_new(void); /* NULL: no memory */
void maker_free(struct maker *maker);

/* Another run begins. */
void maker_reset(struct maker *maker, const struct making *making, size_t stride);

/* From now on the maker remembers; `known` has been visited.  Without memory it does not. */
void maker_remember(struct maker *maker, const struct visited *v, const void *known);

/* Makes and adds the successors.  Those are let go of whose places are before `open`: all there were
 * numbered (visited_first_open). */
void portion_make(struct portion *p, struct visited *v, struct maker *maker, visited_place open);

/* Numbers the new successors of its i-th state; portions come in the order of numbers, and so do
 * their states.  false: no memory. */
bool portion_number(struct portion *p, struct visited *v, uint32_t i);

#endif
