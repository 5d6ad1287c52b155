/* SPDX-License-Identifier: MIT */
/* The options of `check`: values that exclude each other, and names that no model has. */
#include "checker/cmd/check_options.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"

/* A flag, or also another check, of this name? */
static bool has_check(const struct cat_model *model, const char *name, bool flags_only) {
  if (model->judge) return true; /* C has checks of its own */
  for (uint32_t i = 0; i < model->ir.check_count; i++) {
    bool meant = !flags_only || model->ir.checks[i].role != ROLE_REQUIRE;
    if (meant && !strcmp(model->ir.checks[i].name, name)) return true;
  }
  return false;
}

static bool some_has_check(const struct model_set *models, const char *name, bool flags_only) {
  for (size_t i = 0; i < models->count; i++)
    if (models->at[i].model && has_check(models->at[i].model, name, flags_only)) return true;
  return false;
}

/* A misspelt flag is raised by nothing, which would be believed; and nothing fails a misspelt check. */
static void warn_of_names(const struct invocation *call, const struct model_set *models, struct diags *diags) {
  static const enum option_id options[] = {OPTION_SHOWFLAG, OPTION_BADFLAG, OPTION_THROUGHFLAG};
  for (size_t k = 0; k < ARRAY_COUNT(options); k++) {
    const char *name = option_text(call, options[k]);
    if (name && !some_has_check(models, name, true))
      diag_warning(diags, NULL, (struct span){0}, "option -%s: no model of this run has a flag '%s'",
                   option_table[options[k]].name, name);
  }
  size_t count;
  const char **checks = option_words(call, OPTION_FAILING, &count);
  for (size_t i = 0; i < count; i++)
    if (!some_has_check(models, checks[i], false))
      diag_warning(diags, NULL, (struct span){0}, "option -cycles: no model of this run has a check '%s'", checks[i]);
}

/* The names of relations that the models of this run have, and those that every model can use; ends in NULL. */
static const char **relation_names(const struct model_set *models, struct arena *arena) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < models->count; i++) {
    const struct cat_model *model = models->at[i].model;
    for (uint32_t k = 0; model && k < model->ir.node_count; k++)
      if (model->ir.nodes[k].type == CAT_REL && model->ir.nodes[k].name)
        *vec_push(arena, &names) = model->ir.nodes[k].name;
  }
  for (size_t i = 0; i < BASE_COUNT; i++)
    for (const char **name = text_split(arena, cat_bases[i].names, " ", NULL); *name; name++)
      if (cat_bases[i].type == CAT_REL) *vec_push(arena, &names) = *name;
  *vec_push(arena, &names) = NULL;
  return names.at;
}

static bool some_is_in_c(const struct model_set *models) {
  for (size_t i = 0; i < models->count; i++)
    if (models->at[i].model && models->at[i].model->judge) return true;
  return false;
}

/* A misspelt relation would be missing in the picture without a word; files of options are for many models. */
static bool relations_go(const struct invocation *call, const struct model_set *models, struct diags *diags) {
  static const enum option_id options[] = {OPTION_DOSHOW, OPTION_UNSHOW};
  struct arena *arena = call->arena;
  if (option_given(call, OPTION_CONF) || some_is_in_c(models)) return true;
  for (size_t k = 0; k < ARRAY_COUNT(options); k++) {
    size_t count;
    const char **wanted = option_words(call, options[k], &count);
    const char **names = count ? relation_names(models, arena) : NULL;
    for (size_t i = 0; i < count; i++) {
      if (!text_is_one_of(wanted[i], names))
        diag_fail(diags, "option -%s: no model of this run has a relation '%s'%s", option_table[options[k]].name,
                  wanted[i], suggest_hint(arena, suggest(wanted[i], names)));
    }
  }
  return !diags->errors;
}

/* The one counts what fails checks, the other what fails none. */
static bool through_goes(const struct invocation *call, struct diags *diags) {
  if (option_on(call, OPTION_STRICTSKIP) && !option_is(call, OPTION_THROUGH, "none"))
    diag_fail(diags, "-strictskip does not go with -through all and invalid");
  return !diags->errors;
}

/* The proposition may be of registers that such states lack. */
static bool reads_go(const struct invocation *call, struct diags *diags) {
  if (option_on(call, OPTION_OUTCOMEREADS) && option_is(call, OPTION_RESTRICT, "condone"))
    diag_fail(diags,
              "-outcomereads does not go with -restrict condone: its states may lack what the proposition looks at");
  return !diags->errors;
}

/* A certificate is of the whole search, as it is without these. */
static bool certify_goes(const struct invocation *call, struct diags *diags) {
  bool whole = option_is(call, OPTION_SPEEDCHECK, "false") && !option_is(call, OPTION_ROUNDS, "new") &&
               option_on(call, OPTION_PRUNE) && !option_on(call, OPTION_STRICTSKIP) &&
               option_is(call, OPTION_THROUGH, "none") && !option_given(call, OPTION_THROUGHFLAG) &&
               !option_is(call, OPTION_RESTRICT, "observed") && !option_on(call, OPTION_OUTCOMEREADS);
  if (option_given(call, OPTION_CERTIFY) && !whole)
    diag_fail(diags,
              "-certify goes with none of -speedcheck, -rounds new, -no-prune, -strictskip, -through, -throughflag, "
              "-restrict observed and -outcomereads");
  return !diags->errors;
}

/* The solver finds one execution for each question. */
static bool engine_goes(const struct invocation *call, struct diags *diags) {
  bool one = option_is(call, OPTION_THROUGH, "none") && !option_given(call, OPTION_THROUGHFLAG) &&
             !option_is(call, OPTION_RESTRICT, "observed") && !option_on(call, OPTION_OUTCOMEREADS) &&
             option_on(call, OPTION_PRUNE);
  if (option_is(call, OPTION_ENGINE, "solve") && !one)
    diag_fail(diags,
              "-engine solve goes with none of -through, -throughflag, -restrict observed, -outcomereads "
              "and -no-prune");
  return !diags->errors;
}

bool check_options_go(const struct invocation *call, struct diags *diags) {
  return through_goes(call, diags) && reads_go(call, diags) && certify_goes(call, diags) && engine_goes(call, diags);
}

bool check_names_go(const struct invocation *call, const struct model_set *models, struct diags *diags) {
  warn_of_names(call, models, diags);
  return relations_go(call, models, diags);
}
