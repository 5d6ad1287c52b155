/* SPDX-License-Identifier: MIT */
/* The mutex protocol of FEAR without time, as a machine for the explorer:
 * which of its rules keep fetch-and-increments atomic?
 *
 * Requesters P0, P1, ... each perform a list of fetch-and-increments.  Address a is
 * guarded by mutex a mod `mutexes`, mutex m by ring m mod `rings`: its `K` members keep
 * the tables of its mutexes (K = 1: an owner directory), its stick goes round by itself,
 * and mutex m has busy wire (m / rings) mod `wires` of its ring.  Requester i talks to
 * member i mod K of a ring, the L2 to the last.  Each rule of the protocol can be
 * switched off.
 *
 * Source: Franey and Lipasti, "FEAR"; the rules on discarded answers and on
 * simultaneous epoch ends are not stated there.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_FEAR_H
#define LITSCOPE_HWSEM_MACHINES_FEAR_H

#include <stdint.h>

#include "checker/base/arena.h"
#include "hwsem/machine.h"

enum { FEAR_REQUESTERS = 6, FEAR_OPS = 8, FEAR_TOTAL_OPS = 31, FEAR_ADDRESSES = 4, FEAR_MEMBERS = 4 };

/* What becomes of speculative answers to earlier operations of a requester. */
enum fear_discard {
  FEAR_DRAIN, /* the next operation waits for them */
  FEAR_TAGS,  /* they are told apart and dropped */
  FEAR_KEEP   /* they are taken for the next operation's */
};

/* How requesters and members see the end of an epoch. */
enum fear_skew { FEAR_TOGETHER, FEAR_APART, FEAR_MEMBERS_FIRST, FEAR_REQUESTERS_FIRST };

struct fear_rules {
  int K;
  int mutexes, rings, wires; /* at least 1; no more mutexes than FEAR_ADDRESSES, rings than mutexes */
  bool spec;                 /* speculative fetches */
  bool epoch;                /* ... whose answers are used only when request and last release are of different epochs */
  bool lut;                  /* requesters remember which address their cached data is of */
  bool piggy;                /* a release leaves with the write-back, not before it */
  bool busy;                 /* a table is not changed while an update travels */
  enum fear_discard discard;
  enum fear_skew skew;
};

struct fear_program {
  int requesters, addresses;
  int ops[FEAR_REQUESTERS];
  uint8_t address[FEAR_REQUESTERS][FEAR_OPS];
};

/* Reads `1+2` (counts of operations on x) or `xyx+x` (their addresses, letters
 * of "xyzw").  Returns NULL, or what is wrong. */
const char *fear_program_read(const char *text, struct fear_program *program);

/* The machine.  It observes the values that the operations returned, requester
 * by requester, and then the final values of the addresses in the L2.
 *
 * `until_lost`: the machine whose only final states are those in which two
 * operations on one address have returned the same value: the nearest of them
 * is where an update is lost. */
struct machine *fear_machine_new(struct arena *arena, const struct fear_program *program,
                                 const struct fear_rules *rules, bool until_lost);

/* Is an outcome (observed values) atomic: do the operations on each address
 * return 0, 1, ... each once, and is their number the final value? */
bool fear_outcome_is_atomic(const struct fear_program *program, const int64_t *values);

/* `0:r0=0; 1:r0=0; x=1`: operation j of requester i returns i:rj. */
void fear_outcome_print(const struct fear_program *program, const int64_t *values, FILE *out);

#endif
