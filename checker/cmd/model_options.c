/* SPDX-License-Identifier: MIT */
/* Models of the command line: those that -model names, read once for all
 * tests, or the one that is usual for a test's language; variants are checked
 * against what models ask for. */
#include "checker/cmd/model_options.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/interrupts.h"
#include "checker/cmd/test_files.h"
#include "checker/models_in_c/models_in_c.h"
#include "checker/solve/solve.h"

/* Does a call of this name make the check?  The interpreter tells checks apart by their own names alone. */
static bool is_of_call(const struct cat_ir *ir, uint32_t check, const char *name) {
  return !ir->dynamic && text_is_one_of(name, ir->checks[check].calls);
}

/* The checks that -skipcheck(s) name, or the procedures whose checks are meant, by index.  A name that the model lacks
 * is an error: a check that is left out by a slip of the pen would be believed. */
static bool *skip_checks(struct invocation *call, const struct cat_model *model, struct diags *diags) {
  const struct cat_ir *ir = &model->ir;
  bool *skip = ARENA_ARRAY(call->arena, bool, 2 * (size_t)ir->check_count); /* room for -strictskip */
  const char **known = ROW_TEXTS(call->arena, ir->checks, ir->check_count, name);
  const enum option_id ids[] = {OPTION_SKIPCHECK, OPTION_SKIPCHECKS};
  for (int k = 0; k < 2; k++) {
    size_t count;
    const char **names = option_words(call, ids[k], &count);
    for (size_t i = 0; i < count; i++) {
      bool found = false;
      unsigned of_call = 0;
      for (uint32_t j = 0; j < ir->check_count; j++) {
        bool called = is_of_call(ir, j, names[i]);
        of_call += called;
        if (called || !strcmp(known[j], names[i])) found = skip[j] = true;
      }
      if (of_call > 1 && option_given(call, OPTION_STRICTSKIP) && option_on(call, OPTION_STRICTSKIP))
        diag_fail(diags, "-strictskip: of the %u checks of '%s', which fails cannot be told apart: name the checks",
                  of_call, names[i]);
      const char *nearest = found ? NULL : suggest(names[i], known);
      if (!found)
        diag_fail(diags, "model '%s' has no check '%s'%s", ir->name, names[i], suggest_hint(call->arena, nearest));
    }
  }
  return skip;
}

void models_check_variants(struct invocation *call, const struct cat_model *const *models, size_t model_count,
                           struct diags *diags) {
  size_t count;
  const char **words = option_words(call, OPTION_VARIANT, &count);
  VEC(const char *) known = {0};
  static const char *const of_languages[] = {"cas-keeps-expected", "lkmmv1", "lkmmv2"};
  for (size_t i = 0; i < ARRAY_COUNT(of_languages); i++) *vec_push(call->arena, &known) = of_languages[i];
  for (size_t i = 0; i < model_count; i++)
    for (const char *const *next = models[i] ? models[i]->known_variants : NULL; next && *next; next++)
      *vec_push(call->arena, &known) = *next;
  *vec_push(call->arena, &known) = NULL;
  for (size_t i = 0; i < count; i++) {
    if (text_is_one_of(words[i], known.at)) continue;
    const char *nearest = suggest(words[i], known.at);
    diag_fail(diags, "no model of this run has a variant '%s'%s", words[i], suggest_hint(call->arena, nearest));
  }
}

struct judge_model models_judge(const struct invocation *call, const struct loaded_model *loaded) {
  return (struct judge_model){loaded->name, loaded->model, loaded->skip, option_on(call, OPTION_UNDEFINED)};
}

struct enumerate_options models_engine_options(const struct invocation *call, const atomic_int *cancel) {
  return (struct enumerate_options){
      .unroll = (unsigned)option_number(call, OPTION_UNROLL),
      .max_events = (unsigned)option_number(call, OPTION_MAX_EVENTS),
      .max_memory = option_number(call, OPTION_MAX_MEMORY) << 20,
      .timeout = option_real(call, OPTION_TIMEOUT),
      .workers = 1,
      .prune = option_on(call, OPTION_PRUNE),
      .cancel = cancel,
  };
}

const char *models_find_file(const struct invocation *call, enum option_id id, const char *suffix,
                             struct diags *diags) {
  const char *name = option_text(call, id), *path = search_file(call, "models", name, suffix);
  if (!path) diag_fail(diags, "option -%s: cannot find '%s'", option_table[id].name, name);
  return path;
}

