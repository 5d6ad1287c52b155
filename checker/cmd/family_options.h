/* SPDX-License-Identifier: MIT */
/* What commands that search families share: models, their programs' language, the
 * family, limits, and the tests that are written. */
#ifndef LITSCOPE_CMD_FAMILY_OPTIONS_H
#define LITSCOPE_CMD_FAMILY_OPTIONS_H

#include <stdatomic.h>

#include "checker/base/outfile.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/program_search/diff.h"

/* Reads -family, whose language is by default that of the models.  On failure adds
 * errors and returns false. */
bool families_read(struct invocation *call, const struct model_set *models, struct small_family *family,
                   struct diags *diags);

/* Reads a family of programs for compilers and translations, which have no remote
 * operations, and lists it.  On failure adds errors and returns false. */
bool families_compiled(struct invocation *call, const char *text, const struct hardware *hardware,
                       struct small_family *family, struct small_list *list, struct diags *diags);

/* Limits of the command line, for one program. */
struct enumerate_options families_limits(const struct invocation *call, const atomic_int *cancel);

/* A test that tells models apart: what it asks for is the outcome that one has and
 * another has not, or that of an undefined execution. */
struct telling_test {
  const struct small_program *program;
  const char *name, *condition, *comment;
};

/* What tells a from b in a program of this class. */
struct telling_test families_telling_test(struct arena *arena, const struct small_program *program,
                                          enum diff_class class, const struct judge_model *a,
                                          const struct judge_model *b, const struct enumerate_options *limits);

/* The minimal programs of a result, as tests, a line each. */
void families_print_minimal(const struct diff_result *result, const char *indent, const struct judge_model *a,
                            const struct judge_model *b, const struct enumerate_options *limits, FILE *out);

/* Writes the smallest program that is not sound on a target, as a test, to the folder of -o, where there is one.
 * Returns the exit status. */
int families_write_smallest(struct invocation *call, const struct small_program *program, const char *condition,
                            const char *target);

/* A folder of tests and its expected.tsv, each file whole or not at all. */
struct test_folder {
  struct invocation *call;
  const char *path;
  struct outfile expected;
  const char **at; /* names of tests that are there */
  size_t count, room;
};

/* Makes the folder and begins the table.  On failure adds errors and returns false. */
bool test_folder_open(struct invocation *call, const char *path, struct test_folder *folder, struct diags *diags);

/* Writes a test, once, with a row for each model. */
bool test_folder_add(struct test_folder *folder, const struct telling_test *test, const struct judge_model *models,
                     size_t count, const struct enumerate_options *limits, struct diags *diags);

/* Not `good`: without the table. */
bool test_folder_close(struct test_folder *folder, bool good, struct diags *diags);

const char *class_name(enum diff_class class); /* "only-A-undefined" */

/* A table of programs by class, a row for each number that has some.  `sums`: with a last row for all, and undecided
 * programs only where there are some. */
void classes_print(const char *head, const uint64_t (*rows)[CLASSES], size_t count, bool sums, FILE *out);

#endif
