/* SPDX-License-Identifier: MIT */
/* The difference of two texts as patch(1) reads it. */
#ifndef LITSCOPE_REPORT_PATCH_H
#define LITSCOPE_REPORT_PATCH_H

#include <stdio.h>

#include "checker/base/diag.h"

/* Writes `--- NAME`, `+++ NAME` and the hunks, with three lines of context, that
 * make `to` of `from`; nothing where they are equal.  The name is that of `from`. */
void patch_write(FILE *out, const struct source *from, const struct source *to);

#endif