static struct cat_model *read_variant(struct invocation *call, const char *name, const char *words,
                                      struct diags *diags) {
  if (!name) {
    diag_fail(diags, "no model says what machine code means: `litscope explore` runs it on its machine");
    return NULL;
  }
  size_t folder_count, count, own_count;
  struct cat_search search = {.folders = search_folders(call, "models", &folder_count)};
  const char **of_all = option_words(call, OPTION_VARIANT, &count);
  const char **own = text_split(call->arena, words, ":", &own_count);
  const char **variants = ARENA_ARRAY(call->arena, const char *, count + own_count + 1);
  for (size_t i = 0; i < count; i++) variants[i] = of_all[i];
  for (size_t i = 0; i < own_count; i++) variants[count + i] = own[i];
  search.variants = variants;
  search.variant_count = (unsigned)(count + own_count);
  search.folder_count = (unsigned)folder_count;
  if (option_text(call, OPTION_BELL) && !(search.bell = models_find_file(call, OPTION_BELL, ".bell", diags)))
    return NULL;
  struct cat_model *model = cat_load(call->arena, name, &search, diags);
  if (model) native_attach(model);
  for (size_t i = 0; model && i < own_count; i++) {
    if (!text_is_one_of(own[i], model->known_variants))
      diag_fail(diags, "model '%s' has no variant '%s'%s", name, own[i],
                suggest_hint(call->arena, suggest(own[i], (const char *const *)model->known_variants)));
  }
  return model;
}

static struct cat_model *read_model(struct invocation *call, const char *name, struct diags *diags) {
  return read_variant(call, name, "", diags);
}

struct cat_model *models_read(struct invocation *call, const char *name, struct diags *diags) {
  return read_model(call, name, diags);
}

struct cat_model *models_read_default(struct invocation *call, enum litmus_language language, struct diags *diags) {
  return read_model(call, litmus_default_model(language), diags);
}

/* ---- NAME[:WORD]...[-CHECK]... ---- */

static bool is_model(const struct invocation *call, const char *name) {
  return search_file(call, "models", name, ".cat") != NULL;
}

/* NAME:WORD:WORD, or NULL: there is no model NAME. */
static struct cat_model *read_words(struct invocation *call, const char *text, struct diags *diags) {
  const char *colon = strchr(text, ':');
  const char *name = arena_strndup(call->arena, text, colon ? (size_t)(colon - text) : strlen(text));
  if (!is_model(call, name)) return NULL;
  struct cat_model *model = read_variant(call, name, colon ? colon + 1 : "", diags);
  if (!model || !colon) return model;
  struct cat_model *named = ARENA_COPY(call->arena, struct cat_model, model, 1);
  named->ir.name = text;
  return named;
}

/* The check of a text `...-CHECK` that is the model's; its index, or -1. */
static int check_named(const struct cat_model *model, const char *name) {
  return ROW_INDEX(model->ir.checks, model->ir.check_count, name, name);
}

/* Reads `text` less its last checks, as far as it has such; names may have dashes
 * too.  `model` is NULL where that names none. */
static struct loaded_model load_less(struct invocation *call, const char *text, struct diags *diags) {
  struct diags before = *diags;
  struct loaded_model loaded = {.name = text, .model = read_words(call, text, diags)};
  if (loaded.model && diags->errors > before.errors) { /* what seems a word may be a word and checks */
    loaded.model = NULL;
    *diags = before;
  }
  if (loaded.model) loaded.skip = ARENA_ARRAY(call->arena, bool, loaded.model->ir.check_count);
  for (const char *dash = strrchr(text, '-'); dash && !loaded.model && !diags->errors;) {
    const char *rest = arena_strndup(call->arena, text, (size_t)(dash - text));
    struct loaded_model whole = load_less(call, rest, diags);
    int check = whole.model ? check_named(whole.model, dash + 1) : -1;
    if (check >= 0) {
      struct cat_model *named = ARENA_COPY(call->arena, struct cat_model, whole.model, 1);
      named->ir.name = text;
      whole.skip[check] = true;
      loaded = (struct loaded_model){.name = text, .model = named, .skip = whole.skip};
    }
    while (dash > text && *--dash != '-') continue;
    if (dash == text) break;
  }
  return loaded;
}

