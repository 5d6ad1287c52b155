/* SPDX-License-Identifier: MIT */
/* What one test leaves, until it is printed in its turn. */
#ifndef LITSCOPE_CMD_TEST_OUTPUT_H
#define LITSCOPE_CMD_TEST_OUTPUT_H

#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/cmd/command.h"
#include "checker/litmus/litmus.h"
#include "checker/report/result.h"

/* What one test leaves: streams in memory, printed later in order. */
struct test_output {
  FILE *out;                            /* standard output */
  FILE *err;                            /* standard error */
  FILE *json;                           /* under -json: objects, each ended by a newline; else NULL */
  FILE *certificate;                    /* under -certify: certificates; else NULL */
  struct results results;               /* one for each result, for -junit and summary tables */
  const struct litmus_options *reading; /* how the test was read, while it is run */
  struct arena *arena;                  /* the test's, gone once it is printed; copy what must stay */
  const char *label; /* under -o: the test's name, with `~2` and so on after it where earlier tests have the
                        same: what its files and its part of a page are called by */
  int status;
};

/* Marks a test bad and adds the result that says so, with the first of the
 * diagnostics.  `subject`: the model, mapping or machine; "" when there is none. */
void tests_add_bad(struct test_output *output, const char *test, const char *file, const char *subject,
                   const struct diags *diags);

/* Writes the diagnostics of a test that cannot be run on `subject` to its error
 * stream, marks it bad and adds the result that says so. */
void tests_refuse(struct test_output *output, const struct litmus_test *test, const char *subject,
                  const struct diags *diags);

/* Adds a result of a test, which may be filled in further; and one without an answer, for this
 * reason, which the status is of. */
struct result *tests_add_result(struct test_output *output, const struct litmus_test *test, const char *subject,
                                const char *verdict);
void tests_add_unanswered(struct test_output *output, const struct litmus_test *test, const char *subject,
                          enum result_kind kind, const char *why);

/* Says on the error stream what a limit has kept from being known of a test: the line begins with the test's file. */
void tests_tell_limit(struct test_output *output, const struct litmus_test *test, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Writes the diagnostics of what was made of a test, such as pictures: errors make it bad, warnings are of limits. */
void tests_tell(struct test_output *output, const struct diags *diags);

/* As outfile_finish: a file of the test's that cannot be written makes it bad. */
bool test_output_finish(struct outfile *file, struct test_output *output);

/* Writes a file of the test's whole; likewise. */
bool test_output_write(struct test_output *output, const char *path, const char *text);

/* A finished test on its way to the printer. */
struct test_buffer {
  struct test_output output;
  const char *name; /* the test's; NULL: not known */
  bool unwanted;    /* the test is not among those asked for */
  struct text out, err, json, certificate;
};

/* With streams that are open, `json` and `certificate` among them only where they
 * are wanted. */
struct test_buffer *buffer_open(bool json, bool certificate);

/* Ends the streams, whose texts can be read then.  What is bad and so has no
 * result of its own is in the JSON all the same. */
void buffer_close(struct test_buffer *buffer);

void buffer_free(struct test_buffer *buffer);

/* A closed buffer as a text, and back: without one that is written so, NULL. */
void buffer_write(const struct test_buffer *buffer, FILE *out);
struct test_buffer *buffer_read(const char *text);

/* Copies of the results, for as long as `arena` lives. */
struct results buffer_keep_results(const struct test_buffer *buffer, struct arena *arena);

#endif
