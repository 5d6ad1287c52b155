/* SPDX-License-Identifier: MIT */
/* Models of the command line: those that -model names, read once for all
 * tests, or the one that is usual for a test's language; variants are checked
 * against what models ask for. */
#include "checker/cmd/models.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/native/native.h"

/* The checks that -skipcheck(s) name, by index.  A name that the model lacks is
 * an error: a check that is left out by a slip of the pen would be believed. */
static bool *skip_checks(struct invocation *call, const struct cat_model *model, struct diags *diags) {
  const struct cat_ir *ir = &model->ir;
  bool *skip = ARENA_ARRAY(call->arena, bool, ir->check_count);
  const char **known = ARENA_ARRAY(call->arena, const char *, ir->check_count + 1);
  for (uint32_t i = 0; i < ir->check_count; i++) known[i] = ir->checks[i].name;
  const enum option_id ids[] = {OPTION_SKIPCHECK, OPTION_SKIPCHECKS};
  for (int k = 0; k < 2; k++) {
    size_t count;
    const char **names = option_words(call, ids[k], &count);
    for (size_t i = 0; i < count; i++) {
      bool found = false;
      for (uint32_t j = 0; j < ir->check_count; j++)
        if (!strcmp(known[j], names[i])) found = skip[j] = true;
      const char *nearest = found ? NULL : suggest(names[i], known);
      if (!found)
        diag_error(diags, NULL, (struct span){0}, "model '%s' has no check '%s'%s", ir->name, names[i],
                   suggest_hint(call->arena, nearest));
    }
  }
  return skip;
}

void models_check_variants(struct invocation *call, const struct cat_model *const *models, size_t model_count,
                           struct diags *diags) {
  size_t count;
  const char **words = option_words(call, OPTION_VARIANT, &count);
  VEC(const char *) known = {0};
  *vec_push(call->arena, &known) = "cas-writeback"; /* of the language, not of a model */
  for (size_t i = 0; i < model_count; i++)
    for (const char *const *next = models[i] ? models[i]->known_variants : NULL; next && *next; next++)
      *vec_push(call->arena, &known) = *next;
  *vec_push(call->arena, &known) = NULL;
  for (size_t i = 0; i < count; i++) {
    bool found = false;
    for (size_t j = 0; known.at[j]; j++) found |= !strcmp(known.at[j], words[i]);
    if (found) continue;
    const char *nearest = suggest(words[i], known.at);
    diag_error(diags, NULL, (struct span){0}, "no model of this run has a variant '%s'%s", words[i],
               suggest_hint(call->arena, nearest));
  }
}

static struct cat_model *read_model(struct invocation *call, const char *name, struct diags *diags) {
  if (!name) {
    diag_error(diags, NULL, (struct span){0},
               "no model says what machine code means: `litscope explore` runs it on its machine");
    return NULL;
  }
  size_t folder_count, variant_count;
  struct cat_search search = {.folders = search_folders(call, "models", &folder_count)};
  search.variants = option_words(call, OPTION_VARIANT, &variant_count);
  search.folder_count = (unsigned)folder_count;
  search.variant_count = (unsigned)variant_count;
  struct cat_model *model = cat_load(call->arena, name, &search, diags);
  if (model) native_attach(model);
  return model;
}

struct cat_model *models_read(struct invocation *call, const char *name, struct diags *diags) {
  return read_model(call, name, diags);
}

struct cat_model *models_read_default(struct invocation *call, enum litmus_language language, struct diags *diags) {
  return read_model(call, litmus_default_model(language), diags);
}

static struct loaded_model load_model(struct invocation *call, const char *name, struct diags *diags) {
  struct loaded_model loaded = {.name = name, .model = read_model(call, name, diags)};
  if (loaded.model) loaded.skip = skip_checks(call, loaded.model, diags);
  if (loaded.model && option_on(call, OPTION_VERBOSE)) fprintf(stderr, "model %s: %s\n", name, loaded.model->path);
  return loaded;
}

bool models_load(struct invocation *call, struct model_set *models, struct diags *diags) {
  const char *text = option_text(call, OPTION_MODEL);
  models->by_language = !text;
  models->count = LANGUAGES;
  const char *defaults[LANGUAGES];
  for (int i = 0; i < LANGUAGES; i++) defaults[i] = litmus_default_model((enum litmus_language)i);
  const char *const *names = text ? words_split(call->arena, text, &models->count) : defaults;
  models->at = ARENA_ARRAY(call->arena, struct loaded_model, models->count);
  for (size_t i = 0; i < models->count; i++) {
    struct diags own = diags_new(call->arena);
    models->at[i] = load_model(call, names[i], text ? diags : &own);
    if (own.errors) models->at[i].model = NULL; /* models_report_missing says why */
  }
  const struct cat_model **loaded = ARENA_ARRAY(call->arena, const struct cat_model *, models->count + 1);
  for (size_t i = 0; i < models->count; i++) loaded[i] = models->at[i].model;
  models_check_variants(call, loaded, models->count, diags);
  if (text && !models->count) diag_error(diags, NULL, (struct span){0}, "option -model needs a model's name");
  return diags->errors == 0;
}

bool models_load_one(struct invocation *call, struct cat_model *models[LANGUAGES], struct diags *diags) {
  const char *chosen = option_text(call, OPTION_MODEL);
  size_t count = 0;
  if (chosen) words_split(call->arena, chosen, &count);
  if (count > 1) {
    diag_error(diags, NULL, (struct span){0}, "this command takes one model, not '%s'", chosen);
    return false;
  }
  struct cat_model *model = chosen ? read_model(call, chosen, diags) : NULL;
  bool compiled = option_given(call, OPTION_TARGET); /* compilers know nothing of remote-scope promotion */
  for (int language = 0; language < LANGUAGES; language++) {
    struct diags own = diags_new(call->arena);
    models[language] = chosen ? model
                       : compiled && language == LANG_OPENCL
                           ? read_model(call, "opencl", &own)
                           : models_read_default(call, (enum litmus_language)language, &own);
  }
  models_check_variants(call, (const struct cat_model *const *)models, LANGUAGES, diags);
  return diags->errors == 0;
}

const struct loaded_model *models_for(const struct model_set *models, const struct litmus_test *test, size_t *count) {
  *count = models->by_language ? 1 : models->count;
  return models->by_language ? &models->at[test->language] : models->at;
}

/* Loading the default model again gives its errors where the test stands. */
void models_report_missing(struct invocation *call, const struct litmus_test *test, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct invocation own = *call;
  own.arena = output->arena;
  load_model(&own, litmus_default_model(test->language), &diags);
  fprintf(output->err, "%s: error: its language's model cannot be used\n", test->source->name);
  diags_print(&diags, output->err);
  output->status = STATUS_BAD;
  *vec_push(output->arena, &output->results) = (struct result){.test = test->name,
                                                               .file = test->source->name,
                                                               .subject = litmus_default_model(test->language),
                                                               .verdict = "",
                                                               .kind = RESULT_BAD,
                                                               .message = "its language's model cannot be used"};
}
