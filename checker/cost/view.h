/* SPDX-License-Identifier: MIT */
/* `cost` on views: tables and plots of the timed machines. */
#ifndef LITSCOPE_COST_VIEW_H
#define LITSCOPE_COST_VIEW_H

#include <stdio.h>

#include "checker/cmd/command.h"
#include "hwsem/timing/view_report.h"

/* Does what the command line asks for: a list of the views, help on one, or a view in some format.  Returns the exit
 * status. */
int cost_view(struct invocation *call);

/* A view's tables as JSON, a document of its own. */
void json_write_cost(FILE *out, const struct cost_report *report);

#endif
