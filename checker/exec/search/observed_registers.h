/* SPDX-License-Identifier: MIT */
/* Which registers memory is read into, and whether the test looks at all of them:
 * herd7's -outcomereads, -restrict observed.
 *
 * What a statement reads goes into the register that it sets, straight or through
 * registers without a name: `r = *x + *y` reads two locations into r, `if (*x)` and
 * `*y = *x` read into none.
 */
#ifndef LITSCOPE_EXEC_SEARCH_OBSERVED_REGISTERS_H
#define LITSCOPE_EXEC_SEARCH_OBSERVED_REGISTERS_H

#include "checker/exec/execution.h"
#include "checker/litmus/litmus.h"

struct observed;

/* In the arena, for executions of this test, which must live as long. */
struct observed *observed_new(struct arena *arena, const struct litmus_test *test);

/* Are all values that the execution reads in registers at its end that the test's
 * states or its filter name?  A register that other instructions set as well, further
 * below in the text, counts as set by these. */
bool observed_all(const struct observed *observed, const struct execution *x);

/* Notes which registers the execution reads into. */
void observed_note(struct observed *observed, const struct execution *x);

/* The test with other observables: the registers noted, by thread and name, and its own locations. */
const struct litmus_test *observed_test(struct arena *arena, const struct observed *observed);

#endif
