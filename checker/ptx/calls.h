/* SPDX-License-Identifier: MIT */
/* Functions of a PTX module put in the places of their calls. */
#ifndef LITSCOPE_PTX_CALLS_H
#define LITSCOPE_PTX_CALLS_H

#include "checker/ptx/module.h"

/* The kernel with the statements of functions that the module has in place of calls of them, with registers, labels
 * and parameters of their own; other calls stay.  NULL: an error was added. */
const struct ptx_entry *ptx_calls_inline(struct arena *arena, struct ptx_module *module, const struct ptx_entry *kernel,
                                         struct diags *diags);

#endif
