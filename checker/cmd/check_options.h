/* SPDX-License-Identifier: MIT */
/* What the options of `check` need of each other's values, and names in them that no model of the run has. */
#ifndef LITSCOPE_CMD_CHECK_OPTIONS_H
#define LITSCOPE_CMD_CHECK_OPTIONS_H

#include "checker/cmd/model_options.h"

/* Do the values go together?  false: an error was added.  Which options go with which: option_conflicts.h. */
bool check_options_go(const struct invocation *call, struct diags *diags);

/* Does some model have each relation that pictures are to show or hide?  false: an error was added.  Flags and checks
 * that none has are warned of. */
bool check_names_go(const struct invocation *call, const struct model_set *models, struct diags *diags);

#endif