const struct cat_model *models_without_chains(struct invocation *call, const struct loaded_model *loaded,
                                              struct arena *arena) {
  struct diags diags = diags_new(arena);
  struct invocation own = *call;
  own.arena = arena;
  const struct cat_model *model = read_words(&own, arena_printf(arena, "%s:nochains", loaded->name), &diags);
  return diags.errors ? NULL : model;
}

static void apply_strictskip(struct invocation *call, struct loaded_model *loaded, struct diags *diags) {
  bool some = false;
  for (uint32_t i = 0; i < loaded->model->ir.check_count; i++) some |= loaded->skip[i];
  if (!some || !option_on(call, OPTION_STRICTSKIP)) return;
  if (loaded->model->judge)
    diag_fail(diags, "-strictskip: what fails checks of the model '%s' is not known: C decides on its executions",
              loaded->model->ir.name);
  else
    loaded->model = cat_model_strict(call->arena, loaded->model, loaded->skip);
}

static struct loaded_model load_model(struct invocation *call, const char *name, struct diags *diags) {
  struct loaded_model loaded = {.name = name};
  if (name) loaded = load_less(call, name, diags);
  if (name && !loaded.model && !diags->errors) loaded.model = read_words(call, name, diags);
  if (!loaded.model && !diags->errors) loaded.model = read_model(call, name, diags);
  if (loaded.model) {
    const bool *less = loaded.skip;
    loaded.skip = skip_checks(call, loaded.model, diags);
    for (uint32_t i = 0; less && i < loaded.model->ir.check_count; i++) loaded.skip[i] |= less[i];
    apply_strictskip(call, &loaded, diags);
  }
  if (loaded.model && option_on(call, OPTION_VERBOSE)) fprintf(stderr, "model %s: %s\n", name, loaded.model->path);
  return loaded;
}

static bool load_models(struct invocation *call, struct model_set *models, struct diags *diags) {
  const char *text = option_text(call, OPTION_MODEL);
  models->by_language = !text;
  models->count = LANGUAGES;
  const char *defaults[LANGUAGES];
  for (int i = 0; i < LANGUAGES; i++) defaults[i] = litmus_default_model((enum litmus_language)i);
  const char *const *names = text ? text_split(call->arena, text, ",", &models->count) : defaults;
  models->at = ARENA_ARRAY(call->arena, struct loaded_model, models->count);
  bool wanted[LANGUAGES]; /* words of -variant are checked against all */
  files_find_languages(call, wanted);
  for (size_t i = 0; i < models->count; i++) {
    if (!text && !wanted[i] && !option_given(call, OPTION_VARIANT)) continue;
    struct diags own = diags_new(call->arena);
    models->at[i] = load_model(call, names[i], text ? diags : &own);
    if (own.errors) models->at[i].model = NULL; /* models_report_missing says why */
  }
  const struct cat_model **loaded = ARENA_ARRAY(call->arena, const struct cat_model *, models->count + 1);
  for (size_t i = 0; i < models->count; i++) loaded[i] = models->at[i].model;
  models_check_variants(call, loaded, models->count, diags);
  return diags->errors == 0;
}

bool models_load(struct invocation *call, struct model_set *models, struct diags *diags) {
  if (option_text(call, OPTION_BELL) && !models_find_file(call, OPTION_BELL, ".bell", diags)) return false;
  tests_limit_reading(call, NULL);
  bool done = load_models(call, models, diags);
  guard_end_patience();
  return done;
}

