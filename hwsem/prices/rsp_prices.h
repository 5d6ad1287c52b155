/* SPDX-License-Identifier: MIT */
/* The timed GPU: what scoped synchronisation costs on a GPU whose L1 caches keep
 * their dirty addresses in a FIFO (Orr et al., ASPLOS 2015).
 *
 * `n` compute units, each with one L1, share an L2 whose one port moves a
 * line a cycle.  An instruction is a function from its start time to its
 * completion time that updates the FIFOs and the port; an operation (a cell of
 * a compiler mapping) is a sequence of instructions, and its price is what the
 * sequence takes.  Times are integer cycles; there is no randomness.
 */
#ifndef LITSCOPE_HWSEM_PRICES_RSP_PRICES_H
#define LITSCOPE_HWSEM_PRICES_RSP_PRICES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "checker/base/arena.h"

/* Parameters, by the names of the machine description (mappings/timing-rsp.xml). */
struct rsp_parameters {
  int64_t n;   /* compute units */
  int64_t l1;  /* L1 access */
  int64_t net; /* one-way message between an L1 and the L2, or between two compute units */
  int64_t pop; /* per FIFO entry that leaves */
  int64_t inv; /* flash invalidation */
  int64_t alu; /* the operation of a read-modify-write */
  int64_t F;   /* FIFO capacity, entries */
};

struct rsp_cu {
  int64_t q;    /* FIFO entries */
  int64_t d;    /* those whose line is still dirty, d <= q: they are popped first and must write a line */
  bool line;    /* the synchronisation variable is valid in this L1 */
  int64_t warm; /* re-used lines of the running work that are valid in this L1 (rsp_steal) */
};

struct rsp_machine {
  struct rsp_parameters p;
  struct rsp_cu *cus;
  int64_t port; /* when the L2 port is next free */
};

/* The instructions of the timed GPU.  RSP_POSTED_INV_DV goes on while the
 * invalidations travel; the lock around it is held until their acknowledgements
 * are back. */
enum rsp_instr {
  RSP_LD,
  RSP_ST,
  RSP_ST_L2,
  RSP_INC_L1,
  RSP_INC_L2,
  RSP_FLU_WG,
  RSP_FLU_DV,
  RSP_INV_WG,
  RSP_INV_DV,
  RSP_POSTED_INV_DV,
  RSP_LK,
  RSP_UNLK
};

/* One operation of a mapping as instructions.  Neighbouring locks cost one
 * round trip together, and so do neighbouring unlocks: a sequence holds at most
 * one RSP_LK or RSP_UNLK in a row. */
struct rsp_sequence {
  const enum rsp_instr *at;
  size_t count;
};

struct rsp_price {
  int64_t latency; /* the issuer's start to the end of its last instruction */
  int64_t hold;    /* the first grant of a lock to the last release; meaningful when `locked` */
  bool locked;
};

/* A machine with all FIFOs empty, all caches without the variable, port idle. */
struct rsp_machine rsp_machine_new(struct arena *arena, const struct rsp_parameters *parameters);

/* How long an instruction takes that neither reads nor writes memory, on a machine of so many compute units. */
int64_t rsp_wait(const struct rsp_parameters *parameters, enum rsp_instr instr, int64_t units);

/* Runs one instruction of compute unit `cu` from time `start`; returns its
 * completion time. */
int64_t rsp_execute(struct rsp_machine *machine, int64_t cu, enum rsp_instr instr, int64_t start);

/* Reserves the L2 port for a burst of `lines` that reaches it at `at`; returns
 * the time at which the first line is served.  Bursts are never split. */
int64_t rsp_reserve(struct rsp_machine *machine, int64_t at, int64_t lines);

/* An access that is performed at the L2, by a compute unit, from `start`: leaves every L1 as it is. */
int64_t rsp_access_l2(struct rsp_machine *machine, int64_t start);

/* Pushes a dirty line; returns the cycles of back-pressure, 0 when there is room. */
int64_t rsp_push(struct rsp_machine *machine, int64_t cu);

/* Runs a sequence on the first compute unit, and prices it. */
struct rsp_price rsp_price_sequence(struct rsp_machine *machine, struct rsp_sequence sequence);

#endif
