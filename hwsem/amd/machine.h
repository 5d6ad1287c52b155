/* SPDX-License-Identifier: MIT */
/* The machine that code for AMD GPUs runs on: waves in order; below them a
 * cache for each compute unit (L0), on some GPUs one for each shader array
 * (GL1), and one L2 or several in front of memory.
 *
 * A memory operation is a request: it joins the queue of its compute unit and
 * location, and is served at some time; requests to different locations
 * overtake each other.  A wait instruction goes on when its counters say that
 * few enough operations of the wave are outstanding.  Loads that hit in L0 take
 * what is there, however old; invalidates drop lines.  Local memory has a queue
 * for each wave.  Lines are fetched, and clean ones evicted, at any time.
 *
 * hwsem/amd/README.md has the rules, and which of them are documented.
 */
#ifndef LITSCOPE_HWSEM_AMD_MACHINE_H
#define LITSCOPE_HWSEM_AMD_MACHINE_H

#include "hwsem/amd/unfold_assembly.h"
#include "hwsem/machine.h"
#include "hwsem/machines/knobs.h"

enum amd_place {
  AMD_FAR,   /* work-groups on different shader arrays; where waves may be split, each on a compute unit of its own */
  AMD_NEAR,  /* all on one shader array */
  AMD_ONE,   /* all on one compute unit, where the mode does not split work-groups */
  AMD_PACKED /* as far, but the waves of a work-group always share a compute unit */
};

/* What documentation leaves open, and what is tried out: X(member, name, words,
 * default, meaning).  A word's position is the knob's value. */
#define AMD_KNOB_LIST(X)                                                                                      \
  X(place, "place", "far near one packed", 0, "where work-groups run")                                        \
  X(update, "upd", "0 1", 0, "a store that hits in L0: 0 drops the line, 1 writes it in place, seen at once") \
  X(write_back, "wb", "1 2", 0, "a write-back of the only L2: 1 does nothing, 2 waits like one of several")   \
  X(l2, "l2", "1 2", 0, "how many L2s an agent has; work-groups take them in turn")                           \
  X(fill, "fill", "0 1", 1, "lines are fetched at any time")                                                  \
  X(reduce, "reduce", "0 1", 1, "waits fire as soon as they can, and lines that nobody can read are absent")

struct amd_knobs {
#define AMD_KNOB_MEMBER(member, name, words, initial, meaning) unsigned member;
  AMD_KNOB_LIST(AMD_KNOB_MEMBER)
#undef AMD_KNOB_MEMBER
};

/* As the list says. */
struct amd_knobs amd_knobs_default(void);

extern const struct knobs amd_knob_table;

/* A program for the machine. */
struct amd_thread {
  const char *name;
  unsigned wg;
  const struct amd_tree *tree;
};

struct amd_program {
  const struct amd_target *target;
  const struct amd_thread *threads;
  unsigned thread_count;
  const struct location *locations;
  unsigned location_count;
};

/* What is observed: the i-th watch of a thread, or a location (thread -1). */
struct amd_observable {
  int thread;
  unsigned index;
};
struct amd_observables {
  const struct amd_observable *at;
  unsigned count;
};

/* Unfolds a thread, by its number, with facts taken for true; NULL: a diagnostic was added. */
typedef const struct amd_tree *amd_unfold_thread(void *context, unsigned thread, struct amd_facts facts);

/* Fills in the threads of a machine's program, whose target and locations are there.  They are unfolded one after the
 * other, and all of them again while what was taken for true does not hold: at first that nothing changes and all are
 * counters.  What holds of all steps that the trees have holds of all runs, as each step is one of theirs. */
bool amd_program_unfold(struct arena *arena, const struct program *program, amd_unfold_thread *unfold, void *context,
                        struct amd_program *code);

/* Builds the machine.  After the observables it shows one more value: 0, or the
 * run's first hazard (amd_hazard), negative where a hazard ended the run.  On failure (too many threads, several
 * L2s where the target has none) adds a diagnostic and returns false. */
bool amd_machine(struct arena *arena, const struct amd_program *program, const struct amd_knobs *knobs,
                 struct amd_observables observables, struct machine *machine, struct diags *diags);

/* The node of a hazard, from the value observed last. */
const struct amd_node *amd_hazard(const struct machine *machine, int64_t value, unsigned *thread);

#endif
