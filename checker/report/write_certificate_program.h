/* SPDX-License-Identifier: MIT */
/* What certificates of models and of machines are both made of: the program in plain
 * words, and final states.
 *
 * Internal to the certificate*.c files.
 */
#ifndef LITSCOPE_REPORT_WRITE_CERTIFICATE_PROGRAM_H
#define LITSCOPE_REPORT_WRITE_CERTIFICATE_PROGRAM_H

#include "checker/report/write_certificate.h"

/* What in a program has no words; NULL: nothing. */
const char *certificate_refuse_program(const struct program *program);

/* The same of control barriers whose groups are known when they are reached only; of
 * machines. */
const char *certificate_refuse_barriers(const struct program *program);

void certificate_begin(FILE *out, const struct litmus_test *test);
void certificate_print_program(FILE *out, const struct program *program, unsigned unroll);
void certificate_print_question(FILE *out, const struct litmus_test *test);
void certificate_print_states(FILE *out, const struct litmus_test *test, const struct outcomes *states);

/* An expression over a thread's registers, the operator of a read-modify-write, and the cell of an access;
 * `alias` as in struct instr.  A blank comes before. */
void certificate_print_value(FILE *out, const struct expr *e);
void certificate_print_operator(FILE *out, enum rmw_op op, struct width width); /* and what its result fits in */
void certificate_print_cell(FILE *out, const struct address *address, unsigned alias);

#endif
