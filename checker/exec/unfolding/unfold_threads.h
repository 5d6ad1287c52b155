/* SPDX-License-Identifier: MIT */
/* Unfolding threads: which control flow can happen together.
 *
 * Threads are run step by step against each other.  Where one forks on values
 * read, the read is decided first, if every write it could see is there; the
 * model is asked about the beginning of an execution that results, so that
 * control flow that no execution has is not followed (spinning on a flag that
 * was already seen set, say).  A read that may yet see writes which other threads have still to
 * make sees one that is there, or its thread waits; so each execution grows in one way,
 * if po and rf have no cycle.  Where a model does not rule such cycles out (po_rf_acyclicity.h), nobody
 * waits, and both branches of the fork are followed.
 *
 * When all threads have ended, choose_rf_co.c chooses the rest of rf and co.
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_UNFOLD_THREADS_H
#define LITSCOPE_EXEC_UNFOLDING_UNFOLD_THREADS_H

#include "checker/exec/search/search.h"

/* All executions of a program.  Ends with control->end. */
void unfold(const struct litmus_test *test, const struct cat_model *model, struct search_control *control);

#endif
