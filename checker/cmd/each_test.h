/* SPDX-License-Identifier: MIT */
/* Doing something with every test of a command line: what `check`, `explore`
 * and `verify` have in common.
 *
 * The words of the command line become a list of files (a folder stands for
 * all .litmus and .test files below it, an index `@file` for the files that it lists).
 * Each file is read, parsed and matched against -names, -kinds, -conds and
 * -select; then the command's function is called with the test, from several
 * threads under -j, and what it wrote is printed in the order of the files.
 * A test that does not parse gets its diagnostics in its place, and the others
 * go on.
 */
#ifndef LITSCOPE_CMD_EACH_TEST_H
#define LITSCOPE_CMD_EACH_TEST_H

#include "checker/base/limit.h"
#include "checker/cmd/command.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/result_files.h"
#include "checker/cmd/test_output.h"
#include "checker/litmus/litmus.h"

struct test_runner {
  void *context;
  /* Does the command's work on one test: writes to `output`, adds a result for
   * each result, and sets output->status where it is not STATUS_DONE.  Called
   * from several threads at once.  `workers`: threads that it may use itself. */
  void (*run)(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output);
  /* The results of one test, in the order of the files and from one thread;
   * they live as long as the invocation.  NULL: not needed. */
  void (*collect)(void *context, const struct results *results);
  /* Says what is to be said of all tests together, as text and as JSON.  NULL: nothing. */
  void (*conclude)(void *context, struct result_files *files);
  bool alone;               /* one test at a time, on the calling thread: for work that must not be disturbed */
  FILE *out;                /* where test_output.out goes; NULL: standard output */
  bool partial;             /* set by tests_run: this was a part of the work (-shard), and nothing is printed */
  const atomic_int *cancel; /* set by tests_run before the first test: becomes 1 on SIGINT, SIGTERM */
};

/* Runs them all and returns the joined exit status.  Also writes the -json and
 * -junit files.  Where the call is divided (shard_options.h), a file is a part. */
int tests_run(struct invocation *call, struct test_runner *runner);

#endif
