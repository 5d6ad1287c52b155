/* SPDX-License-Identifier: MIT */
/* The cheapest sound cells of a mapping, found by counterexamples.
 *
 * A candidate for an operation's cell is any sequence of up to so many steps of the
 * GPU's alphabet: its access once, flushes and invalidations of the L1 of the own
 * work-group and of the device, and a span of a line's lock, of LK_rmw, or of each,
 * properly nested; a lock counts as one step.  Candidates are tried from the cheapest
 * on, the other cells as they are: first on the programs that have refuted some
 * candidate before, then on all programs of the family that have the operation; what
 * refutes one is kept.  So the first that survives is the cheapest sound one, and every
 * cheaper one has a program that refutes it.
 *
 * Candidates are tried in runs, and each run begins with the programs that refuted
 * those of the first: so what a run finds does not depend on who does it.  A run is a
 * part of divided work; who has found a sound candidate leaves out the runs after.
 *
 * Several cells together: the cheapest choice of a candidate for each, by the sum of
 * their prices times their weights (synth_joint.c).  What refutes a choice by an outcome
 * is a program, and of that the cells that it uses are made as strong as it still
 * refutes them: a *conflict*.  Each choice whose cells are within a conflict's
 * (cell_pattern.h) is unsound too; so the cheapest choice that has no conflict within it is
 * worked out by branch and bound, and tried on all programs, until one is sound.  The
 * conflicts are the proof that none is cheaper.  If it is no cheaper than the mapping as
 * it was, that stays, if it is sound.  What gets stuck is a conflict by itself
 * alone.  Conflicts of each operation alone, on programs that have none of the others,
 * are the parts of divided work.
 *
 * Sound: in both write-back orders the machine shows only outcomes that the model
 * allows, and never gets stuck.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_SYNTH_H
#define LITSCOPE_PROGRAM_SEARCH_SYNTH_H

#include "checker/base/parts.h"
#include "checker/program_search/judge_program.h"
#include "checker/small_programs/small_family.h"
#include "checker/verify/verify_test.h"
#include "hwsem/machine_with_mapping.h"
#include "hwsem/mapping.h"

enum { SYNTH_STEPS = 6, SYNTH_CELLS = 16 };

struct synth_options {
  const struct small_family *families;
  size_t family_count;
  struct judge_model model;
  struct verify_options verify;
  const struct target *target; /* a GPU, with the mapping to begin with */
  struct mapping_key keys[SYNTH_CELLS];
  size_t key_count;
  int64_t weights[SYNTH_CELLS]; /* of several: how often each counts */
  unsigned steps;               /* of a candidate: up to SYNTH_STEPS */
  /* Cycles of a cell, or -1: it has no price, and is no candidate. */
  int64_t (*price)(void *context, const struct mapping_cell *cell);
  /* Told of each cell that is begun. */
  void (*progress)(void *context, const struct mapping_key *key, size_t candidates);
  void *context;
  unsigned workers;
  struct parts *parts; /* runs that are there are not done again */
};

/* One candidate that was refuted. */
struct synth_refutation {
  const struct mapping_cell *cell;
  int64_t price;
  const struct small_program *program;
  unsigned order; /* enum gpu_write_back */
  bool stuck;
};

struct synth_cell {
  struct mapping_key key;
  const struct mapping_cell *before, *found; /* found NULL: no candidate is sound */
  int64_t price_before, price;
  struct synth_refutation *refuted; /* all candidates before it, in their order */
  size_t refuted_count;
  const struct small_program
      *smallest; /* found NULL: the smallest program that refutes each candidate; NULL: none does */
};

/* Of several: cells that no sound mapping has together, nor cells within them. */
struct synth_conflict {
  const struct mapping_cell *patterns[SYNTH_CELLS]; /* by operation; NULL: the program has it not */
  const struct small_program *program;
  unsigned order;
  bool stuck; /* these cells alone */
};

struct synth_result {
  const struct mapping *mapping; /* with the cells that were found */
  struct synth_conflict *conflicts;
  size_t conflict_count;
  int64_t price_before, price; /* of several, by weight; -1: a cell has none */
  struct synth_cell *cells;
  size_t cell_count;
  uint64_t programs, race_free; /* of the families; those that have some of the operations count as race-free */
  bool sound;                   /* the whole mapping, on all of those programs */
  bool complete;                /* not cancelled, nothing undecided */
};

struct synth; /* a search: it lives in its arena */

/* Asks the model about the families' programs. */
struct synth *synth_new(struct arena *arena, const struct synth_options *options);

/* Does the runs that are to be done here.  false: it was cancelled, or
 * something was undecided. */
bool synth_do_parts(struct synth *synth);

/* Does what is left to be done, and gives the result. */
struct synth_result synth_finish(struct synth *synth);

/* All candidates for an operation, in the order in which they are tried. */
struct mapping_cell **synth_candidates(struct arena *arena, const struct synth_options *options, struct mapping_key key,
                                       size_t *count);

/* Several operations: the candidates of one, by price; of one price, its cell as it was comes first. */
const struct mapping_cell **synth_domain(struct arena *arena, const struct synth_options *options, size_t key,
                                         size_t *count);

/* The least price of a choice that has none of the conflicts within it, and the choice, by
 * operation; -1: there is none. */
int64_t synth_least(const struct synth_options *options, const struct synth_conflict *conflicts, size_t count,
                    struct arena *arena, const struct mapping_cell **choice);

/* Is a conflict one? */
bool synth_is_conflict(const struct synth_options *options, const struct synth_conflict *conflict);

/* Is the mapping refuted by a program, in a write-back order? */
bool synth_refutes(const struct synth_options *options, const struct mapping *mapping,
                   const struct small_program *program, unsigned order);

#endif
