/* SPDX-License-Identifier: MIT */
/* A compiled model as text (`-dump model`). */
#ifndef LITSCOPE_CAT_PRINT_H
#define LITSCOPE_CAT_PRINT_H

#include <stdio.h>

#include "checker/cat/ir.h"

/* Prints nodes, checks and shows, one a line:
 *
 *     7 hb = (3 | 5)+
 *     acyclic 7 hb as hb_acyclic
 */
void cat_print(const struct cat_ir *ir, FILE *out);

#endif