static bool load_one(struct invocation *call, struct cat_model *models[LANGUAGES], struct diags *diags) {
  const char *chosen = option_text(call, OPTION_MODEL);
  size_t count = 0;
  if (chosen) text_split(call->arena, chosen, ",", &count);
  if (count > 1) return diag_fail(diags, "this command takes one model, not '%s'", chosen);
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

bool models_load_one(struct invocation *call, struct cat_model *models[LANGUAGES], struct diags *diags) {
  tests_limit_reading(call, NULL);
  bool done = load_one(call, models, diags);
  guard_end_patience();
  return done;
}

const struct loaded_model *models_for(const struct model_set *models, const struct litmus_test *test, size_t *count) {
  *count = models->by_language ? 1 : models->count;
  return models->by_language ? &models->at[test->language] : models->at;
}

/* Is the annotation declared, for whatever instructions? */
static bool is_declared(const struct cat_model *model, const char *annotation) {
  for (size_t i = 0; i < model->instruction_count; i++)
    if (text_is_one_of(annotation, model->instructions[i].tags)) return true;
  return false;
}

/* The first instruction with an annotation. */
static struct span place_of(const struct program *program, tag_set annotation) {
  INSTR_EACH (instr, program) {
    tag_set tags = instr->tags | instr->read_tags | instr->write_tags | instr->failed_tags | instr->around;
    if (tags & annotation) return instr->span;
  }
  return (struct span){0};
}

void models_check_annotations(const struct loaded_model *loaded, const struct litmus_test *test,
                              struct test_output *output) {
  const struct program *program = test->program;
  const struct cat_model *model = loaded->model;
  struct diags diags = diags_new(output->arena);
  for (unsigned i = 0; i < program->annotation_count; i++) {
    const char *name = program->annotations[i];
    struct span span = place_of(program, program_annotation(program, name));
    if (!model->instruction_count) {
      diag_warning(&diags, test->source, span,
                   "annotations such as '%s' mean nothing to the model %s, which declares none; -bell names a file "
                   "that does",
                   name, loaded->name);
      break;
    }
    if (is_declared(model, name)) continue;
    VEC(const char *) known = {0};
    for (size_t k = 0; k < model->instruction_count; k++)
      for (const char *const *tag = model->instructions[k].tags; *tag; tag++) *vec_push(output->arena, &known) = *tag;
    *vec_push(output->arena, &known) = NULL;
    diag_warning(&diags, test->source, span, "the model %s declares no annotation '%s'%s", loaded->name, name,
                 suggest_hint(output->arena, suggest(name, known.at)));
  }
  diags_print(&diags, output->err);
}

/* The word that a test begins with. */
static struct span header_word(const struct source *source) {
  size_t at = strspn(source->text, " \t\r\n");
  return (struct span){(uint32_t)at, (uint32_t)strcspn(source->text + at, " \t\r\n")};
}

bool models_check_solver(const struct loaded_model *model, const struct litmus_test *test, bool stops,
                         struct test_output *output) {
  const char *why = solve_refusal(output->arena, test, model->model, stops);
  if (!why) return true;
  fprintf(output->err, "%s: -engine solve has no answer for %s under %s: %s\n", test->source->name, test->name,
          model->name, why);
  tests_add_unanswered(output, test, model->name, RESULT_BAD, "the solver cannot be asked");
  return false;
}

bool models_check_language(const struct invocation *call, const struct cat_model *model, const char *name,
                           const struct litmus_test *test, struct test_output *output) {
  const char *language = litmus_language_word(test->language);
  if (cat_model_is_for(model, language) || option_on(call, OPTION_FORCE)) return true;
  struct diags diags = diags_new(output->arena);
  diag_error(&diags, test->program->source, header_word(test->program->source),
             "the model %s is for tests in %s, and this one is in %s; -force asks it anyway", name,
             cat_model_languages(output->arena, model), language);
  diags_print(&diags, output->err);
  tests_add_unanswered(output, test, name, RESULT_BAD, "the model is for other languages");
  return false;
}

bool models_check_programs(const struct invocation *call, const struct cat_model *model, const char *name,
                           enum litmus_language language, struct diags *diags) {
  const char *own = litmus_language_word(language);
  if (cat_model_is_for(model, own) || option_on(call, OPTION_FORCE)) return true;
  return diag_fail(diags, "the model %s is for tests in %s, and these programs are in %s; -force asks it anyway", name,
                   cat_model_languages(diags->arena, model), own);
}

/* Loading the default model again gives its errors where the test stands. */
void models_report_missing(struct invocation *call, const struct litmus_test *test, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct invocation own = *call;
  own.arena = output->arena;
  const char *model = litmus_default_model(test->language); /* machine code has none */
  load_model(&own, model, &diags);
  if (!model || !diags.errors)
    fprintf(output->err, "%s: error: its language's model cannot be used\n", test->source->name);
  diags_print(&diags, output->err);
  tests_add_unanswered(output, test, model ? model : "", RESULT_BAD, "its language's model cannot be used");
}
