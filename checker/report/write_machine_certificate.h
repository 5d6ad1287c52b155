/* SPDX-License-Identifier: MIT */
/* Certificates of what machines do, for `litscope-certify`: the machine's program in
 * plain words, what is claimed, and the run that shows it.  checker/certify/check_machine.c
 * has what they look like; it goes through all states again where all runs matter.
 */
#ifndef LITSCOPE_REPORT_WRITE_MACHINE_CERTIFICATE_H
#define LITSCOPE_REPORT_WRITE_MACHINE_CERTIFICATE_H

#include "checker/report/write_certificate.h"
#include "checker/verify/machine_outcomes.h"
#include "checker/verify/verify_test.h"
#include "hwsem/fair_progress.h"

/* Why there can be none of this program on the target; NULL: there can. */
const char *certificate_machine_refusal(const struct target *target, const struct program *program);

/* All final states of a machine that was explored within all limits.  `arena`: for
 * what is compiled once more. */
void certificate_write_reached(FILE *out, const struct target *target, const struct reached *reached,
                               struct arena *arena);

/* After the certificate of the model's states (certificate_write): Sound, or the run
 * of Unsound and Deadlock. */
void certificate_add_verified(FILE *out, const struct target *target, const struct verify_result *result,
                              struct arena *arena);

/* Whether every fair run on machine sc ends; of one that does not, the loop is known. */
void certificate_write_progress(FILE *out, const struct litmus_test *test, const char *scheduler,
                                const struct machine *machine, const struct progress *progress);

#endif
