/* SPDX-License-Identifier: MIT */
/* Targets and verifications of litscope.h. */
#include <assert.h>
#include <string.h>

#include "checker/api/objects.h"
#include "checker/base/text.h"
#include "checker/explain/why_forbidden.h"
#include "checker/verify/verify_test.h"
#include "hwsem/machines/kinds.h"
#include "hwsem/mapping.h"
#include "hwsem/xml.h"

struct litscope_target {
  struct arena *arena;
  struct target target;
};

struct target_arguments {
  const char *mapping, *machine;
};

/* Loads a machine of a kind; false: it is none of the kind's. */
static bool load_machine(struct target *target, const struct machine_kind *kind, const char *name,
                         const struct xml_folders *search, struct arena *arena, struct diags *diags) {
  target->kind = kind;
  target->settings = arena_alloc(arena, kind->settings_size);
  if (!name) return true;
  target->name = machine_kind_load(kind, arena, name, search, target->settings, diags);
  return target->name != NULL;
}

/* The mapping's machine, a GPU. */
static bool load_mapped(struct target *target, const struct target_arguments *names, const struct xml_folders *search,
                        struct arena *arena, struct diags *diags) {
  const char *root = xml_root_name(arena, names->mapping, search);
  if (root && !strcmp(root, "translation"))
    return diag_fail(diags, "%s is a translation, which only `litscope verify`, `explore` and `compile` take",
                     names->mapping);
  target->mapping = mapping_load(arena, names->mapping, search, diags);
  if (!target->mapping) return false;
  const char *machine = names->machine ? names->machine : gpu_kind.usual[0];
  if (!load_machine(target, &gpu_kind, machine, search, arena, diags)) return false;
  target->name = target->mapping->name;
  return true;
}

/* A machine that takes no mapping: the first kind that has one of this name. */
static bool load_plain(struct target *target, const char *machine, const struct xml_folders *search,
                       struct arena *arena, struct diags *diags) {
  struct diags last = diags_new(diags->arena);
  for (const struct machine_kind *const *kind = machine_kinds; *kind; kind++) {
    if ((*kind)->code == CODE_MAPPED) continue;
    last = diags_new(diags->arena);
    if (load_machine(target, *kind, machine, search, arena, &last)) return true;
  }
  assert(last.count); /* there are kinds without mappings */
  return diag_fail(diags, "%s", last.at[0].message);
}

static void make_target(struct api_call *call) {
  const struct target_arguments *names = call->arguments;
  if (!names->mapping && !names->machine) {
    diag_fail(&call->diags, "a target needs a mapping or a machine");
    return;
  }
  struct arena *arena = call->object = arena_new();
  struct xml_folders search = {0};
  search.folders = api_folders(call->session, arena, "mappings", &search.folder_count);
  litscope_target *made = ARENA_NEW(arena, litscope_target);
  made->arena = arena;
  api_begin_reading(call);
  bool loaded = names->mapping ? load_mapped(&made->target, names, &search, arena, &call->diags)
                               : load_plain(&made->target, names->machine, &search, arena, &call->diags);
  api_end_reading();
  if (loaded) call->result = made;
}

litscope_target *litscope_target_load(litscope *session, const char *mapping, const char *machine) {
  return api_run(session, make_target, &(struct target_arguments){mapping, machine});
}

API_FREES(target);
API_TELLS(const char *, target, name, target->target.name, NULL);

/* ---- verifications ---- */

struct litscope_verification {
  struct arena *arena;
  const char *answer, *outcome, *reason, *why;
  const char **steps;
  size_t step_count;
  bool loop_cut;
};

struct verify_arguments {
  const litscope_test *test;
  const litscope_target *target;
  const litscope_model *model;
  const litscope_options *options;
};

static struct verify_options verify_options(const litscope *session, const litscope_options *options) {
  struct verify_options verify = {.explore = {.por = true, .symmetry = true}, .shortest = true};
  verify.model = api_engine_options(session, options);
  verify.model.cut_spins = true;
  verify.explore.cancel = verify.model.cancel;
  if (!options) return verify;
  verify.explore.max_states = options->max_states;
  verify.explore.max_memory = options->max_memory;
  verify.explore.timeout = verify.model.timeout;
  return verify;
}

static void keep_steps(litscope_verification *made, const struct verify_result *result) {
  made->step_count = result->trace_length;
  made->steps = ARENA_ARRAY(made->arena, const char *, made->step_count + 1);
  for (size_t i = 0; i < made->step_count; i++) {
    const struct explore_step *step = &result->trace[i];
    made->steps[i] = TEXT_PRINTED(
        made->arena, out, result->machine.print_step(&result->machine, step->step, step->before, step->after, out));
  }
}

static void keep_result(litscope_verification *made, const struct verify_result *result, const struct cat_model *model,
                        const struct enumerate_options *engine) {
  made->answer = verify_answer_name(result->answer);
  made->outcome = result->outcome ? result->test->condition_text : NULL;
  made->reason = result->reason;
  made->loop_cut = result->verdict && result->verdict->stats.cut;
  made->why = "";
  if (result->answer == VERIFY_UNSOUND && result->outcome) {
    const struct verdict *asked = verdict_run(made->arena, result->test, model, engine, NULL);
    made->why = why_forbidden(made->arena, asked, model, engine);
  }
  keep_steps(made, result);
}

static void make_verification(struct api_call *call) {
  const struct verify_arguments *arguments = call->arguments;
  if (!arguments->test || !arguments->target || !arguments->model) {
    diag_fail(&call->diags, "verifying needs a test, a target and a model");
    return;
  }
  if (!api_check_language(call, arguments->test, arguments->model, arguments->options)) return;
  struct verify_options options = verify_options(call->session, arguments->options);
  struct arena *arena = call->object = arena_new();
  struct explorer *explorer = explorer_new();
  litscope_verification *made = ARENA_NEW(arena, litscope_verification);
  made->arena = arena;
  struct verify_result result;
  struct verifier verifier = {&arguments->target->target, arguments->model->model, &options, explorer};
  verify_test(&verifier, arguments->test->test, arena, &result, &call->diags);
  if (result.answer != VERIFY_BAD) keep_result(made, &result, arguments->model->model, &options.model);
  call->limited = result.answer == VERIFY_UNDECIDED;
  explorer_free(explorer);
  if (result.answer != VERIFY_BAD) call->result = made;
}

litscope_verification *litscope_verify(litscope *session, const litscope_test *test, const litscope_target *target,
                                       const litscope_model *model, const litscope_options *options) {
  return api_run(session, make_verification, &(struct verify_arguments){test, target, model, options});
}

API_FREES(verification);
API_TELLS(const char *, verification, answer, verification->answer, NULL);
API_TELLS(const char *, verification, outcome, verification->outcome, NULL);
API_TELLS(const char *, verification, reason, verification->reason, NULL);
API_TELLS(const char *, verification, why, verification->why, NULL);
API_TELLS(int, verification, loop_cut, verification->loop_cut, 0);
API_TELLS(size_t, verification, step_count, verification->step_count, 0);

const char *litscope_verification_step(const litscope_verification *verification, size_t step) {
  return step < litscope_verification_step_count(verification) ? verification->steps[step] : NULL;
}
