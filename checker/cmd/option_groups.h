/* SPDX-License-Identifier: MIT */
/* Options by what they are for, as help lists them. */
#ifndef LITSCOPE_CMD_OPTION_GROUPS_H
#define LITSCOPE_CMD_OPTION_GROUPS_H

#include "checker/cmd/command.h"

enum option_group { GROUP_ASKED, GROUP_SHOWN, GROUP_RESULTS, GROUP_SELECTION, GROUP_LIMITS, GROUP_HERD, GROUPS };

/* "What is asked", ... */
const char *group_title(enum option_group group);

/* One that option_groups.c does not name is of GROUP_ASKED. */
enum option_group group_of(enum option_id id);

/* Is it among the few of a command's that matter first? */
bool group_is_first(enum command_id command, enum option_id id);

#endif
