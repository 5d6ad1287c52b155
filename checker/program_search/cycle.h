/* SPDX-License-Identifier: MIT */
/* Cycles of relations, in diy's words, and the small programs that they are.
 *
 *     PodWW Rfe PodRR Fre          message passing
 *
 * Inside a thread: Pod and Pos (program order, to another location or the same one),
 * Fenced (Fencedd, Fenceds: with a fence between), and dependencies on the first, a
 * read: DpAddr (the second's address), DpData (the value that it stores), DpCtrl (it
 * runs under a condition), of which d and s also say whether the location is another
 * or the same one (DpAddrd, DpAddrs; Dpd and Dps are DpAddr, Ctrld and Ctrls DpCtrl).
 * After each the directions of its two accesses, of dependencies that of the second.
 * Between accesses of one location: Rfe Fre Coe (also Wse) to another thread, Rfi Fri
 * Coi (Wsi) in the same.
 *
 * After diy (Alglave, Maranget, Sarkar and Sewell, "Fences in weak memory models",
 * CAV 2010), whose names tests have: those that diy7's norm7 gives, wherever the cycle
 * begins.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_CYCLE_H
#define LITSCOPE_PROGRAM_SEARCH_CYCLE_H

#include "checker/base/vec.h"
#include "checker/small_programs/small_program.h"

enum { CYCLE_EDGES = SMALL_FAMILY_THREADS * SMALL_FAMILY_OPS };

struct cycle {
  const char *name;             /* MP+po+po */
  struct small_program program; /* its operations have no scope yet: 'n'; every thread on its own */
  const char *condition;        /* exists (1:r0=1 /\ 1:r1=0): what is so only if the cycle is */
};

/* Reads a cycle.  NULL or, in the arena, why it is none. */
const char *cycle_read(struct arena *arena, const char *text, struct cycle *cycle);

/* Words of edges. */
struct cycle_words {
  const char **at;
  size_t count, room;
};

/* Adds the edges of a word, in which `*` stands for anything: `Pod**`, `Po**` (Pod and Pos),
 * `Dp*`, `Rf*`.  false: there is none. */
bool cycle_words_add(struct arena *arena, const char *pattern, struct cycle_words *words);

/* Calls for each cycle that a text with wildcards stands for and whose directions fit;
 * cycle_read may still refuse it.  NULL or, in the arena, why there is none. */
const char *cycle_expand(struct arena *arena, const char *text, void (*visit)(void *context, const char *text),
                         void *context);

/* Calls for every cycle of up to `edges` edges of the safe ones and the relaxed, of these
 * one at least where there are any, as its text, once up to rotation.  No thread has more
 * than two accesses, and no two edges between threads follow each other but Rfe Fre and
 * Coe Rfe. */
void cycle_each(unsigned edges, const struct cycle_words *safe, const struct cycle_words *relax,
                void (*visit)(void *context, const char *text), void *context);

#endif
