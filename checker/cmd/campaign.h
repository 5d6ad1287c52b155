/* SPDX-License-Identifier: MIT */
/* One question asked of many programs: what all sweeps have in common.  A campaign works in parts (base/parts.h), also
 * where one process does them all: shards, journals, ranks, merging, limits, interrupts, progress and files of results
 * are here, and the subjects' own business is what a part is, and how a subject's parts are added up and printed.
 */
#ifndef LITSCOPE_CMD_CAMPAIGN_H
#define LITSCOPE_CMD_CAMPAIGN_H

#include "checker/base/limit.h"
#include "checker/base/parts.h"
#include "checker/cmd/result_files.h"

struct campaign {
  void *context;
  size_t subjects;          /* mappings, targets, ... */
  const atomic_int *cancel; /* becomes non-zero to stop soon */
  bool whole;               /* nothing is printed of work that was stopped */
  /* Does the parts that are to be done here.  Adds diagnostics where they cannot be done at all.  false: it was
   * cancelled, or something is undecided, and the rest was left. */
  bool (*run)(void *context, struct parts *parts, struct diags *diags);
  /* Of a search, does the rest, which depends on all parts; it may be further parts, which a journal keeps.  false: it
   * was cancelled, or something is undecided, and nothing is printed.  NULL: there is none. */
  bool (*finish)(void *context);
  /* Adds up the parts of a subject, and prints and notes what they show; returns its status.  `stopped`: some of them
   * may be missing, or cut. */
  int (*print)(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files);
};

/* Runs it, and prints.  What was stopped is printed as far as it is done, unless the work was divided: then the parts
 * are kept for a merge or the next run.  Returns the exit status. */
int campaign_run(struct invocation *call, const struct campaign *campaign);

#endif
