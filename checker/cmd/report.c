/* SPDX-License-Identifier: MIT */
/* `report`: everything known of some tests as one web page. Each test's
 * section is written by itself, tests side by side; the page with the table
 * of all results goes around them at the end. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "checker/base/escape.h"
#include "checker/base/outfile.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/compiler_options.h"
#include "checker/cmd/cost_mapping.h"
#include "checker/cmd/device_runs.h"
#include "checker/cmd/fail_on.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/explain/shown_executions.h"
#include "checker/explain/why_forbidden.h"
#include "checker/report/execution_picture.h"
#include "checker/report/html.h"
#include "checker/report/log.h"
#include "checker/report/sequence_diagram.h"
#include "checker/verify/verify_test.h"
#include "hwsem/compile_by_mapping.h"

/* Executions drawn of a test and model, unless -nshow says otherwise. */
enum { FIGURES = 2 };

struct report {
  struct invocation *call;
  struct model_set models;
  bool on_hardware; /* -mapping or -machine is given */
  bool on_device;   /* -device is given */
  struct device_setup device;
  struct pricing *pricing;        /* with the targets */
  struct hardware compiled;       /* -target; none: it is not given */
  const struct cat_model *opencl; /* what compiled OpenCL tests are compared with */
  struct grapher *grapher;
  struct test_runner runner;
  struct results results;
};

/* What one test's section is written with. */
struct section {
  const struct report *report;
  const struct litmus_test *test;
  struct test_output *output;
  struct enumerate_options engine;
};

static void add_result(struct section *s, const char *subject, const char *verdict, enum result_kind kind,
                       const char *message, bool undefined) {
  struct result *result = tests_add_result(s->output, s->test, subject, verdict);
  result->undefined = undefined;
  result->kind = kind;
  result->message = message;
  s->output->status = status_join(s->output->status, result_status(kind));
}

/* ---- models ---- */

static bool draw_figure(void *context, const struct exhibit *exhibit, bool forbidden, unsigned number) {
  (void)number;
  struct section *s = context;
  bool drawn;
  const char *svg =
      TEXT_PRINTED(s->output->arena, out, drawn = grapher_write(s->report->grapher, exhibit, NULL, GRAPH_SVG, out));
  if (drawn) {
    html_write_figure(s->output->out, svg, forbidden ? "a forbidden execution" : "an allowed execution");
  } else {
    html_write_text(s->output->out, NULL, "A picture is missing: Graphviz could not draw it.\n");
    tests_tell_limit(s->output, s->test, "Graphviz could not draw a picture of %s", s->test->name);
  }
  return true;
}

static void write_model(struct section *s, const struct loaded_model *loaded, const struct verdict *v) {
  struct arena *arena = s->output->arena;
  const char *observed = v->end == END_DONE ? log_observation(v) : log_limit(v->end);
  markup_print(s->output->out, "<h3>%s: %s%s</h3>\n", v->model, observed, v->bad ? ", racy" : "");
  bool cut;
  const char *why = why_text(arena, v, loaded->model, &s->engine, &cut);
  if (*why) html_write_text(s->output->out, NULL, why);
  bool chosen = option_given(s->report->call, OPTION_NSHOW);
  struct exhibit_options shown = {.show = SHOW_WIT, .through = THROUGH_INVALID};
  shown.most = chosen ? (unsigned)option_number(s->report->call, OPTION_NSHOW) : FIGURES;
  struct exhibit_sink sink = {s, draw_figure};
  bool missing = s->report->grapher && !exhibit_each(s->test, loaded->model, &s->engine, &shown, &sink);
  if (missing) html_write_text(s->output->out, NULL, "A limit was reached: some pictures are missing.\n");
  if (cut || missing) s->output->status = status_join(s->output->status, STATUS_LIMIT);
}

static const struct verdict *run_model(struct section *s, const struct loaded_model *loaded) {
  s->engine.skip = loaded->skip;
  const struct verdict *v = verdict_run(s->output->arena, s->test, loaded->model, &s->engine, NULL);
  bool done = v->end == END_DONE;
  add_result(s, v->model, done ? log_observation(v) : "", done ? RESULT_DONE : RESULT_LIMIT,
             done ? NULL : log_limit(v->end), v->bad > 0);
  return v;
}

