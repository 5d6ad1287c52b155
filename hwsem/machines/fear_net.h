/* SPDX-License-Identifier: MIT */
/* The mutexes of FEAR on a mesh with finite buffers, as a machine for the explorer:
 * can requests, grants, releases and updates keep each other from moving for ever?
 *
 * Routers have a buffer for each input and class of messages; messages go along x,
 * then y, and move when there is room in the next buffer.  Requests that a member
 * cannot grant wait in its queue, and where that is full, in the network, together
 * with what comes after them in the same class: a release, perhaps, for which they
 * wait.  With a class of their own for requests the others always arrive.
 *
 * Several mutexes, on several rings of members, each with a table that updates keep
 * equal.  The talking stick is left out: who may change a table is whoever finds
 * the mutex's busy wire clear, at any time.
 *
 * Source: Franey and Lipasti, "FEAR", sections II, III-D and IV-C.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_FEAR_NET_H
#define LITSCOPE_HWSEM_MACHINES_FEAR_NET_H

#include "checker/base/arena.h"
#include "hwsem/machine.h"
#include "hwsem/machines/fear.h"

enum { FEAR_NET_NODES = 9, FEAR_NET_BUFFER = 4, FEAR_NET_QUEUE = 8 };

struct fear_net_options {
  int width, height; /* of the mesh */
  int K;             /* members of a ring: divides the nodes; rings are runs of nodes in reading order */
  int classes;       /* 1: all messages in one; 2: requests in one, all others in the other */
  int buffer;        /* messages in a buffer */
  int queue;         /* requests that a member keeps */
  bool busy;         /* a table is not changed while an update of the mutex travels */
};

/* The machine.  Requester i of the program is at the i-th node from the end, and
 * takes and releases mutexes in the order of its letters; mutex m is on ring m
 * modulo their number.  Observable: 1 when two nodes have held a mutex at once.
 * Deadlocks are states that are not final and have no successor. */
struct machine *fear_net_new(struct arena *arena, const struct fear_program *program,
                             const struct fear_net_options *options);

/* NULL, or why the options make no sense for the program. */
const char *fear_net_check(const struct fear_program *program, const struct fear_net_options *options);

#endif
