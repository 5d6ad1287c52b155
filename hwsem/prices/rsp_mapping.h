/* SPDX-License-Identifier: MIT */
/* The price of compiler mappings on the timed GPU: a mapping's cells, and whole
 * compiled programs, as sequences of the machine's instructions.
 *
 * Nothing of a mapping is repeated here: what is priced are the steps that
 * `compile` prints and `verify` explores.
 */
#ifndef LITSCOPE_HWSEM_PRICES_RSP_MAPPING_H
#define LITSCOPE_HWSEM_PRICES_RSP_MAPPING_H

#include "hwsem/compile_by_mapping.h"
#include "hwsem/prices/rsp_prices.h"

/* The nine operations of the published table: acquire loads, release stores and
 * acquire-release read-modify-writes, at work-group scope, at device scope and
 * promoted. */
enum { RSP_OPERATIONS = 9 };
struct rsp_operation {
  const char *name; /* "load WG", "load DV", "load DV remote", ... */
  struct mapping_key key;
};
extern const struct rsp_operation rsp_operations[RSP_OPERATIONS];
enum { RSP_RMW_WG = 6, RSP_RMW_DV = 7, RSP_RMW_REMOTE = 8 };

/* A cell as instructions.  Returns NULL, or why the timed GPU has no price for it
 * (it has one device, and no local memory). */
const char *rsp_sequence_of_cell(struct arena *arena, const struct mapping_cell *cell, struct rsp_sequence *sequence);

/* The price of an operation issued by unit 0 when every FIFO holds what `cus`
 * says.  `hit`: the variable is valid in every L1. */
struct rsp_price rsp_price_operation(const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                                     struct rsp_sequence sequence, bool hit);

/* Over the paths through a thread: branches go both ways, a loop is gone round
 * at most once. */
struct rsp_thread_price {
  unsigned instructions; /* of the machine, on the longest path; register arithmetic and branches aside */
  int64_t least, most;   /* cycles of the cheapest and the most expensive path */
  const char *fault;     /* why there is no price, or NULL */
};

/* The price of one thread of a compiled program that has the machine to itself
 * from the start, with cold caches and FIFOs as in `cus` (of all units).
 * Meeting at a barrier takes no time of its own. */
struct rsp_thread_price rsp_price_thread(const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                                         const struct hw_program *program, unsigned thread);

/* A run of a compiled program whose instructions are named one by one, in the
 * order in which each thread does them.  As above each thread has a machine to
 * itself, so that threads' cycles are their own. */
struct rsp_run;
struct rsp_run *rsp_run_new(struct arena *arena, const struct rsp_parameters *parameters, const struct rsp_cu *cus,
                            const struct hw_program *program);

/* The cycle at which the thread has done its next instruction, number `pc` of its
 * code; -1 when that has no price, nor has what the thread does from then on. */
int64_t rsp_run_step(struct rsp_run *run, unsigned thread, unsigned pc);

/* The cycle that the thread has come to. */
int64_t rsp_run_now(const struct rsp_run *run, unsigned thread);

/* What a mapping makes of one of rsp_operations.  False with an error where it has no price. */
bool rsp_find_sequence(struct arena *arena, const struct mapping *mapping, int operation, struct rsp_sequence *sequence,
                       struct diags *diags);

#endif
