/* SPDX-License-Identifier: MIT */
/* The models of a call: those of -model, or the default of each language. */
#ifndef LITSCOPE_CMD_MODEL_OPTIONS_H
#define LITSCOPE_CMD_MODEL_OPTIONS_H

#include "checker/cat/cat.h"
#include "checker/cmd/command.h"
#include "checker/cmd/each_test.h"
#include "checker/exec/enumerate.h"
#include "checker/program_search/judge_program.h"

/* A model, read once and shared by all tests, with the checks to leave out. */
struct loaded_model {
  const char *name;
  const struct cat_model *model; /* NULL: a default model that cannot be used */
  bool *skip;                    /* by check: -skipcheck(s) */
};

struct model_set {
  struct loaded_model *at;
  size_t count;
  bool by_language; /* at[language] */
};

/* Reads -model, -I, -variant, -skipcheck(s).  A language's default model that
 * cannot be read matters only when a test asks for it.  On failure adds errors
 * and returns false. */
bool models_load(struct invocation *call, struct model_set *models, struct diags *diags);

/* For commands that take one model: by language, that of -model or the default,
 * NULL where that cannot be read. On failure adds errors and returns false. */
bool models_load_one(struct invocation *call, struct cat_model *models[LANGUAGES], struct diags *diags);

/* Reads a model by name or path.  On failure adds errors and returns NULL. */
struct cat_model *models_read(struct invocation *call, const char *name, struct diags *diags);

/* The model as its variant without availability and visibility chains has it; NULL: it has none. */
const struct cat_model *models_without_chains(struct invocation *call, const struct loaded_model *loaded,
                                              struct arena *arena);

/* Reads a language's default model, again for the errors of one that cannot be. */
struct cat_model *models_read_default(struct invocation *call, enum litmus_language language, struct diags *diags);

/* Words of -variant that none of the models (NULLs are skipped) has a use for are
 * errors: a reading that was not taken would be believed. */
void models_check_variants(struct invocation *call, const struct cat_model *const *models, size_t model_count,
                           struct diags *diags);

/* A loaded model as searches ask it (-undefined). */
struct judge_model models_judge(const struct invocation *call, const struct loaded_model *loaded);

/* How the command line has a model asked: its limits and -prune, with one thread. */
struct enumerate_options models_engine_options(const struct invocation *call, const atomic_int *cancel);

/* The path of the file that an option names, looked for as models are; NULL, after an error: there is none. */
const char *models_find_file(const struct invocation *call, enum option_id id, const char *suffix, struct diags *diags);

/* The models for a test: `*count` of them, from the one returned. */
const struct loaded_model *models_for(const struct model_set *models, const struct litmus_test *test, size_t *count);

/* Warns of annotations of a test that a model does not declare, and so has no use for. */
void models_check_annotations(const struct loaded_model *model, const struct litmus_test *test,
                              struct test_output *output);

/* Is the model for tests of this language, or does it not say, or is it asked all the same (-force)?  If not, the
 * test's output says so, and is that of a test that cannot be asked. */
bool models_check_language(const struct invocation *call, const struct cat_model *model, const char *name,
                           const struct litmus_test *test, struct test_output *output);

/* Can the solver (-engine solve) be asked, `stops` whether it stops?  If not, likewise. */
bool models_check_solver(const struct loaded_model *model, const struct litmus_test *test, bool stops,
                         struct test_output *output);

/* The same of programs that no file holds, in a family or a translation.  If not, adds a diagnostic. */
bool models_check_programs(const struct invocation *call, const struct cat_model *model, const char *name,
                           enum litmus_language language, struct diags *diags);

/* Says in a test's output why its language's model cannot be used. */
void models_report_missing(struct invocation *call, const struct litmus_test *test, struct test_output *output);

#endif
