/* SPDX-License-Identifier: MIT */
/* Unfolding threads: which control flow can happen together.
 *
 * Threads are run step by step against each other.  Where one forks on values
 * read, the read is decided first, if every write it could see is there; the
 * model is asked about the beginning of an execution that results, so that
 * control flow that no execution has is not followed (spinning on a flag that
 * was already seen set, say).  Only where each read in question may yet see
 * writes that other threads have still to make is a fork, and both branches are followed.
 *
 * When all threads have ended, choose_rf_co.c chooses the rest of rf and co.
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_UNFOLD_H
#define LITSCOPE_EXEC_UNFOLDING_UNFOLD_H

#include "checker/exec/search/search.h"

/* All executions of a program.  Ends with control->end. */
void unfold(const struct litmus_test *test, const struct cat_model *model, struct search_control *control);

#endif
