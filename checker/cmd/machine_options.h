/* SPDX-License-Identifier: MIT */
/* What `compile`, `explore` and `verify` share: targets and limits from the
 * command line, and traces as text.
 */
#ifndef LITSCOPE_CMD_MACHINE_OPTIONS_H
#define LITSCOPE_CMD_MACHINE_OPTIONS_H

#include <stdatomic.h>

#include "checker/cmd/command.h"
#include "checker/cmd/each_test.h"
#include "hwsem/machine_with_mapping.h"
#include "hwsem/machines/kinds.h"

/* The targets of a call, read once and shared by all tests: first those that
 * the command line names, then those that are usual for a kind of machine. */
struct hardware {
  struct target *at;
  size_t count, named;
};

/* Reads -mapping, -machine, -write-back, -knob.  On failure adds diagnostics and
 * returns false. */
bool hardware_load(struct invocation *call, struct hardware *hardware, struct diags *diags);

/* The targets for a program, in `arena`: those named that run it, or where there
 * is none the usual ones. */
const struct target *hardware_targets(const struct hardware *hardware, const struct program *program,
                                      struct arena *arena, size_t *count);

/* Are there targets, all of this kind? */
bool hardware_all(const struct target *targets, size_t count, const struct machine_kind *kind);

/* The targets of one kind of machine, in `arena`: those named, or the usual ones. */
const struct target *hardware_of_kind(const struct hardware *hardware, const struct machine_kind *kind,
                                      struct arena *arena, size_t *count);

/* Limits and reductions of the command line. */
struct explore_options hardware_explore_options(const struct invocation *call, const atomic_int *cancel);

/* A kernel's steps speak of registers that its text does not have: each is given its line as a note. */
void hardware_note_lines(const struct machine *machine, const struct litmus_test *test, struct explore_step *trace,
                         size_t length, struct arena *arena);

/* A trace, one step a line: threads' steps as they are, steps of the
 * environment in parentheses. */
void hardware_print_trace(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out);

/* The same below a line that says what it is; a machine whose one step is a whole
 * run has it in its own words. */
void hardware_print_run(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out);

/* The state in which a trace ends, as the machine prints it. */
void hardware_print_end(const struct machine *machine, const struct explore_step *trace, size_t length, FILE *out);

/* Warns where a read may return what no @Input says: machines start with 0 there. */
void hardware_warn_of_unset(const struct invocation *call, const struct litmus_test *test, struct test_output *output);

/* -certify: says why there is no certificate of a test on `subject`, which is an error. */
void hardware_refuse_certificate(struct test_output *output, const struct litmus_test *test, const char *subject,
                                 const char *lacks);

#endif
