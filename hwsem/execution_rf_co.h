/* SPDX-License-Identifier: MIT */
/* Executions in the words that machines and models share: which write each read
 * has read from, and the coherence order of each location.
 *
 * A machine that can be followed has a second machine around it whose outcomes
 * are executions; what a model allows is handed to it in these words, to be
 * written as such an outcome.
 */
#ifndef LITSCOPE_HWSEM_EXECUTION_RF_CO_H
#define LITSCOPE_HWSEM_EXECUTION_RF_CO_H

#include <stdbool.h>

/* A read or a write, by the instruction of the program that does it.  An
 * instruction may do two: a compare-and-swap reads the value it expects from
 * memory, as an ordinary access. */
struct execution_access {
  int thread; /* -1: the initial write */
  unsigned instr;
  bool ordinary; /* without a memory order */
};

struct execution_read {
  struct execution_access read, source;
};

struct execution_write {
  struct execution_access write;
  unsigned location;
  unsigned place; /* in coherence; the initial write is not counted */
};

struct execution_words {
  unsigned read_count, write_count;
  const struct execution_read *reads;
  const struct execution_write *writes; /* no initial ones */
};

#endif
