/* SPDX-License-Identifier: MIT */
/* A test with everything observed: what a machine or a device does is compared
 * with a model in every named register and every location, since some
 * violations show in the final memory alone.
 */
#ifndef LITSCOPE_VERIFY_TEST_OBSERVING_ALL_H
#define LITSCOPE_VERIFY_TEST_OBSERVING_ALL_H

#include "checker/litmus/litmus.h"

/* The test with everything observed and nothing asked, in the arena. */
struct litmus_test *test_observing_all(struct arena *arena, const struct litmus_test *test);

/* Makes it ask for one outcome: its condition becomes `exists (0:r0=1 /\ [x]=2)`. */
void test_observing_ask(struct arena *arena, struct litmus_test *test, const int64_t *values);

#endif
