/* SPDX-License-Identifier: MIT */
/* A load, and a store to the same place of what comes of it, which one atomic operation could do. */
#ifndef LITSCOPE_PROGRAM_NONATOMIC_RMW_H
#define LITSCOPE_PROGRAM_NONATOMIC_RMW_H

#include "checker/program/program.h"

struct update {
  enum rmw_op op; /* RMW_EXCHANGE, ADD, SUB, OR, XOR or AND */
  const struct expr *operand;
};

/* The operation that does what the load instrs[load] and a store of `value` to `address` at `store` do, where nothing
 * between them is an access and `value` has at most 32 bits.  False: there is none, as they are not of one place,
 * or the operand is known only after the load. */
bool update_find(const struct instr *instrs, size_t load, size_t store, const struct address *address,
                 const struct expr *value, struct update *update);

#endif
