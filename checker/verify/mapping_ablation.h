/* SPDX-License-Identifier: MIT */
/* Is every step of a mapping needed?  Each cell of device and system scope is
 * changed in one way at a time (a step left out, two exchanged, a target
 * narrowed, a lock dropped or released early, the access moved to an end) and
 * the changed mapping is tried on a core of targeted programs: message passing
 * with a guard, with and without an earlier store to the flag, and reads,
 * writes and read-modify-writes of one location.
 */
#ifndef LITSCOPE_VERIFY_MAPPING_ABLATION_H
#define LITSCOPE_VERIFY_MAPPING_ABLATION_H

#include "checker/base/parts.h"
#include "checker/small_programs/small_program.h"
#include "checker/verify/verify_test.h"
#include "hwsem/mapping.h"

/* One change and what comes of it. */
struct ablation {
  struct mapping_key key;          /* the operation whose cell is changed */
  const char *change;              /* in words: `without the 2nd INV_L1 DV` */
  const struct mapping_cell *cell; /* changed */
  uint64_t race_free;              /* programs of the core that use the cell and are race-free */
  uint64_t unsound[2];             /* of those, with write-back in order, in any order */
  uint64_t stuck[2];               /* of those, with a deadlock and nothing worse */
  uint64_t undecided;
  struct small_program smallest[2]; /* of those unsound or stuck */
  bool found[2];
};

struct ablate_options {
  struct verify_options verify;
  unsigned workers;
};

struct ablate_result {
  struct ablation *at; /* by cell, then by change */
  size_t count;
  uint64_t programs, race_free; /* the core */
  uint64_t model_undecided;     /* of the core: a limit was reached on the model's side, so that they were not tried */
  double seconds;               /* what the parts took together */
  bool stopped;                 /* set by who stopped it */
};

/* Several targets in parts, a change each; the targets are GPUs', with mappings, and their write-back order is not
 * used.  Does what is to be done here.  false: it was cancelled. */
bool ablate_run(struct parts *parts, const struct target *targets, size_t target_count, const struct cat_model *model,
                const struct ablate_options *options);

/* Sums up a target's parts; a change whose part is not there is undecided.  Lives in `arena`. */
struct ablate_result ablate_sum(struct arena *arena, struct parts *parts, const struct target *targets, size_t target);

#endif
