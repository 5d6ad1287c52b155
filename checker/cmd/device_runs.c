/* SPDX-License-Identifier: MIT */
/* Options of runs on devices, and one test's way there and back. */
#include "checker/cmd/device_runs.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/explain/why_forbidden.h"

/* ---- options ---- */

static void read_params_file(struct invocation *call, struct settings *settings, struct diags *diags) {
  const char *path = option_text(call, OPTION_PARAMS_FILE);
  if (!path) return;
  const struct source *source = source_read(call->arena, path, diags);
  if (source) settings_read(settings, source, diags);
}

static void read_params(struct invocation *call, struct settings *settings, struct diags *diags) {
  const char *text = option_text(call, OPTION_RUN_PARAMS);
  if (text) settings_read(settings, source_from_text(call->arena, "-params", text, strlen(text)), diags);
}

bool device_setup_load(struct invocation *call, struct device_setup *setup, struct diags *diags) {
  size_t before = diags->errors;
  bool reporting = call->command == COMMAND_REPORT;
  *setup = (struct device_setup){
      .index = (unsigned)option_number(call, OPTION_DEVICE),
      .settings = settings_new(),
      .instances = (uint32_t)option_number(call, OPTION_INSTANCES),
      .runs = (uint32_t)option_number(call, OPTION_LAUNCHES),
      .seconds = option_real(call, OPTION_TIME),
      .timeout = option_real(call, reporting ? OPTION_TIMEOUT : OPTION_RUN_TIMEOUT),
      .seed = option_number(call, OPTION_SEED),
      .drop_remote = option_on(call, OPTION_DROP_REMOTE),
      .one_device = option_on(call, OPTION_ONE_DEVICE),
      .weaken = option_is(call, OPTION_MUTATE, "relaxed"),
      .rewrite = option_on(call, OPTION_REWRITE),
  };
  static const enum option_id of_tests[] = {OPTION_STRESS, OPTION_PARAMS_FILE, OPTION_RUN_PARAMS, OPTION_MUTATE,
                                            OPTION_TUNE,   OPTION_DROP_REMOTE, OPTION_ONE_DEVICE};
  if (!reporting && option_given(call, OPTION_OUTPUT)) setup->rewrite = true;
  for (size_t i = 0; i < ARRAY_COUNT(of_tests); i++) setup->rewrite |= option_given(call, of_tests[i]);
  if (setup->timeout <= 0) setup->timeout = 60; /* of a report without -timeout */
  settings_stress(&setup->settings, option_text(call, OPTION_STRESS));
  read_params_file(call, &setup->settings, diags);
  read_params(call, &setup->settings, diags);
  return diags->errors == before;
}

bool device_setup_open(struct invocation *call, struct device_setup *setup, struct diags *diags) {
  size_t count;
  const struct device_facts *facts = device_list(call->arena, &count, diags);
  if (!facts) return false;
  if (setup->index >= count)
    return diag_fail(diags, "there is no device %u; `litscope run -devices` lists %zu, numbered from 0", setup->index,
                     count);
  setup->facts = &facts[setup->index];
  return true;
}

/* ---- a test ---- */

bool device_test_lay_out(const struct device_setup *setup, const struct litmus_test *test, struct arena *arena,
                         struct device_test *made, struct diags *diags) {
  *made = (struct device_test){.test = test};
  enum layout_words words = test->language == LANG_VULKAN ? WORDS_VULKAN
                            : test->language == LANG_PTX  ? WORDS_PTX
                                                          : WORDS_NONE;
  if ((words && words != setup->words) || test->language == LANG_AMDGPU)
    return diag_fail(diags, "%s: %s tests do not run on devices; those of OpenCL, C and HSA do%s", test->source->name,
                     litmus_language_word(test->language),
                     words == WORDS_VULKAN ? ", and -emit vulkan takes Vulkan's"
                     : words == WORDS_PTX  ? ", and -emit cuda takes PTX's"
                                           : "");
  if (setup->drop_remote || setup->one_device) {
    struct litmus_test *changed = ARENA_COPY(arena, struct litmus_test, test, 1);
    if (setup->drop_remote) changed->program = layout_drop_remote(arena, changed->program, &made->dropped);
    if (setup->one_device) changed->program = layout_one_device(arena, changed->program, &made->moved);
    made->test = changed;
  }
  const struct program *program = made->test->program;
  if (setup->weaken) program = layout_relax(arena, program);
  if (words) program = layout_keep_words(arena, program, words, diags);
  if (program) made->layout = layout_new(arena, program, words != WORDS_NONE, diags);
  return made->layout != NULL;
}

