/* SPDX-License-Identifier: MIT */
/* A kernel of a PTX module as a PTX test: its text, and how what is made of that is about the module again. */
#ifndef LITSCOPE_LITMUS_PTX_MODULE_H
#define LITSCOPE_LITMUS_PTX_MODULE_H

#include "checker/litmus/litmus.h"

struct ptx_module_test;

/* The module's kernel as a test.  NULL: an error was added. */
struct ptx_module_test *ptx_module_open(struct arena *arena, const struct source *source,
                                        const struct spirv_options *options, struct diags *diags);

/* The text of the test, and what it is called. */
const struct source *ptx_module_text(const struct ptx_module_test *test);
const char *ptx_module_name(const struct ptx_module_test *test);

/* Adds what was said of the text, at the module's instructions. */
void ptx_module_tell(const struct ptx_module_test *test, const struct diags *said, struct diags *diags);

/* Makes the text's program one of the module: names of memory, types, places; and asks what the header asks.  false: an
 * error was added. */
bool ptx_module_finish(struct ptx_module_test *test, struct program *program, struct kernel_question *asks);

#endif
