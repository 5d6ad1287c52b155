/* SPDX-License-Identifier: MIT */
/* Doing something with every test of a command line: what `check`, `explore`
 * and `verify` have in common.
 *
 * The words of the command line become a list of files (a folder stands for
 * all .litmus files below it, an index `@file` for the files that it lists).
 * Each file is read, parsed and matched against -names, -kinds, -conds and
 * -select; then the command's function is called with the test, from several
 * threads under -j, and what it wrote is printed in the order of the files.
 * A test that does not parse gets its diagnostics in its place, and the others
 * go on.
 */
#ifndef LITSCOPE_CMD_TESTS_H
#define LITSCOPE_CMD_TESTS_H

#include "checker/cmd/command.h"
#include "checker/litmus/litmus.h"
#include "checker/report/record.h"

/* What one test leaves: streams in memory, printed later in order. */
struct test_output {
  FILE *out;              /* standard output */
  FILE *err;              /* standard error */
  FILE *json;             /* under -json: objects, each ended by a newline; else NULL */
  struct records records; /* one for each result, for -junit and summary tables */
  struct arena *arena;    /* the test's, gone once it is printed; copy what must stay */
  const char *label;      /* under -o: the test's name, with `~2` and so on behind it where earlier tests have the
                             same: what its files and its part of a page are called by */
  int status;
};

struct test_runner {
  void *context;
  /* Does the command's work on one test: writes to `output`, adds a record for
   * each result, and sets output->status where it is not STATUS_DONE.  Called
   * from several threads at once.  `workers`: threads that it may use itself. */
  void (*run)(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output);
  /* The records of one test, in the order of the files and from one thread;
   * they live as long as the invocation.  NULL: not needed. */
  void (*collect)(void *context, const struct records *records);
  FILE *out;                  /* where test_output.out goes; NULL: standard output */
  const volatile int *cancel; /* set by tests_run before the first test: becomes 1 on SIGINT, SIGTERM */
};

/* Runs them all and returns the joined exit status.  Also writes the -json and
 * -junit files. */
int tests_run(struct invocation *call, struct test_runner *runner);

/* Marks a test bad and adds the record that says so, with the first of the
 * diagnostics.  `subject`: the model, mapping or machine; "" when there is none. */
void tests_add_bad(struct test_output *output, const char *test, const char *file, const char *subject,
                   const struct diags *diags);

/* Begins to watch for SIGINT and SIGTERM; what is pointed at becomes 1 then; a
 * second signal half a second after the first ends the program.  For commands
 * that work without tests; tests_run does it itself. */
const volatile int *tests_watch_interrupt(void);

/* The same, and what is pointed at becomes 1 when -timeout, counted from now,
 * is over: for sweeps, which it limits as a whole. */
const volatile int *tests_watch_limits(const struct invocation *call);

/* Why work was stopped: "interrupted" or "time limit met". */
const char *tests_stop_reason(void);

#endif
