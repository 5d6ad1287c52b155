/* SPDX-License-Identifier: MIT */
/* Work that is divided: -shard, -journal, and `merge`.  Who sweeps programs has all of it from campaign.h. */
#ifndef LITSCOPE_CMD_SHARD_OPTIONS_H
#define LITSCOPE_CMD_SHARD_OPTIONS_H

#include "checker/base/parts.h"
#include "checker/cmd/command.h"

struct division {
  struct invocation *call;
  struct parts *parts;
  bool is_shard;
};

/* Reads the options; for `merge` reads the parts.  On failure adds errors and
 * returns false. */
bool division_open(struct invocation *call, struct division *division, struct diags *diags);

/* Is there nothing to print from the parts, since this was a shard (which is
 * written), or some are missing (which is said)?  Then it is closed too, and
 * `*status` is what the command returns.  `stopped`: work was cancelled. */
bool division_ends(struct division *division, bool stopped, int *status);

/* Ends it, after printing.  Returns STATUS_DONE, or reports errors and returns
 * STATUS_BAD. */
int division_close(struct division *division);

/* Is the call divided in some way: a shard, with a journal, a merge, among ranks? */
bool division_wanted(const struct invocation *call);

/* Can what it does be divided, as far as its options say? */
bool division_applies(const struct invocation *call);

/* How words are written in the text of a command (escape.h). */
extern const char *const division_escaped[];

/* Says that it cannot; returns STATUS_BAD. */
int division_refuse(const struct invocation *call);

#endif
