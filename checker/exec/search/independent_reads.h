/* SPDX-License-Identifier: MIT */
/* Reads on which nothing hangs any more: neither an axiom nor a flag, no value but
 * what the program shows in the end, no control flow.  Every choice of what they see
 * is an execution, and all of them differ in a few numbers only. */
#ifndef LITSCOPE_EXEC_SEARCH_INDEPENDENT_READS_H
#define LITSCOPE_EXEC_SEARCH_INDEPENDENT_READS_H

#include "checker/exec/search/complete_candidate.h"

/* Is that all which the frame leaves open?  Its axioms, and those of its flags that
 * are open, have been settled by the caller: !bounds_undecided. */
bool independent_reads_apply(const struct judge *judge, const struct frame *f);

/* Tells of all executions.  `go_on` is asked before each; false when the search is to
 * stop.  Changes the frame. */
bool independent_reads_run(struct judge *judge, struct frame *f, bool (*go_on)(void *context), void *context);

#endif
