/* SPDX-License-Identifier: MIT */
/* Traces as SVG sequence diagrams: a column for each lane of the machine
 * (threads, caches, memory), time downwards, an arrow or a mark for each step,
 * those of threads and of the environment in different colours.
 */
#ifndef LITSCOPE_REPORT_SEQUENCE_DIAGRAM_H
#define LITSCOPE_REPORT_SEQUENCE_DIAGRAM_H

#include "checker/program/program.h"
#include "hwsem/explore.h"

/* Writes the diagram; nothing when the machine has no lanes.  A step that does a part
 * of an instruction of the test's program says on which line that is. */
void sequence_write_svg(const struct machine *machine, const struct program *program, const struct explore_step *trace,
                        size_t length, const char *title, FILE *out);

#endif
