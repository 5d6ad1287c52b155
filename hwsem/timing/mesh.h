/* SPDX-License-Identifier: MIT */
/* A mesh of routers with contention, cycle by cycle: dimension-ordered routes,
 * a buffer for each input and class of messages, links that carry one flit a cycle,
 * classes by priority, round-robin among inputs (Dally and Towles, "Principles and
 * practices of interconnection networks", chapters 12 to 17; virtual cut-through).
 */
#ifndef LITSCOPE_HWSEM_TIMING_MESH_H
#define LITSCOPE_HWSEM_TIMING_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/arena.h"

enum { MESH_CLASSES = 2 };

/* What travels.  `kind` and `payload` are the sender's. */
struct mesh_message {
  int from, to;
  int class; /* the higher, the more urgent */
  int flits; /* cycles that it takes a link */
  int kind;
  int64_t payload;
};

struct mesh_counts {
  int64_t messages, hops;
  int64_t flit_hops; /* every flit counts */
  int64_t cycles;    /* sum over messages, from sending to the last flit's arrival */
  int64_t unloaded;  /* what that would be in an empty network */
};

struct mesh;

/* `buffer`: messages in a buffer.  What a node sends waits in a queue without bound. */
struct mesh *mesh_new(struct arena *arena, int side, int buffer);

/* Sends a message, whose kind and payload the sender fills in. */
struct mesh_message *mesh_send(struct mesh *mesh, int from, int to, int class, int flits, int64_t now);

/* Is no message under way? */
bool mesh_is_empty(const struct mesh *mesh);

/* One cycle of the network, of which none is left out while a message is under way: calls
 * arrive(context, message) for those whose last flit comes now. */
void mesh_step(struct mesh *mesh, int64_t now, void (*arrive)(void *context, const struct mesh_message *message),
               void *context);

struct mesh_counts mesh_counts(const struct mesh *mesh);

#endif
