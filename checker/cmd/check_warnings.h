/* SPDX-License-Identifier: MIT */
/* What `check` warns of: things that a verdict leaves open, though its reader might think otherwise. */
#ifndef LITSCOPE_CMD_CHECK_WARNINGS_H
#define LITSCOPE_CMD_CHECK_WARNINGS_H

#include "checker/cmd/command.h"
#include "checker/cmd/test_output.h"
#include "checker/verdict/verdict.h"

/* Writes them to `output->err`, unless -q is given.  `model` and `options`: those of the verdict. */
void check_warn(const struct invocation *call, const struct verdict *verdict, const struct cat_model *model,
                const struct enumerate_options *options, struct test_output *output);

#endif
