/* SPDX-License-Identifier: MIT */
/* FEAR on a mesh, with contention (mesh.h), as in the paper's Table I, or without.
 *
 * Cores and nodes that only answer, which hold the slices of the L2; or else every node
 * is a core and has a slice.  All nodes are members of rings.  Requests, grants, speculative and other fetches, data,
 * write-backs with their releases, and updates from member to member are messages;
 * a busy wire is asserted until its update is back.  Requests and fetches are of the
 * less urgent class.  Without contention, a message takes its time for each hop, and
 * an update that for each member, and there are no such messages.  memside does every operation at its slice.
 *
 * Source: Franey and Lipasti, "FEAR", sections III and IV.
 */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_MESH_H
#define LITSCOPE_HWSEM_TIMING_FEAR_MESH_H

#include "hwsem/timing/fear_rings.h"
#include "hwsem/timing/mesh.h"
#include "hwsem/timing/simulation_limit.h"
#include "hwsem/workloads/workload.h"

/* Which addresses the cores' operations have: stand-ins for the programs of the
 * paper's Table II, by what the paper says of them. */
enum fear_sharing {
  FEAR_CELLS,  /* fluidanimate: a core's own cells, one in four at the border with its neighbour */
  FEAR_QUEUE,  /* hypercolumn: an index into one queue */
  FEAR_SWAPS,  /* canneal: random elements, far more than tables hold */
  FEAR_BINS,   /* GPUSort: a core's own bins */
  FEAR_BLOCKS, /* threadFenceReduction: one counter of blocks that have ended */
  /* No program's. */
  FEAR_PRIV, /* a core's own lines */
  FEAR_MIX,  /* the same, but for one in eight, which all share */
  FEAR_MIG,  /* lines that go from core to core */
  FEAR_RND,  /* random lines, few */
  FEAR_HOT,  /* one line */
  FEAR_SHARINGS
};

/* Parameters, by the names of the machine descriptions (mappings/timing-fear-mesh.xml, timing-fear.xml). */
struct fear_mesh_parameters {
  int64_t W;       /* side of the mesh */
  int64_t ideal;   /* no contention ... */
  int64_t hop;     /* ... but so many cycles a hop */
  int64_t mems;    /* nodes that only answer; 0: every node is a core and answers */
  int64_t period;  /* cycles of a core in one of the network */
  int64_t classes; /* 1: all messages are alike */
  int64_t buffer;  /* messages in a buffer */
  int64_t data;    /* flits of a message with data */
  int64_t layout;  /* enum fear_layout */
  int64_t k;       /* members of a ring */
  int64_t a;       /* lattice: columns; 0: the best */
  int64_t B;       /* busy wires of a ring */
  int64_t M;       /* mutexes */
  int64_t u;       /* 0: updates take no time; ideal: cycles a member */
  int64_t L1, L2, ALU;
  int64_t Z;          /* a core's pause between operations */
  int64_t E;          /* length of an epoch */
  int64_t LUT;        /* entries of a requester's lookup table */
  int64_t spec;       /* speculative fetches? */
  int64_t ops;        /* operations of a core */
  int64_t sets, ways; /* of the L1; 0 sets: it holds everything */
  int64_t port;       /* cycles that an access takes a slice's port */
  int64_t rmw;        /* cycles that an operation at the L2 takes longer than an access */
  int64_t elements;   /* of FEAR_SWAPS */
  int64_t memside;    /* operations at the L2 */
  /* pJ: a flit over a hop, an access to an L1, a line and an operation at a slice; uW: 1024
   * entries of a node's table of mutexes, of a core's lookup table. */
  int64_t eflit, el1, el2, eatomic, pmutex, plookup;
};

/* Where the energy of a run goes, in pJ. */
struct fear_mesh_energy {
  int64_t network, caches, tables;
};

struct fear_result {
  int64_t end;
  int64_t acquisition; /* sum of the latencies to the grant; 0 in memside */
  int64_t latency;     /* sum of the latencies of the operations */
  int64_t cached, speculative, fetched;
  struct mesh_counts network; /* with contention */
  int64_t operations;         /* atomic ones */
  int64_t l1;                 /* accesses */
  int64_t lines;              /* read or written at slices */
  int64_t atomics;            /* done there */
  bool stuck;
  int64_t events; /* hops of messages, arrivals, and what cores and slices did at a time that was set */
};

/* The rings of a machine whose `k` divides W * W. */
struct fear_rings fear_mesh_rings(struct arena *arena, const struct fear_mesh_parameters *parameters);

/* `mems` must be less than W * W.  Once the limit is met, nothing in the result counts. */
struct fear_result fear_mesh_run(const struct fear_mesh_parameters *parameters, const struct fear_rings *rings,
                                 enum fear_sharing sharing, struct cost_limit *limit);

/* Runs a program to its end, a thread on each of the first cores; there are no more threads
 * than cores.  `stuck` when threads wait for ever. */
struct fear_result fear_mesh_run_work(const struct fear_mesh_parameters *parameters, const struct fear_rings *rings,
                                      struct work *work, struct cost_limit *limit);

/* The energy of a run with these parameters: what moves, caches, and FEAR's tables, which
 * take their power for as long as it lasts. */
struct fear_mesh_energy fear_mesh_energy(const struct fear_mesh_parameters *parameters,
                                         const struct fear_result *result);

#endif
