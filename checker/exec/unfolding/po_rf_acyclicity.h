/* SPDX-License-Identifier: MIT */
/* Does a model rule out that a read sees what comes of it? */
#ifndef LITSCOPE_EXEC_UNFOLDING_PO_RF_ACYCLICITY_H
#define LITSCOPE_EXEC_UNFOLDING_PO_RF_ACYCLICITY_H

#include "checker/exec/enumerate.h"

/* Have all candidates that are not rejected no cycle in po and rf together?  An axiom must say so,
 * of a relation that holds both.  `options`: which axioms count, and whether what they reject is
 * dropped at all.  `arena`: for scratch. */
bool forbids_po_rf_cycles(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          const struct enumerate_options *options);

#endif