static struct device_use use_of(const struct device_setup *setup) {
  return (struct device_use){setup->facts, &setup->settings, setup->instances};
}

static bool make_as_written(const struct device_setup *setup, const struct litmus_test *test, struct arena *arena,
                            struct device_test *made, struct diags *diags) {
  struct litmus_test *changed = ARENA_NEW(arena, struct litmus_test);
  *made = (struct device_test){.test = changed, .kernel = test->source->text};
  *changed = *test;
  changed->program = kernel_zeroed(arena, test->program, &made->zeroed);
  struct device_use use = use_of(setup);
  made->as_written =
      kernel_as_written_new(arena, test->program, test->observables, test->observable_count, &use, diags);
  return made->as_written != NULL;
}

bool device_test_make(const struct device_setup *setup, const struct litmus_test *test, struct arena *arena,
                      struct device_test *made, struct diags *diags) {
  if (test->program->kernel_launch && !setup->rewrite) return make_as_written(setup, test, arena, made, diags);
  if (!device_test_lay_out(setup, test, arena, made, diags)) return false;
  struct device_use use = use_of(setup);
  if (!fit(made->layout, test->name, &use, &made->fitted, diags)) return false;
  made->kernel = kernel_write(arena, made->layout, &dialect_opencl, &made->fitted.options, diags);
  return made->kernel != NULL;
}

const long long *device_initial(struct arena *arena, const struct layout *layout) {
  long long *initial = ARENA_ARRAY(arena, long long, layout->cell_count + 1);
  for (unsigned i = 0; i < layout->program->location_count; i++)
    if (layout->cell[i] >= 0) initial[layout->cell[i]] = layout->program->locations[i].init;
  return initial;
}

static void count_outcomes(const struct layout *layout, const struct histogram *h, struct seen *seen,
                           struct arena *arena) {
  const struct litmus_test *full = seen->full;
  unsigned *place = ARENA_ARRAY(arena, unsigned, full->observable_count + 1);
  int64_t *values = ARENA_ARRAY(arena, int64_t, full->observable_count + 1);
  for (unsigned k = 0; k < full->observable_count; k++)
    place[k] = layout ? layout_place(layout, full->observables[k]) : k;
  for (size_t i = 0; i < h->count; i++) {
    for (unsigned k = 0; k < full->observable_count; k++) values[k] = h->values[i * h->width + place[k]];
    outcomes_add(&seen->all, values)->count += h->counts[i];
  }
}

struct seen *device_test_seen(const struct device_test *made, struct arena *arena) {
  return made->as_written ? seen_new_asked(arena, made->test) : seen_new(arena, made->test);
}

struct device_result device_test_run(const struct device_setup *setup, const struct device_test *made,
                                     struct arena *arena, struct seen *seen) {
  struct device_job job = {.device = setup->index,
                           .kernel = made->kernel,
                           .as_written = made->as_written,
                           .shape = made->fitted.shape,
                           .launch = made->fitted.launch,
                           .initial = made->layout ? device_initial(arena, made->layout) : NULL,
                           .seed = setup->seed,
                           .runs = setup->runs,
                           .seconds = setup->seconds,
                           .timeout = setup->timeout,
                           .cancel = setup->cancel};
  struct device_result result = device_run(arena, &job);
  if (result.end == DEVICE_DONE) count_outcomes(made->layout, &result.histogram, seen, arena);
  return result;
}

