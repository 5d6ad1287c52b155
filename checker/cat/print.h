/* SPDX-License-Identifier: MIT */
/* A compiled model as text (`-dump model`). */
#ifndef LITSCOPE_CAT_PRINT_H
#define LITSCOPE_CAT_PRINT_H

#include <stdbool.h>
#include <stdio.h>

#include "checker/base/md5.h"
#include "checker/cat/cat.h"

/* Prints nodes, checks and shows, one a line:
 *
 *     7 hb = (3 | 5)+
 *     acyclic 7 hb as hb_acyclic
 */
void cat_print(const struct cat_ir *ir, FILE *out);

/* Is the model one of those that somebody went through by hand for a proof?  Not by their names, as a file of the same
 * name may say something else: by the digest of what is printed after the first line,
 *     litscope check -dump model -model rc11 TEST | tail -n +2 | md5sum
 * Whoever changes one of the models goes through its axioms again. */
bool cat_is_one_of(const struct cat_model *model, const unsigned char (*digests)[MD5_SIZE], unsigned count);

#endif
