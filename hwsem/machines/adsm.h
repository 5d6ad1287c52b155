/* SPDX-License-Identifier: MIT */
/* The three coherence protocols of ADSM as machines: batch-, lazy- and
 * rolling-update.
 *
 * One host and its accelerators have a memory each; an object lies in that of one
 * accelerator, and the kernels that use it run there.  A shared object is kept in
 * units: the whole object (batch, lazy) or its blocks (rolling).  Every unit has
 * a host copy, a device copy and a state that says which of them is valid; host
 * accesses, calls and syncs move states along the edges of one table.  The
 * accelerators only run kernels on the device copies, those of one host thread on one
 * accelerator in call order.  Of a call that says what its kernel writes (section 4.3), the
 * other objects stay valid on the host.
 *
 * Source: Gelado and others, "An Asymmetric Distributed Shared Memory Model for
 * Heterogeneous Parallel Systems", ASPLOS 2010, section 4.3 and Figure 6.
 */
#ifndef LITSCOPE_HWSEM_MACHINES_ADSM_H
#define LITSCOPE_HWSEM_MACHINES_ADSM_H

#include "hwsem/machine_with_mapping.h"
#include "hwsem/xml_folders.h"

enum adsm_protocol { ADSM_BATCH, ADSM_LAZY, ADSM_ROLLING, ADSM_PROTOCOLS };

const char *adsm_protocol_name(enum adsm_protocol protocol); /* "batch", "lazy", "rolling" */

/* ---- The protocols ------------------------------------------------------- */

/* Which copy of a unit is valid: the device's, both, or the host's.  A unit of
 * an object that is not allocated is absent: nobody keeps it coherent. */
enum adsm_state { ADSM_ABSENT, ADSM_INVALID, ADSM_READ_ONLY, ADSM_DIRTY, ADSM_STATES };

/* FLUSH: the accelerator is about to read the unit, or to write a part of it,
 * for a memset or memcpy; COVER: it has written it. */
enum adsm_event { ADSM_READ, ADSM_WRITE, ADSM_CALL, ADSM_SYNC, ADSM_EVICT, ADSM_FLUSH, ADSM_COVER, ADSM_EVENTS };

/* What moves: nothing, host to device, device to host. */
enum adsm_transfer { ADSM_STAY, ADSM_UP, ADSM_DOWN };

struct adsm_edge {
  enum adsm_state next;
  enum adsm_transfer transfer;
  bool fault; /* the host's access is caught by page protection */
};

/* The edge that an event takes a unit along. */
struct adsm_edge adsm_edge(enum adsm_protocol protocol, enum adsm_state state, enum adsm_event event);

/* The edge along a call whose kernel only reads the unit (section 4.3): what is dirty goes up, and the host's copy
 * stays valid.  Where accesses are not detected it may be written again at any time. */
struct adsm_edge adsm_lent_edge(enum adsm_protocol protocol, enum adsm_state state);

/* A unit's state when its object is allocated. */
enum adsm_state adsm_initial_state(enum adsm_protocol protocol);

/* ---- The machines -------------------------------------------------------- */

struct adsm_machine_options {
  enum adsm_protocol protocol;
  unsigned block;   /* rolling: cells a block, at least 1 */
  unsigned rolling; /* rolling: most dirty blocks; 0: `per_object` times the number of objects */
  unsigned per_object;
  unsigned max_objects; /* 0: no limit */
  bool count;           /* count traffic in the state: three more observables */
};

/* Beyond the observables asked for, when `count` is set. */
enum adsm_counter { ADSM_CELLS_UP, ADSM_CELLS_DOWN, ADSM_FAULTS, ADSM_COUNTERS };

/* The machine that runs a program under a protocol.  It observes `observables`
 * (registers of host threads; cells, as their valid copies) and then, when
 * counting, the counters.  On a program that is not ADSM's or too large adds
 * diagnostics and returns NULL.  Lives in `arena`. */
struct machine *adsm_machine_new(struct arena *arena, const struct program *program,
                                 const struct observable *observables, unsigned observable_count,
                                 const struct adsm_machine_options *options, struct diags *diags);

/* The kind (machines/kinds.h): its settings are struct adsm_machine_options. */
extern const struct machine_kind adsm_kind;

/* What holds of every state while one host runs a legal program, and makes the
 * protocols right:
 *   batch    every unit is dirty or invalid, while a call is pending invalid;
 *   lazy, rolling
 *            while a call is pending all units are invalid and nothing is being
 *            uploaded; a read-only unit has equal copies once it is uploaded;
 *   rolling  the queue holds the dirty blocks, each once, and not too many.
 * (Objects that are not allocated or not assigned to the kernel aside.)  Returns
 * NULL, or what does not hold. */
const char *adsm_broken_invariant(const struct machine *m, const void *state);

/* The instruction that a step of the machine executes; NULL: an upload ends. */
const struct instr *adsm_step_instr(const struct program *program, struct step step);

/* Units into which the machine cuts the program's shared objects. */
unsigned adsm_machine_units(const struct machine *m);

/* Receives the edges that a step takes units along, with a unit's cells. */
struct adsm_visitor {
  void (*visit)(void *context, struct adsm_edge edge, enum adsm_event event, unsigned cells);
  void *context;
};

/* Shows what a step of an ADSM machine, from state `before`, moves. */
void adsm_visit_step(const struct machine *m, struct step step, const void *before, const struct adsm_visitor *visitor);

#endif
