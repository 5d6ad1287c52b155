/* SPDX-License-Identifier: MIT */
/* Options that would do nothing together with the others: refused, lest somebody believe that they were heeded. */
#ifndef LITSCOPE_CMD_OPTION_CONFLICTS_H
#define LITSCOPE_CMD_OPTION_CONFLICTS_H

#include "checker/cmd/command.h"

/* Adds an error for each option of the command line that has no meaning with, or without, others, and a warning where
 * it is one of herd's about pictures, which herd passes over too.  Returns false where there are errors. */
bool options_go_together(const struct invocation *call, struct diags *diags);

#endif