static void write_models(struct section *s) {
  size_t count;
  const struct loaded_model *models = models_for(&s->report->models, s->test, &count);
  const struct verdict **verdicts = ARENA_ARRAY(s->output->arena, const struct verdict *, count);
  for (size_t i = 0; i < count; i++) {
    if (!models[i].model) {
      models_report_missing(s->report->call, s->test, s->output);
      return;
    }
    if (!models_check_language(s->report->call, models[i].model, models[i].name, s->test, s->output)) return;
    verdicts[i] = run_model(s, &models[i]);
  }
  html_write_states(s->output->out, verdicts, count);
  for (size_t i = 0; i < count; i++) {
    s->engine.skip = models[i].skip;
    write_model(s, &models[i], verdicts[i]);
  }
}

/* ---- mappings ---- */

static void write_trace(struct section *s, const struct verify_result *result, const char *title) {
  const char *svg = TEXT_PRINTED(
      s->output->arena, out,
      sequence_write_svg(&result->machine, result->test->program, result->trace, result->trace_length, title, out));
  html_write_figure(s->output->out, svg,
                    result->cut == EXPLORE_DONE ? "the shortest run; steps of the environment in another colour"
                                                : "a run; steps of the environment in another colour");
}

/* What there is to say of an answer, besides its name. */
static const char *target_text(const struct verify_result *result, const struct diags *diags) {
  if (diags->count) return diags->at[0].message;
  if (result->reason) return result->reason;
  if (result->answer == VERIFY_UNSOUND) return result->test->condition_text;
  if (result->answer == VERIFY_DEADLOCK) return "A run gets stuck.";
  return result->answer == VERIFY_SOUND ? "Every outcome of the machine is allowed."
                                        : "The program has undefined behaviour: the machine may do anything.";
}

/* Compiled targets are no mappings. */
static const char *kind_of(const struct section *s, const struct target *target) {
  const struct hardware *compiled = &s->report->compiled;
  return target >= compiled->at && target < compiled->at + compiled->count ? "Target" : "Mapping";
}

static void write_target(struct section *s, const struct target *target, const struct cat_model *model,
                         struct explorer *explorer) {
  struct arena *arena = s->output->arena;
  struct diags diags = diags_new(arena);
  struct verify_options options = {.explore = hardware_explore_options(s->report->call, s->report->runner.cancel),
                                   .model = s->engine,
                                   .shortest = true};
  options.model.cut_spins = true;
  struct verify_result result;
  struct verifier verifier = {target, model, &options, explorer};
  verify_test(&verifier, s->test, arena, &result, &diags);
  const char *answer = result.answer == VERIFY_BAD ? "not applicable" : verify_answer_name(result.answer);
  const char *why = target_text(&result, &diags);
  add_result(s, target->name, answer, failure_of_target(result.answer), result.answer == VERIFY_SOUND ? NULL : why,
             result.answer == VERIFY_UNDEFINED);
  const char *title = arena_printf(arena, "%s under %s: %s", s->test->name, target->name, answer);
  html_write_text(s->output->out,
                  arena_printf(arena, "%s %s against %s: %s", kind_of(s, target), target->name, model->ir.name, answer),
                  why);
  if (result.trace_length) write_trace(s, &result, title);
}

/* The model that a mapping is for: the language's own where it is among those
 * asked for, else the first. */
static const struct cat_model *mapping_model(const struct section *s) {
  size_t count;
  const struct loaded_model *models = models_for(&s->report->models, s->test, &count);
  for (size_t i = 0; i < count; i++)
    if (models[i].model && !strcmp(models[i].model->ir.name, litmus_default_model(s->test->language)))
      return models[i].model;
  return count ? models->model : NULL;
}

static void write_targets(struct section *s, const struct target *targets, size_t count,
                          const struct cat_model *model) {
  if (!model) return;
  struct explorer *explorer = explorer_new();
  s->engine.skip = NULL;
  for (size_t i = 0; i < count; i++) write_target(s, &targets[i], model, explorer);
  explorer_free(explorer);
}

/* -target: what compilers make of the test. */
static void write_compiled(struct section *s) {
  const struct hardware *compiled = &s->report->compiled;
  bool opencl = s->test->language == LANG_OPENCL;
  write_targets(s, compiled->at, compiled->count, opencl ? s->report->opencl : mapping_model(s));
}

