/* SPDX-License-Identifier: MIT */
/* Reads of local memory to which nothing has stored before: what a condition fails by may be whatever they find. */
#ifndef LITSCOPE_EXPLAIN_UNSET_READ_H
#define LITSCOPE_EXPLAIN_UNSET_READ_H

#include "checker/base/diag.h"
#include "checker/explain/shown_executions.h"

/* Warns of the first of them, if any, in the first execution of a kernel that is shown as `chosen` says. */
void unset_read_warn(const struct litmus_test *test, const struct cat_model *model,
                     const struct enumerate_options *options, const struct exhibit_options *chosen,
                     struct diags *diags);

#endif
