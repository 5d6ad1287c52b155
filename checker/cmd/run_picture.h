/* SPDX-License-Identifier: MIT */
/* Pictures of machines' runs. */
#ifndef LITSCOPE_CMD_RUN_PICTURE_H
#define LITSCOPE_CMD_RUN_PICTURE_H

#include "checker/cmd/test_output.h"
#include "hwsem/explore.h"

struct run_picture {
  const struct machine *machine;
  const struct program *program;
  const struct explore_step *steps;
  size_t length;
  const char *title;
};

/* Draws a run as a sequence diagram LABEL-SUBJECT-WHAT.svg in the folder for pictures, where they are asked for, and
 * tells its path; one that cannot be written makes the test bad. */
void run_picture_write(const struct invocation *call, struct test_output *output, const char *subject, const char *what,
                       const struct run_picture *picture);

#endif