/* ---- a device ---- */

static enum result_kind seen_kind(const struct seen *seen) {
  if (seen->answer == SEEN_VIOLATION) return RESULT_DIFFERS;
  return seen->answer == SEEN_UNDECIDED ? RESULT_LIMIT : RESULT_DONE;
}

static void write_seen(struct section *s, const struct device_test *made, const struct device_result *result,
                       struct seen *seen, const struct cat_model *model) {
  struct arena *arena = s->output->arena;
  s->engine.skip = NULL;
  seen_judge(seen, arena, model, &s->engine);
  bool broken = seen->answer == SEEN_VIOLATION;
  const char *observed = broken ? "Violation" : outcomes_observation(&seen->states);
  const char *why = broken ? seen->violations[0].asked->condition_text : seen->reason;
  add_result(s, "device", observed, seen_kind(seen), why, seen->answer == SEEN_UNDEFINED);
  struct histogram_run run = device_test_histogram(&s->report->device, made, result, arena);
  const char *const *reasons = device_reasons(seen, model, &s->engine, arena);
  html_write_text(s->output->out, arena_printf(arena, "Device %s: %s", run.device, observed),
                  TEXT_PRINTED(arena, out, histogram_write(out, seen, &run, reasons)));
}

static void write_device(struct section *s) {
  struct device_setup own = s->report->device, *device = &own;
  own.cancel = s->report->runner.cancel;
  const struct cat_model *model = mapping_model(s);
  struct diags diags = diags_new(s->output->arena);
  struct device_test made;
  if (!model) return;
  if (!device_test_make(device, s->test, s->output->arena, &made, &diags)) {
    add_result(s, "device", "not applicable", RESULT_DONE, diags.at[0].message, false);
    html_write_text(s->output->out, "Device: not applicable", diags.at[0].message);
    return;
  }
  struct seen *seen = device_test_seen(&made, s->output->arena);
  struct device_result result = device_test_run(device, &made, s->output->arena, seen);
  if (result.end == DEVICE_DONE) {
    write_seen(s, &made, &result, seen, model);
    return;
  }
  const char *reason = device_end_text(s->output->arena, device, &result);
  add_result(s, "device", "", RESULT_LIMIT, reason, false);
  html_write_text(s->output->out, "Device: no result", reason);
}

/* The instructions that are priced, as `compile` prints them; "": there are none. */
static const char *program_text(struct arena *arena, const struct litmus_test *test, const struct target *target) {
  struct diags diags = diags_new(arena);
  struct hw_program *program = target->mapping ? compile_program(arena, test->program, target->mapping, &diags) : NULL;
  if (!program) return "";
  return TEXT_PRINTED(arena, out, hw_program_print(program, out));
}

static void write_cost(struct section *s, const struct target *target) {
  struct arena *arena = s->output->arena;
  const char *price, *unit;
  int64_t amount = pricing_target(s->report->pricing, s->test, target, arena, &price, &unit);
  bool priced = amount >= 0;
  const char *subject = arena_printf(arena, "cost of %s", target->name);
  if (priced) {
    add_result(s, subject, price, RESULT_DONE, NULL, false);
    struct result *result = &s->output->results.at[s->output->results.count - 1];
    result->ranked = true;
    result->rank = amount;
  }
  const char *heading = priced ? arena_printf(arena, "Cost under %s%s: %s", target->name, unit, price)
                               : arena_printf(arena, "Cost under %s: none, %s", target->name, price);
  const char *program = program_text(arena, s->test, target);
  html_write_text(s->output->out, heading, program);
}

/* ---- the command ---- */

static void report_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct report *report = context;
  struct section s = {report, test, output, models_engine_options(report->call, report->runner.cancel)};
  s.engine.workers = workers;
  html_open_test(output->out, test, output->label);
  write_models(&s);
  size_t count;
  const struct target *targets = hardware_targets(&report->pricing->hardware, test->program, output->arena, &count);
  if (report->on_hardware) write_targets(&s, targets, count, mapping_model(&s));
  if (report->compiled.count) write_compiled(&s);
  if (report->on_device) write_device(&s);
  for (size_t i = 0; i < count; i++) write_cost(&s, &targets[i]);
  html_close_test(output->out);
}

