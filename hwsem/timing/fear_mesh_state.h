/* SPDX-License-Identifier: MIT */
/* FEAR's mesh from within: what fear_mesh_build.c lays out and fear_mesh.c runs. */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_MESH_STATE_H
#define LITSCOPE_HWSEM_TIMING_FEAR_MESH_STATE_H

#include "hwsem/timing/calendar_queue.h"
#include "hwsem/timing/fear_mesh.h"
#include "hwsem/timing/fear_mutex_tables.h"
#include "hwsem/timing/fear_threads.h"

enum kind { REQUEST, GRANT, SPEC, FETCH, DATA, SPEC_DATA, WRITE_BACK, RELEASE, UPDATE, ATOMIC, REPLY, LINE, KINDS };

/* What is set for a time: a core issues; a slice has done an access; a core performs; without
 * contention, a message arrives. */
enum event_kind { SLICE_DONE, PERFORM, ISSUE, ARRIVE };

struct operation {
  int64_t issued;
  int32_t address, mutex;
  int32_t wire;        /* [ring * B + wire] */
  int32_t core, slice; /* nodes */
  int32_t asked, told; /* [ring * k + member]: the members of the mutex's ring that are nearest to them */
  struct fear_value value;
  bool same, mature, has_spec, waits_spec; /* has_spec: its speculative data came */
  bool plain, reads;                       /* a program's load or store, at the slice; a load */
  enum kind from : 8;                      /* its data: the own write-back, a speculative fetch or another */
};

struct way {
  int64_t line, used; /* line: 1 + address; 0: empty */
  int32_t value;      /* of a program's word */
};

struct core {
  int64_t issued;
  int32_t *lookup;            /* 1 + address, by entry; 0: empty */
  struct way *ways, *touched; /* touched: of the operation under way */
};

struct fear_run {
  struct arena *arena;
  const struct fear_mesh_parameters *p;
  const struct fear_rings *rings;
  struct cost_limit *limit;
  struct mesh *mesh;
  struct event_queue events;
  int64_t now, cores;
  int64_t served;                       /* when the sticks were last, or NEVER */
  int64_t entries;                      /* of a lookup table, as far as mutexes come */
  int64_t stride;                       /* of addresses over slices, where every node has one */
  int64_t turn;                         /* of the network: the last cycle that has begun */
  int class_of[KINDS], flits_of[KINDS]; /* messages */
  int *core_node, *slice_node;          /* nodes of cores, of slices */
  struct operation *operations;
  int64_t planned, room;     /* operations, and room for them, of a program */
  struct fear_threads *work; /* NULL: operations are those of a pattern */
  struct core *core;         /* by number */
  int *core_at;              /* by node: its core's number, or NEVER */
  struct fear_mutex_tables tables;
  int *nearest;       /* [node * rings + ring]: a member of the ring: [ring * k + member] */
  int *behind;        /* by node: the next member of its ring */
  int64_t *port_free; /* by slice */
  int64_t *line_free; /* by address: of operations at the L2 */
  int64_t done;
  struct fear_result result;
};

/* Nodes, members, tables and wires for `operations` that are known, on `addresses`. */
void fear_mesh_prepare(struct fear_run *run, size_t operations, size_t addresses);

/* How many addresses a pattern has; all operations of one. */
int64_t fear_mesh_addresses(const struct fear_mesh_parameters *parameters, enum fear_sharing sharing, int64_t cores);
void fear_mesh_plan(struct fear_run *run, enum fear_sharing sharing);

/* Makes `operation` one of a core on an address: its mutex, slice and members. */
void fear_mesh_aim(const struct fear_run *run, struct operation *operation, int64_t core, int64_t address);

#endif
