/* SPDX-License-Identifier: MIT */
/* Sets of a path's reads, on which values and control flow depend. */
#ifndef LITSCOPE_EXEC_READS_H
#define LITSCOPE_EXEC_READS_H

/* Immutable, ascending; shared between states. */
struct reads {
  unsigned count;
  unsigned at[];
};

#endif
