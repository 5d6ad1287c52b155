/* SPDX-License-Identifier: MIT */
/* Is a Vulkan test one that the Vulkan CTS's names can say (litmus/vulkan_cts_names.h), and if not,
 * which is the nearest?
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_NEAREST_CTS_NAME_H
#define LITSCOPE_PROGRAM_SEARCH_NEAREST_CTS_NAME_H

#include "checker/litmus/litmus.h"

/* The programs of all names. */
struct cts_programs;

/* Reads them; they live in `arena`. */
struct cts_programs *cts_programs_new(struct arena *arena, const struct litmus_options *reading);

/* The name of a test's program, in `arena`, or "none" and what is different in the nearest
 * one.  Names and filters of tests make no difference. */
const char *cts_programs_name(const struct cts_programs *programs, struct arena *arena, const struct litmus_test *test);

#endif
