/* SPDX-License-Identifier: MIT */
/* Minimal programs that tell two models apart for the same reason: the same rule of the stricter model decides, and
 * the operations and locations are the same, whatever their scopes, orders and places. */
#ifndef LITSCOPE_PROGRAM_SEARCH_DIFF_GROUPS_H
#define LITSCOPE_PROGRAM_SEARCH_DIFF_GROUPS_H

#include "checker/program_search/diff.h"

/* Fills rule, group and group_size of a result's programs. What it makes lives in `arena`. */
void diff_group(struct arena *arena, struct diff_result *result, const struct judge_model *a,
                const struct judge_model *b, const struct enumerate_options *limits);

/* How many groups there are. */
size_t diff_group_count(const struct diff_result *result);

#endif
