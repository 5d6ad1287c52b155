/* SPDX-License-Identifier: MIT */
/* A thread in another language: its cells, and where the registers of the thread
 * that it comes from are found in it. */
#ifndef LITSCOPE_PTX_COLUMN_H
#define LITSCOPE_PTX_COLUMN_H

#include "checker/program/program.h"
#include "hwsem/machine.h"

struct column_entry {
  const char *text; /* an instruction, or a label with its colon */
  bool label;
  unsigned line;    /* of the source that it comes from; 0: none in particular */
  struct span from; /* where in the text that was read the instruction stands */
};

struct column {
  struct column_entry *at;
  size_t count, room;
  /* By register of the source: the register of the column that holds it at the
   * end, NULL where nobody can ask for it; and what that one holds at the start. */
  const char **registers;
  const int64_t *initial;
  struct code_size size; /* of the text that it is read from; no instructions: it is not */
};

#endif