static const char *note_of_as_written(const struct device_setup *setup, const struct device_test *made,
                                      struct arena *arena) {
  const struct kernel_launch *launch = made->as_written->launch;
  const char *note = "the kernel is run as it is, each launch an instance";
  if (made->zeroed) note = arena_printf(arena, "%s; what has no @Input is 0, in the model too", note);
  if (launch->sub_groups > 1) note = arena_printf(arena, "%s; the device makes its own sub-groups", note);
  if (launch->groups > setup->facts->units)
    note = arena_printf(arena, "%s; an instance has %u work-groups and the device runs %u at once", note,
                        launch->groups, setup->facts->units);
  return note;
}

static const char *note_of(const struct device_setup *setup, const struct device_test *made, struct arena *arena) {
  const char *note = "";
  if (made->dropped)
    note = arena_printf(arena, "%u remote operation%s run as ordinary ones; ", made->dropped,
                        made->dropped == 1 ? " was" : "s were");
  if (made->moved)
    note = arena_printf(arena, "%s%u thread%s run on this one; ", note, made->moved,
                        made->moved == 1 ? " of another device was" : "s of other devices were");
  if (setup->weaken) note = arena_printf(arena, "%sthe kernel was weakened (-mutate relaxed); ", note);
  if (made->layout->narrowest)
    note = arena_printf(arena, "%swork-item scope was run as work-group scope, the narrowest of atomic operations; ",
                        note);
  if (made->fitted.partly)
    note = arena_printf(arena, "%san instance has %u work-groups and the device runs %u at once; ", note,
                        made->layout->part_count, setup->facts->units);
  size_t length = strlen(note);
  return length ? arena_strndup(arena, note, length - 2) : NULL;
}

struct histogram_run device_test_histogram(const struct device_setup *setup, const struct device_test *made,
                                           const struct device_result *result, struct arena *arena) {
  struct histogram_run run = {.device = setup->facts->name,
                              .instances = result->instances,
                              .launches = result->launches,
                              .seed = setup->seed,
                              .seconds = result->seconds};
  if (made->as_written) {
    run.settings =
        arena_printf(arena, "groups=%u,items=%u", made->as_written->launch->groups, made->as_written->launch->items);
    run.launches = run.instances;
    run.note = note_of_as_written(setup, made, arena);
    return run;
  }
  struct text text = text_new();
  struct settings used = setup->settings; /* with what was chosen for the device */
  used.groups = made->fitted.launch.groups;
  used.lanes = made->fitted.options.lanes;
  used.gather = made->fitted.launch.gather;
  used.stress_groups = made->fitted.launch.stress_groups;
  settings_write(&used, ",", text.out);
  run.settings = text_keep(&text, arena);
  run.note = note_of(setup, made, arena);
  return run;
}

const char *device_end_text(struct arena *arena, const struct device_setup *setup, const struct device_result *result) {
  switch (result->end) {
    case DEVICE_DONE:
      return "";
    case DEVICE_TIMEOUT:
      return arena_printf(arena, "a launch did not end within %g s", setup->timeout);
    case DEVICE_CANCELLED:
      return "interrupted";
    case DEVICE_BUILD:
      return "the device's compiler refuses the kernel";
    case DEVICE_FAILED:
      break;
  }
  return result->message;
}

const char *const *device_reasons(const struct seen *seen, const struct cat_model *model,
                                  const struct enumerate_options *options, struct arena *arena) {
  const char **why = ARENA_ARRAY(arena, const char *, seen->violation_count + 1);
  for (size_t i = 0; i < seen->violation_count && i < HISTOGRAM_TOLD; i++) {
    const struct verdict *asked = verdict_run(arena, seen->violations[i].asked, model, options, NULL);
    why[i] = why_forbidden(arena, asked, model, options);
  }
  return why;
}
