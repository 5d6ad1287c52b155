/* SPDX-License-Identifier: MIT */
/* Macros for tests in C, as herd7's -macros has them:
 *
 *   macros = { name "(" [name {"," name}] ")" (expr | "{" statements "}") }
 *
 * such as `READ_ONCE(X) __load{once}(X)` and `smp_mb() { __fence{mb}; }`.  They
 * are expanded in the threads of a test, word by word; an argument, and what an
 * expression stands for, count as if in parentheses.  Comments are those of C.
 */
#ifndef LITSCOPE_LITMUS_MACROS_H
#define LITSCOPE_LITMUS_MACROS_H

#include "checker/litmus/lex.h"

struct macros;

/* The macros of a text; NULL after an error.  They live in `arena`. */
const struct macros *macros_parse(struct arena *arena, const struct source *source, struct diags *diags);

/* Replaces the words that the reader has still to read by their expansion inside
 * braces; those outside stay.  Words of a macro's body stand where it is called. */
void macros_expand(const struct macros *macros, struct reader *reader);

#endif
