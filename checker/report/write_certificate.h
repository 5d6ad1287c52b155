/* SPDX-License-Identifier: MIT */
/* Certificates of verdicts, as `litscope-certify` reads them: the program and the
 * model in plain words, what is claimed, and the tree of decisions that shows it.
 * checker/certify/ checks them and shares nothing with this.
 */
#ifndef LITSCOPE_REPORT_WRITE_CERTIFICATE_H
#define LITSCOPE_REPORT_WRITE_CERTIFICATE_H

#include <stdio.h>

#include "checker/verdict/verdict.h"

/* Why there can be no certificate of this test and model; NULL: there can. */
const char *certificate_refusal(const struct litmus_test *test, const struct cat_model *model);

/* Why there can be none that has the test's question. */
const char *certificate_refuse_question(const struct litmus_test *test);

/* Writes the certificate of a verdict that was found within all limits.  `tree`: what
 * the search wrote to enumerate_options.record; `skip`: as there. */
void certificate_write(FILE *out, const struct verdict *verdict, const struct cat_model *model,
                       const struct enumerate_options *options, const char *tree);

/* The same of one that a solver has found; `raised`: by check, whether some execution raises it.  `solved`: what
 * proof_write wrote. */
void certificate_write_solved(FILE *out, const struct verdict *verdict, const struct cat_model *model,
                              const struct enumerate_options *options, const bool *raised, const char *solved);

#endif
