/* SPDX-License-Identifier: MIT */
/* Threads side by side, an instruction a cell: what dialects with columns share.
 *
 *   threads = head ";" { row ";" }
 *   head    = thread [place] { "|" thread [place] }
 *   row     = [cell] { "|" [cell] }              a cell for each thread
 *   cell    = { ["@"] label ":" } [instruction]
 *
 * Rows are split into cells while the text is read; the cells are read when all
 * threads and locations are known, column by column.  A dialect brings a
 * function that lowers one instruction, and its tables of words.
 */
#ifndef LITSCOPE_LITMUS_COLUMNS_H
#define LITSCOPE_LITMUS_COLUMNS_H

#include "checker/litmus/test_draft.h"

struct column;

/* The cell being lowered: `reader` stands in it. */
struct column_cell {
  struct draft *draft;
  struct reader *reader;
  struct draft_thread *thread;
  struct column *column;
};

/* Reads the head and all rows, up to the scope tree, the condition or whatever
 * else ends them. */
void columns_parse(struct draft *draft);

/* Lowers every thread: `instruction` is called in each cell that holds one,
 * after its labels, and must read it to the cell's end. */
void columns_lower(struct draft *draft, void (*instruction)(struct column_cell *cell));

/* Is there nothing left to read in this cell? */
bool cell_at_end(const struct column_cell *cell);

/* Reads a label, which the thread's last instruction jumps to: it is patched
 * when the column has been read, as later rows may still define it. */
void cell_take_target(struct column_cell *cell);

/* The same where it jumps to the column's end. */
void cell_jump_to_end(struct column_cell *cell);

/* Such rows as a text: the cells of each thread one below the other. */
struct cells_text {
  const char **at;
  size_t count, room;
};
void columns_write(struct arena *arena, const struct cells_text *threads, unsigned count, FILE *out);

#endif