static void collect(void *context, const struct results *results) {
  struct report *report = context;
  for (size_t i = 0; i < results->count; i++) *vec_push(report->call->arena, &report->results) = results->at[i];
}

/* Models, mappings and costs that some test has a result for, as they came. */
static const char **subjects_of(const struct report *report, size_t *count) {
  VEC(const char *) subjects = {0};
  for (size_t i = 0; i < report->results.count; i++) {
    const char *subject = report->results.at[i].subject;
    if (*subject && text_index(subject, subjects.at, subjects.count) < 0)
      *vec_push(report->call->arena, &subjects) = subject;
  }
  *count = subjects.count;
  return subjects.at;
}

static bool load_compiled(struct report *report, struct diags *diags) {
  struct xml_folders search = mapping_search(report->call);
  report->opencl = models_read(report->call, "opencl", diags);
  return report->opencl && compiled_load(report->call, &search, &report->compiled, diags);
}

static bool prepare(struct report *report, const char *folder, struct diags *diags) {
  struct invocation *call = report->call;
  if (!folder) return diag_fail(diags, "report needs a folder to write to: -o DIR");
  if (!folder_make(call->arena, folder, diags)) return false;
  report->on_hardware = option_given(call, OPTION_MAPPING) || option_given(call, OPTION_MACHINE);
  report->on_device = option_given(call, OPTION_DEVICE);
  if (report->on_device &&
      (!device_setup_load(call, &report->device, diags) || !device_setup_open(call, &report->device, diags)))
    return false;
  report->pricing = pricing_new(call, diags);
  if (!report->pricing || !models_load(call, &report->models, diags)) return false;
  if (option_given(call, OPTION_TARGET) && !load_compiled(report, diags)) return false;
  report->grapher = grapher_new(search_program(call->arena, "litscope-draw"));
  if (!report->grapher) diag_warning(diags, NULL, (struct span){0}, "no pictures of executions: %s", grapher_fault());
  return true;
}

/* The day of the report; SOURCE_DATE_EPOCH makes it the same for ever. */
static const char *today(struct arena *arena) {
  const char *epoch = getenv("SOURCE_DATE_EPOCH");
  time_t now = epoch ? (time_t)strtoll(epoch, NULL, 10) : time(NULL);
  struct tm utc;
  char text[sizeof "2000-01-01"] = "";
  if (!gmtime_r(&now, &utc) || !strftime(text, sizeof text, "%Y-%m-%d", &utc)) return "";
  return arena_strdup(arena, text);
}

static const char *command_line(const struct invocation *call) {
  struct text text = text_new();
  fputs("litscope", text.out);
  for (char **argument = call->arguments + 1; *argument; argument++) {
    fputc(' ', text.out);
    shell_print(*argument, text.out);
  }
  return text_keep(&text, call->arena);
}

static void write_page(const struct report *report, const char *folder, const char *sections, struct diags *diags) {
  const char *path = arena_printf(report->call->arena, "%s/index.html", folder);
  size_t count;
  const char **subjects = subjects_of(report, &count);
  struct html_page page = {"litscope report", LITSCOPE_VERSION, today(report->call->arena), command_line(report->call)};
  struct outfile file;
  if (outfile_open(report->call->arena, path, &file))
    html_write_page(file.stream, &page, &report->results, subjects, count, sections);
  if (outfile_finish(&file, true, diags)) printf("%s\n", path);
}

int command_report(struct invocation *call) {
  struct report report = {.call = call};
  struct diags diags = diags_new(call->arena);
  const char *folder = option_text(call, OPTION_OUTPUT);
  if (!prepare(&report, folder, &diags)) return diags_report(&diags);
  struct text sections = text_new();
  report.runner = (struct test_runner){.context = &report, .run = report_test, .collect = collect, .out = sections.out};
  report.runner.alone = report.on_device;
  int status = tests_run(call, &report.runner);
  text_end(&sections);
  if (report.results.count) write_page(&report, folder, sections.at, &diags);
  text_free(&sections);
  grapher_free(report.grapher);
  if (status == STATUS_LIMIT) fputs("litscope: a limit was reached: the page says where\n", stderr);
  return status_join(status, diags_report(&diags));
}
