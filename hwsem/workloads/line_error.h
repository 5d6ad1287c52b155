/* SPDX-License-Identifier: MIT */
/* Errors in files that are read line by line, and are not kept. */
#ifndef LITSCOPE_HWSEM_WORKLOADS_LINE_ERROR_H
#define LITSCOPE_HWSEM_WORKLOADS_LINE_ERROR_H

#include "checker/base/diag.h"

/* Adds an error about the word at `at` of a line, which is quoted with a caret; about
 * the line when `at` is NULL. */
void line_error(struct diags *diags, const char *path, unsigned number, const char *line, const char *at,
                const char *what);

#endif
