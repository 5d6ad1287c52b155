/* SPDX-License-Identifier: MIT */
/* Every small ADSM program under every protocol: how strong must ownership be?
 *
 * The programs are all sequences of a few operations over three shared objects
 * (x has two cells, y and z one) and two kernels,
 *
 *     x[0]=n  x[1]=n  y=n  z=n     r=x[0]  r=x[1]  r=y  r=z     sync
 *     call k { y = x[0] + 10; }    call l { x[1] = y + 20; }
 *
 * with at least one read and one call, where n numbers the operations from 1.
 * A program that keeps an ownership rule has one outcome, that of running every
 * kernel at its call; a protocol deviates on it when some run ends otherwise.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_ADSM_SWEEP_H
#define LITSCOPE_HWSEM_MACHINES_ADSM_SWEEP_H

#include "checker/base/limit.h"
#include "checker/base/parts.h"
#include "hwsem/explore.h"
#include "hwsem/machines/adsm.h"

/* What the host may access while calls are pending, from the strictest rule to
 * the weakest: nothing shared; objects that the kernels do not touch; objects
 * that neither side writes; cells that neither side writes.  The words are the
 * variants of models/adsm.cat. */
enum adsm_rule { ADSM_OWN, ADSM_OBJ_ANY, ADSM_OBJ_CONF, ADSM_BYTE, ADSM_RULES };

const char *adsm_rule_name(enum adsm_rule rule); /* "own", "obj-any", "obj-conf", "byte" */

enum { ADSM_SWEEP_MOST = 7 };

/* One program: `operations` of them, written in base eleven in `number`. */
struct adsm_sweep_id {
  unsigned operations;
  uint64_t number;
};

/* How many programs of so many operations there are, those without a read or a
 * call among them. */
uint64_t adsm_sweep_count(unsigned operations);

/* A program as the machines run it, with its registers as observables (the
 * reads, in order) and its one legal outcome. */
struct adsm_sweep_program {
  bool counted; /* has a read and a call */
  struct program *program;
  unsigned observable_count;
  struct observable *observables;
  int64_t *outcome;
  bool legal[ADSM_RULES];
};

struct adsm_sweep_program *adsm_sweep_program(struct arena *arena, struct adsm_sweep_id id);

/* Writes `call l; x[0]=2; sync; r1=x[1]`. */
void adsm_sweep_print(struct adsm_sweep_id id, FILE *out);

struct adsm_sweep_options {
  unsigned operations; /* 1 .. ADSM_SWEEP_MOST */
  const struct adsm_machine_options *machines;
  unsigned machine_count;
  const atomic_int *cancel; /* becomes non-zero to stop soon; NULL: never */
};

struct adsm_sweep_cell {
  uint64_t deviating;            /* legal programs of that many operations */
  struct adsm_sweep_id shortest; /* of up to that many operations; operations 0: none */
};

struct adsm_sweep {
  uint64_t programs; /* with a read and a call */
  uint64_t legal[ADSM_RULES];
  struct adsm_sweep_cell *cells; /* by rule, then machine: cells[rule * machine_count + machine] */
  bool complete;
};

/* Runs the sweep in parts, each a run of programs of one length.  Does what is to be done here, by
 * so many threads.  false: it was cancelled. */
bool adsm_sweep_run(struct parts *parts, const struct adsm_sweep_options *options, unsigned workers);

/* Sums up all parts; the sum is complete where they are all there. */
struct adsm_sweep *adsm_sweep_sum(struct arena *arena, struct parts *parts, const struct adsm_sweep_options *options);

/* The first of `outcomes` that is not the program's legal one; -1: none. */
int adsm_sweep_deviation(const struct adsm_sweep_program *program, const struct exploration *result);

#endif
