/* SPDX-License-Identifier: MIT */
/* `check -certify`: a verdict and the certificate that a second program checks (checker/certify). */
#ifndef LITSCOPE_CMD_CHECK_CERTIFICATE_H
#define LITSCOPE_CMD_CHECK_CERTIFICATE_H

#include "checker/cmd/model_options.h"
#include "checker/cmd/test_output.h"
#include "checker/verdict/verdict.h"

/* The verdict by search, or by a solver where `options->solve` says so, in `output->arena`.  Its certificate goes to
 * `output->certificate`; where certificates cannot express what it takes, that is said and the test marked bad. */
struct verdict *check_certify(const struct litmus_test *test, const struct loaded_model *loaded,
                              const struct enumerate_options *options, struct test_output *output);

#endif
