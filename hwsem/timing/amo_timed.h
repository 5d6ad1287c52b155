/* SPDX-License-Identifier: MIT */
/* The mesh of atomics: near and far atomic memory operations over a CHI-like protocol
 * (DynAMO, Soria-Pardos et al., ISCA 2023).
 *
 * 32 request nodes (a core, an L1 and a private L2 each) and 32 home nodes (a
 * directory and a slice of the last-level cache each) share an 8x8 mesh.  An
 * atomic operation is performed near, in the own L1, or far, at the line's home;
 * a placement policy decides.  The machine is a discrete-event simulation whose
 * result does not depend on the order of simultaneous equal events.
 */
#ifndef LITSCOPE_HWSEM_TIMING_AMO_TIMED_H
#define LITSCOPE_HWSEM_TIMING_AMO_TIMED_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"
#include "hwsem/timing/simulation_limit.h"
#include "hwsem/workloads/workload.h"

enum { AMO_NODES = 32 };

/* Parameters, by the names of the machine description (mappings/timing-amo.xml). */
struct amo_parameters {
  int64_t hop, l1, l2, llc;
  int64_t l1sets, l1ways, l2sets, l2ways;
  int64_t dir, buf, hb, alu, wr, ldx;
  int64_t iss, win, early, spin;
  int64_t amt, amtways, confmax; /* predictor table; limit of the reuse confidence */
  int64_t mth, mdecay, mmax;     /* Metric */
  int64_t fr;                    /* Reuse */
  /* Programs only; 0 in the views without memory. */
  int64_t llcsets, llcways; /* of a home's slice of the last-level cache; 0 sets: it holds everything */
  int64_t mem;              /* memory access beyond it */
  int64_t near;             /* AMO_TABLE: bit s is set where an operation in state s is near (enum amo_state) */
};

/* A line in a private cache; AMO_I also where the line is only in the other of
 * the two caches. */
enum amo_state { AMO_I, AMO_SD, AMO_SC, AMO_UC, AMO_UD };
enum amo_place { AMO_IN_L1, AMO_IN_L2 };

enum amo_policy {
  AMO_ALL_NEAR,
  AMO_UNIQUE_NEAR,
  AMO_PRESENT_NEAR,
  AMO_DIRTY_NEAR,
  AMO_SHARED_FAR,
  AMO_ALL_FAR,
  AMO_METRIC,
  AMO_REUSE_UN,
  AMO_REUSE_PN,
  AMO_POLICY_COUNT,
  AMO_TABLE = AMO_POLICY_COUNT /* a static policy of the user's: amo_parameters.near */
};

/* Does it decide by what it has seen, in a table that predicts? */
static inline bool amo_policy_predicts(enum amo_policy policy) {
  return policy == AMO_METRIC || policy == AMO_REUSE_UN || policy == AMO_REUSE_PN;
}

extern const char *const amo_policy_names[AMO_POLICY_COUNT + 1]; /* ends in NULL */

/* What a core executes. */
enum amo_op {
  AMO_COMPUTE, /* `value` cycles */
  AMO_SIGNAL,  /* the global turn goes up by one */
  AMO_WAIT,    /* until the turn is at least `value` */
  AMO_SPIN,    /* reads `line` until the turn is at least `value` */
  AMO_LOAD,
  AMO_STORE,
  AMO_FETCH,  /* atomic operation that returns the old value: AtomicLoad */
  AMO_UPDATE, /* atomic operation without a result: AtomicStore */
  AMO_LOOP    /* back to the first instruction */
};

struct amo_instr {
  enum amo_op op;
  int32_t line;
  int64_t value;
};

struct amo_result {
  int64_t finish;    /* the last core's */
  int64_t near, far; /* atomic operations by place */
  int64_t performed; /* atomic operations performed by the time limit */
  /* What moves, for programs: hops of messages without and with a line, lines from memory. */
  int64_t events, control_hops, data_hops, memory_lines;
  bool stuck; /* threads wait for ever */
};

struct amo_machine;

/* A machine in which every line is in the last-level cache only.  Lives in `arena`. */
struct amo_machine *amo_machine_new(struct arena *arena, const struct amo_parameters *parameters,
                                    enum amo_policy policy);

/* Puts a line into a private cache in a state, or into its home's AMO buffer. */
void amo_place_line(struct amo_machine *machine, int node, int64_t line, enum amo_state state, enum amo_place place);
void amo_buffer_line(struct amo_machine *machine, int64_t line);

/* Gives a core its program, which must stay in memory. */
void amo_set_program(struct amo_machine *machine, int node, const struct amo_instr *instrs, size_t count);

/* Lets core i run thread i of a work, which must stay in memory, for all of its
 * threads (at most AMO_NODES).  Vector accesses are done lane by lane; a barrier
 * takes no time of its own.  Read-modify-writes whose old value nobody wants are
 * AtomicStores, the others AtomicLoads.  Operations with a scope wait for the
 * core's outstanding ones. */
void amo_set_work(struct amo_machine *machine, struct work *work);

/* Runs until every core has finished or, with `until` >= 0, up to that time.  Once
 * the limit is met, nothing in the result counts. */
struct amo_result amo_run(struct amo_machine *machine, int64_t until, struct cost_limit *limit);

#endif
