/* SPDX-License-Identifier: MIT */
/* The rings: mutexes that guard atomic data, their tables spread over rings of
 * mesh nodes (FEAR, Franey and Lipasti).
 *
 * Every mutex belongs to one ring of `k` members; all members keep the same
 * table and a talking stick, which visits one member a cycle, says who may
 * change it.  Changes travel on busy wires.  k = 1 is a directory of owners
 * (AtomDir), k = all nodes one big ring (AtomNaive).
 *
 * Two views of it live here, an analytic one (distances and the wait for the
 * stick) and a cycle-by-cycle simulation; the protocol without time is a
 * machine for the explorer (machines/fear.h).
 */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_H
#define LITSCOPE_HWSEM_TIMING_FEAR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"
#include "hwsem/timing/limit.h"

/* How nodes are put on rings: rows cuts the nodes, in reading order, into runs
 * of k; a lattice of a x b spreads a ring's members evenly over the mesh. */
enum fear_layout { FEAR_ROWS, FEAR_LATTICE };

enum fear_workload { FEAR_PRIV, FEAR_MIX, FEAR_MIG, FEAR_RND, FEAR_HOT, FEAR_WORKLOAD_COUNT };

extern const char *const fear_workload_names[FEAR_WORKLOAD_COUNT + 1]; /* ends in NULL */

/* Parameters, by the names of the machine description (mappings/timing-fear.xml). */
struct fear_parameters {
  int64_t W;      /* side of the mesh */
  int64_t hop;    /* cycles a hop */
  int64_t layout; /* enum fear_layout */
  int64_t k;      /* members of a ring */
  int64_t a;      /* lattice: columns; 0: the best */
  int64_t B;      /* busy wires of a ring */
  int64_t M;      /* mutexes */
  int64_t u;      /* cycles a member that an update takes */
  int64_t L1, L2, ALU;
  int64_t Z;    /* a node's pause between operations */
  int64_t E;    /* length of an epoch */
  int64_t LUT;  /* entries of a requester's lookup table */
  int64_t spec; /* speculative fetches? */
  int64_t ops;  /* operations of a node */
};

/* Where a node is. */
struct fear_spot {
  int32_t x, y;
};

/* A mesh cut into rings. */
struct fear_rings {
  int64_t W, nodes, k, count;
  int64_t a, b;           /* lattice */
  int64_t *member;        /* member[ring * k + j]: a node; in the order of the stick */
  struct fear_spot *spot; /* by node */
};

/* The rings of a layout; a = 0 takes the lattice with the least transport.
 * `k` must divide W * W.  Returns false where the layout does not exist. */
bool fear_rings_new(struct arena *arena, int64_t W, enum fear_layout layout, int64_t k, int64_t a,
                    struct fear_rings *rings);

/* Index in a ring of the member nearest to a node; the first of several. */
int64_t fear_nearest(const struct fear_rings *rings, int64_t ring, int64_t node);

/* Hops there and back to the nearest member, summed over all pairs of a node
 * and a ring: the mean over nodes * count pairs is the transport. */
int64_t fear_transport(const struct fear_rings *rings);

/* Latency with an idle machine, summed over nodes, rings and phases of the
 * stick: 2d + the wait for the stick at the member, at `hop` cycles a hop. */
int64_t fear_uncontended(const struct fear_rings *rings, int64_t hop);

struct fear_result {
  int64_t end;
  int64_t acquisition; /* sum of the latencies to the grant; 0 in memside */
  int64_t latency;     /* sum of the latencies of the operations */
  int64_t cached, speculative, fetched;
  int64_t events; /* arrivals, operations begun, and what holders of a stick did; not of fear_mesh */
};

/* Runs a workload on the rings of the parameters.  Once the limit is met, nothing
 * in the result counts. */
struct fear_result fear_simulate(const struct fear_parameters *parameters, const struct fear_rings *rings,
                                 enum fear_workload workload, struct cost_limit *limit);

/* The baseline: every operation is done at the L2 slice of its address. */
struct fear_result fear_simulate_memside(const struct fear_parameters *parameters, enum fear_workload workload,
                                         struct cost_limit *limit);

#endif
