/* The models of a call: those of -model, or the default of each language. */
#ifndef LITSCOPE_CMD_MODELS_H
#define LITSCOPE_CMD_MODELS_H

#include "cat/cat.h"
#include "cmd/command.h"
#include "cmd/tests.h"

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

/* The models for a test: `*count` of them, from the one returned. */
const struct loaded_model *models_for(const struct model_set *models, const struct litmus_test *test, size_t *count);

/* Says in a test's output why its language's model cannot be used. */
void models_report_missing(struct invocation *call, const struct litmus_test *test, struct test_output *output);

/* A language's default model. */
const char *models_default(enum litmus_language language);

#endif
