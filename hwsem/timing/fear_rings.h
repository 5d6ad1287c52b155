/* SPDX-License-Identifier: MIT */
/* The rings: mutexes that guard atomic data, their tables spread over rings of
 * mesh nodes (FEAR, Franey and Lipasti, sections II and III).
 *
 * Every mutex belongs to one ring of `k` members; all members keep the same
 * table and a talking stick, which visits one member a cycle, says who may
 * change it.  Changes travel on busy wires.  k = 1 is a directory of owners
 * (AtomDir), k = all nodes one big ring (AtomNaive).
 *
 * Here are their places and distances, and the wait for the stick where nothing is under way;
 * fear_mesh.h simulates them, and the protocol without time is a machine for the explorer
 * (machines/fear.h).
 */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_RINGS_H
#define LITSCOPE_HWSEM_TIMING_FEAR_RINGS_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/arena.h"

/* How nodes are put on rings: rows cuts the nodes, in reading order, into runs
 * of k; a lattice of a x b spreads a ring's members evenly over the mesh. */
enum fear_layout { FEAR_ROWS, FEAR_LATTICE };

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

int64_t fear_hops(const struct fear_rings *rings, int64_t from, int64_t to);

/* Index in a ring of the member nearest to a node; the first of several. */
int64_t fear_nearest(const struct fear_rings *rings, int64_t ring, int64_t node);

/* Hops there and back to the nearest member, summed over all pairs of a node
 * and a ring: the mean over nodes * count pairs is the transport. */
int64_t fear_transport(const struct fear_rings *rings);

/* Latency with an idle machine, summed over nodes, rings and phases of the
 * stick: 2d + the wait for the stick at the member, at `hop` cycles a hop. */
int64_t fear_uncontended(const struct fear_rings *rings, int64_t hop);

/* What to believe of views of rings alone: the end of their help. */
#define FEAR_RINGS_BELIEVE                                                                             \
  "What to believe: the paper's text gives two latencies that can be checked, 7.5 and 5 (4x4 mesh);\n" \
  "L1, L2, Z, E and the placement of L2 slices are chosen, as Table I gives none of them, and the\n"   \
  "numbers of its Figure 3 are not in the text. The network is not congested. Power and area\n"        \
  "(Tables III and IV) are not modelled.\n"

#endif
