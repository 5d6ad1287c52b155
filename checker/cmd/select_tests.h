/* SPDX-License-Identifier: MIT */
/* Which tests of a run are wanted: -names, -oknames, -excl, -nonames, -kinds, -conds, -select; and -rename. */
#ifndef LITSCOPE_CMD_SELECT_TESTS_H
#define LITSCOPE_CMD_SELECT_TESTS_H

#include "checker/cmd/command.h"
#include "checker/litmus/litmus.h"

struct selection;

/* Reads the options' files and the expression.  Lives in call->arena; on error
 * adds diagnostics and returns NULL. */
struct selection *selection_new(struct invocation *call, struct diags *diags);

/* The name that a test of this name goes by (-rename): all below mean that one.  NULL stays NULL. */
const char *selection_name(const struct selection *selection, const char *name);

/* Is a test of this name wanted?  Where -select cannot be tried on it, adds an
 * error and returns false. */
bool selection_wants(const struct selection *selection, const char *name, struct diags *diags);

/* The name that a test's text begins with (`OpenCL NAME`), or NULL: also for
 * texts that do not parse. */
const char *selection_peek_name(struct arena *arena, const struct source *source);

/* Gives the test the kind that -kinds says; its condition's text goes into `arena`. */
void selection_apply(const struct selection *selection, struct arena *arena, struct litmus_test *test);

/* The condition that -conds gives to the test, or NULL. */
const char *selection_condition(const struct selection *selection, const char *name);

/* Tells of a test that was read, in the run's order: its name is there. */
void selection_note(struct selection *selection, const char *name);

/* Warns of names in the files that no test has had: with a suggestion, the
 * first few of each option. */
void selection_warn(const struct selection *selection, struct diags *diags);

/* Frees what does not live in the arena. */
void selection_free(struct selection *selection);

#endif
