/* SPDX-License-Identifier: MIT */
/* `verify`: machine against model, test by test. An unsound mapping is shown
 * by the outcome, by why the model forbids it, and by a shortest run to it. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/path.h"
#include "checker/base/text.h"
#include "checker/cmd/compare_with_baseline.h"
#include "checker/cmd/fail_on.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/run_picture.h"
#include "checker/cmd/verify_campaigns.h"
#include "checker/exec/search/record_decision_tree.h"
#include "checker/explain/why_forbidden.h"
#include "checker/explain/why_undefined.h"
#include "checker/report/json_hardware.h"
#include "checker/report/log.h"
#include "checker/report/picture_files.h"
#include "checker/report/write_machine_certificate.h"
#include "checker/translate/model_as_machine.h"
#include "checker/verify/verify_test.h"

struct verify_command {
  struct invocation *call;
  struct hardware hardware;
  struct cat_model *models[LANGUAGES]; /* by language */
  struct test_runner runner;
  struct expectation expected; /* -expect */
  const char *folder;          /* -o */
  struct grapher *grapher;
  size_t totals[VERIFY_BAD + 1]; /* results, by answer */
};

static struct verify_options verify_options(const struct verify_command *command, unsigned workers) {
  const struct invocation *call = command->call;
  struct explore_options explore = hardware_explore_options(call, command->runner.cancel);
  struct enumerate_options model = models_engine_options(call, command->runner.cancel);
  explore.workers = model.workers = workers;
  model.cut_spins = option_on(call, OPTION_VERIFY_AWAITS) && !option_given(call, OPTION_CERTIFY);
  return (struct verify_options){
      .explore = explore,
      .model = model,
      .strict = option_on(call, OPTION_STRICT),
      .shortest = true,
      .deepen = !option_given(call, OPTION_UNROLL),
  };
}

/* A test that has been verified on a target. */
struct verified {
  const struct verify_command *command;
  const struct litmus_test *test;
  const struct target *target;
  const struct cat_model *model;
  struct verify_options options;
  struct verify_result result;
  const char *undefined; /* VERIFY_UNDEFINED: why */
  struct test_output *output;
};

static void draw_trace(const struct verified *v) {
  const struct verify_result *r = &v->result;
  const char *title =
      arena_printf(v->output->arena, "%s under %s: %s", r->test->name, v->target->name, r->test->condition_text);
  struct run_picture picture = {&r->machine, r->test->program, r->trace, r->trace_length, title};
  run_picture_write(v->command->call, v->output, v->target->name, "trace", &picture);
}

/* The translated program's execution that shows what the source's model forbids. */
static void draw_translated(const struct verified *v, struct draw_options wanted, struct diags *diags) {
  const struct translated_setup *setup = v->target->settings;
  const struct verify_result *result = &v->result;
  struct arena *arena = v->output->arena;
  const struct litmus_test *test = translated_test(&result->machine, result->trace[0].step, arena);
  wanted.label = arena_printf(arena, "%s-%s", v->output->label, v->target->name);
  wanted.executions = (struct exhibit_options){.show = SHOW_PROP, .through = THROUGH_NONE, .most = 1};
  wanted.model = setup->model->ir.name;
  if (test) draw_executions(v->command->grapher, test, setup->model, &v->options.model, &wanted, diags);
}

/* Files of -o: the trace, and the execution that it stands for. */
static void draw(const struct verified *v) {
  const struct verify_command *command = v->command;
  struct test_output *output = v->output;
  struct diags diags = diags_new(output->arena);
  struct draw_options wanted = {.folder = command->folder,
                                .label = output->label,
                                .model = path_last(v->model->ir.name),
                                .told = pictures_told(command->call, output->err),
                                .format = option_on(command->call, OPTION_SVG) ? GRAPH_SVG : GRAPH_DOT,
                                .executions = {.show = SHOW_PROP, .through = THROUGH_ALL, .most = 1}};
  if (v->target->kind->code == CODE_TRANSLATED)
    draw_translated(v, wanted, &diags);
  else
    draw_trace(v);
  if (v->result.answer == VERIFY_UNSOUND)
    draw_executions(command->grapher, v->result.test, v->model, &v->options.model, &wanted, &diags);
  tests_tell(output, &diags);
}

static void write_trace(const struct verify_result *result, FILE *out) {
  hardware_print_run(&result->machine, result->trace, result->trace_length, out);
}

static void write_unsound(const struct verified *v, FILE *out) {
  const struct verify_result *result = &v->result;
  const struct enumerate_options *options = &v->options.model;
  struct arena *arena = v->output->arena;
  fputs("Outcome ", out);
  log_write_state(out, result->test, result->outcome);
  if (result->reason) fprintf(out, "%s\n", result->reason);
  /* The same model and test, now asking for the outcome alone: of few executions. */
  bool few = !result->verdict->partial;
  const struct verdict *asked = few ? verdict_run(arena, result->test, v->model, options, NULL) : NULL;
  if (few) fputs(why_forbidden(arena, asked, v->model, options), out);
  write_trace(result, out);
}

static void write_deadlock(const struct verify_result *result, FILE *out) {
  write_trace(result, out);
  fputs("Stuck in\n", out);
  hardware_print_end(&result->machine, result->trace, result->trace_length, out);
}

static const char *why_undefined(const struct verified *v) {
  const struct verify_result *result = &v->result;
  struct test_output *output = v->output;
  enum enumerate_end end = result->verdict->end;
  bool cut = end != END_DONE && end != END_STOPPED; /* a flag was found first */
  const struct undefined found = undefined_explain(output->arena, result->verdict, v->model, &v->options.model);
  if (cut || found.cut)
    tests_tell_limit(output, result->test, "a limit was reached: there may be more reasons for %s", result->test->name);
  return found.sentence ? found.sentence : "any outcome is possible";
}

static void write_undefined(const struct verify_result *result, const char *sentence, FILE *out) {
  for (size_t i = 0; i < result->verdict->flag_count; i++)
    if (result->verdict->flags[i].undefined) fprintf(out, "Flag %s\n", result->verdict->flags[i].name);
  fprintf(out, "Undefined: %s\n", sentence);
  if (result->reason) fprintf(out, "Reason %s\n", result->reason);
  if (!result->outcome) return;
  fputs("Deviation ", out);
  log_write_state(out, result->test, result->outcome);
  write_trace(result, out);
}

static void write_result(const struct verified *v, FILE *out) {
  const struct verify_result *result = &v->result;
  const char *model = v->model->ir.name;
  fprintf(out, "Verify %s %s %s\n", v->test->name, v->target->name, verify_answer_name(result->answer));
  switch (result->answer) {
    case VERIFY_UNSOUND:
      write_unsound(v, out);
      break;
    case VERIFY_DEADLOCK:
      if (result->trace_length) write_deadlock(result, out);
      break;
    case VERIFY_UNDEFINED:
      if (strcmp(model, litmus_default_model(v->test->language)) != 0) fprintf(out, "Model %s\n", model);
      write_undefined(result, v->undefined, out);
      break;
    case VERIFY_UNDECIDED:
      fprintf(out, "Reason %s\n", result->reason);
      break;
    case VERIFY_HAZARD:
      fprintf(out, "Hazard %s\n", result->reason);
      write_trace(result, out);
      break;
    case VERIFY_SOUND:
    case VERIFY_BAD:
      return;
  }
  fputc('\n', out);
}

/* -certify: the model's search once more, written down; then what the machine does. */
static void certify(const struct verified *v) {
  const struct target *target = v->target;
  const struct verify_result *result = &v->result;
  const struct cat_model *model = v->model;
  struct test_output *output = v->output;
  struct enumerate_options recorded = v->options.model;
  bool by_execution = v->options.strict && (result->answer == VERIFY_SOUND || !result->machine.name_step);
  bool answered =
      result->answer == VERIFY_SOUND || result->answer == VERIFY_UNSOUND || result->answer == VERIFY_DEADLOCK;
  if (!answered) return;
  struct text tree = text_new();
  struct record record = {.out = tree.out};
  const char *lacks = certificate_refusal(result->test, model);
  if (!lacks) lacks = certificate_machine_refusal(target, result->test->program);
  if (!lacks && by_execution) lacks = "what -strict compares, executions";
  recorded.workers = 1;
  recorded.record = &record;
  const struct verdict *verdict = lacks ? NULL : verdict_run(output->arena, result->test, model, &recorded, NULL);
  const char *text = text_keep(&tree, output->arena);
  if (lacks) {
    hardware_refuse_certificate(output, result->test, target->name, lacks);
    return;
  }
  if (verdict->end != END_DONE) {
    tests_tell_limit(output, result->test, "no certificate of %s under %s: %s met", result->test->name, target->name,
                     log_limit(verdict->end));
    return;
  }
  certificate_write(output->certificate, verdict, model, &recorded, text);
  certificate_add_verified(output->certificate, target, result, output->arena);
}

/* `text`: what the log says. */
static void add_result(const struct verified *v, const char *text, const char *difference) {
  const struct verify_result *result = &v->result;
  struct test_output *output = v->output;
  struct result *summary = tests_add_result(output, v->test, v->target->name, verify_answer_name(result->answer));
  summary->undefined = result->answer == VERIFY_UNDEFINED;
  summary->seconds = result->stats.seconds;
  summary->kind = failure_of_target(result->answer);
  if (result->answer == VERIFY_UNSOUND || result->answer == VERIFY_DEADLOCK)
    summary->message =
        result->outcome ? arena_printf(output->arena, "reaches %s", result->test->condition_text) : "a run gets stuck";
  else if (summary->kind != RESULT_DONE)
    summary->message = result->reason;
  const struct verify_command *command = v->command;
  const char *failure = v->undefined ? failure_of_undefined(command->call, v->undefined, output->arena) : NULL;
  failure_note(&command->expected, difference, failure, summary, output);
  if (summary->kind != RESULT_DONE) summary->detail = text;
  if (difference) summary->detail = arena_printf(output->arena, "%s%s", difference, text);
}

static int status_of(const struct verify_result *result) {
  /* Undefined, and whether the machine deviates is not known. */
  if (result->answer == VERIFY_UNDEFINED && result->reason && !result->verdict->stats.cut) return STATUS_LIMIT;
  return result_status(failure_of_target(result->answer));
}

static void write_stats(const struct verified *v) {
  const struct verify_result *result = &v->result;
  fprintf(v->output->err, "Stats %s %s: %llu states, %llu transitions, %.6f s; model %.6f s\n", v->test->name,
          v->target->name, (unsigned long long)result->stats.states, (unsigned long long)result->stats.transitions,
          result->stats.seconds, result->verdict ? result->verdict->seconds : 0);
}

/* The size of the target's code; nothing of one that runs none or has no answer. */
static struct code_size verify_one(const struct verify_command *command, const struct target *target,
                                   const struct litmus_test *test, unsigned workers, struct explorer *explorer,
                                   struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct verified v = {.command = command,
                       .test = test,
                       .target = target,
                       .model = command->models[test->language],
                       .options = verify_options(command, workers),
                       .output = output};
  struct verify_result *result = &v.result;
  struct verifier verifier = {target, v.model, &v.options, explorer};
  verify_test(&verifier, test, output->arena, result, &diags);
  hardware_note_lines(&result->machine, test, result->trace, result->trace_length, output->arena);
  v.options.model.unroll = result->unroll;
  if (result->answer == VERIFY_BAD) {
    tests_refuse(output, test, target->name, &diags);
    return (struct code_size){0};
  }
  if (result->answer == VERIFY_UNDEFINED) v.undefined = why_undefined(&v);
  const char *log = TEXT_PRINTED(output->arena, out, write_result(&v, out));
  fputs(log, output->out);
  if (output->json) json_write_verification(output->json, test, target->name, v.model->ir.name, result);
  if (result->trace_length && result->cut != EXPLORE_DONE)
    fprintf(output->err, "%s: %s: this run of %s need not be a shortest one\n", test->source->name,
            explore_end_text(result->cut), test->name);
  if (output->certificate) certify(&v);
  if (command->folder && result->trace_length) draw(&v);
  if (option_on(command->call, OPTION_STATS)) write_stats(&v);
  struct baseline_result answer = {
      .test = test->name, .model = target->name, .observation = verify_answer_name(result->answer)};
  const char *difference = expect_compare(&command->expected, &answer, test->source->name, output);
  add_result(&v, log, difference);
  output->status = status_join(output->status, status_of(result));
  return result->machine.code_size ? result->machine.code_size(&result->machine) : (struct code_size){0};
}

/* A row of numbers, or with `size` NULL what they are. */
static void write_size(bool ptx, const struct code_size *size, FILE *out) {
  if (!size)
    fputs(ptx ? "instructions fences acquires/releases\n" : "instructions  waits  invalidates  write-backs\n", out);
  else if (ptx)
    fprintf(out, "%12u %6u %17u\n", size->instructions, size->fences, size->ordered);
  else
    fprintf(out, "%12u %6u %12u %12u\n", size->instructions, size->waits, size->invalidates, size->write_backs);
}

/* What a kernel's code costs, by target: its instructions, and those that order memory accesses. */
static void write_sizes(const struct litmus_test *test, const struct target *targets, const struct code_size *sizes,
                        size_t count, bool ptx, FILE *out) {
  bool headed = false;
  for (size_t i = 0; i < count; i++) {
    if (!sizes[i].instructions || sizes[i].ptx != ptx) continue;
    if (!headed) {
      fprintf(out, "Code of %-24s ", test->name);
      write_size(ptx, NULL, out);
    }
    headed = true;
    fprintf(out, "%-32s ", targets[i].name);
    write_size(ptx, &sizes[i], out);
  }
  if (headed) fputc('\n', out);
}

static void verify_file(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct verify_command *command = context;
  if (!command->models[test->language]) {
    struct diags diags = diags_new(output->arena);
    struct invocation own = *command->call;
    own.arena = output->arena;
    models_read_default(&own, test->language, &diags);
    tests_refuse(output, test, litmus_default_model(test->language), &diags);
    return;
  }
  const struct cat_model *model = command->models[test->language];
  if (!models_check_language(command->call, model, model->ir.name, test, output)) return;
  size_t count;
  const struct target *targets = hardware_targets(&command->hardware, test->program, output->arena, &count);
  struct explorer *explorer = explorer_new();
  hardware_warn_of_unset(command->call, test, output);
  struct code_size *sizes = ARENA_ARRAY(output->arena, struct code_size, count + 1);
  for (size_t i = 0; i < count; i++) sizes[i] = verify_one(command, &targets[i], test, workers, explorer, output);
  for (int ptx = 0; test->kernel && !option_on(command->call, OPTION_QUIET) && ptx < 2; ptx++)
    write_sizes(test, targets, sizes, count, ptx, output->out);
  explorer_free(explorer);
}

/* By answer; what has none could not be asked. */
static void count_result(struct verify_command *command, const struct result *result) {
  enum verify_answer answer = VERIFY_SOUND;
  while (answer < VERIFY_BAD && strcmp(result->verdict, verify_answer_name(answer)) != 0) answer++;
  command->totals[answer]++;
}

static void collect(void *context, const struct results *results) {
  struct verify_command *command = context;
  expect_note(&command->expected, results);
  for (size_t i = 0; i < results->count; i++) count_result(command, &results->at[i]);
}

static void print_totals(const struct verify_command *command) {
  const char *names[VERIFY_BAD + 1] = {[VERIFY_BAD] = "Refused"};
  for (enum verify_answer answer = VERIFY_SOUND; answer < VERIFY_BAD; answer++)
    names[answer] = verify_answer_name(answer);
  totals_print(command->call, names, command->totals, VERIFY_BAD + 1);
}

static bool prepare_drawing(struct verify_command *command, struct diags *diags) {
  command->folder = pictures_folder(command->call);
  if (command->folder) command->grapher = pictures_open(command->call, command->folder, diags);
  return !command->folder || command->grapher;
}

/* ---- without tests ---- */

static const struct verify_campaign *const CAMPAIGNS[] = {
#define CAMPAIGN(name) &verify_##name,
    VERIFY_CAMPAIGN_LIST(CAMPAIGN)
#undef CAMPAIGN
};

/* The campaign that is asked for, of files (where no hardware was loaded) or not; NULL: none. */
static const struct verify_campaign *find_campaign(const struct verify_request *request) {
  for (size_t i = 0; i < ARRAY_COUNT(CAMPAIGNS); i++)
    if (CAMPAIGNS[i]->of_files == !request->hardware && CAMPAIGNS[i]->is_asked(request)) return CAMPAIGNS[i];
  return NULL;
}

/* A compiler without tests is asked about a family. */
static bool is_campaign(const struct invocation *call) {
  return option_given(call, OPTION_VERIFY_FAMILY) || option_on(call, OPTION_ABLATE) ||
         (option_given(call, OPTION_TARGET) && !call->word_count);
}

static int run_campaign(struct verify_command *command) {
  struct invocation *call = command->call;
  struct diags diags = diags_new(call->arena);
  const struct cat_model *model = command->models[LANG_OPENCL];
  command->runner.cancel = tests_watch_limits(call);
  const struct verify_request request = {call, &command->hardware, model, verify_options(command, 1)};
  const struct verify_campaign *asked = find_campaign(&request);
  if (call->word_count)
    diag_fail(&diags, "-family and -ablate generate programs: no test is expected, found '%s'", call->words[0]);
  if (asked->of_opencl && !model)
    models_read_default(call, LANG_OPENCL, &diags);
  else if (asked->of_opencl)
    models_check_programs(call, model, model->ir.name, LANG_OPENCL, &diags);
  return diags.errors ? diags_report(&diags) : asked->run(&request);
}

/* Translations know nothing of remote-scope promotion: what they are compared
 * with is OpenCL's own model. */
static bool load_models(struct verify_command *command, struct diags *diags) {
  struct invocation *call = command->call;
  if (!models_load_one(call, command->models, diags)) return false;
  if (!hardware_all(command->hardware.at, command->hardware.named, &translated_kind) ||
      option_given(call, OPTION_MODEL))
    return true;
  command->models[LANG_OPENCL] = models_read(call, "opencl", diags);
  return command->models[LANG_OPENCL] != NULL;
}

int command_verify(struct invocation *call) {
  struct verify_command command = {.call = call, .runner = {.run = verify_file, .collect = collect}};
  struct diags diags = diags_new(call->arena);
  if (option_on(call, OPTION_STRICT) && option_given(call, OPTION_TARGET)) {
    diag_fail(&diags, "-strict follows the executions of the GPU machine (-mapping), not of compiled code (-target)");
    return diags_report(&diags);
  }
  const struct verify_request bare = {.call = call};
  const struct verify_campaign *of_files = find_campaign(&bare);
  if (of_files) return of_files->run(&bare);
  if (!hardware_load(call, &command.hardware, &diags) || !expect_load(call, &command.expected, &diags) ||
      !load_models(&command, &diags))
    return diags_report(&diags);
  if (is_campaign(call)) return run_campaign(&command);
  if (!prepare_drawing(&command, &diags)) return diags_report(&diags);
  command.runner.context = &command;
  int status = tests_run(call, &command.runner);
  if (!command.runner.partial) {
    expect_warn_missing(call, &command.expected);
    print_totals(&command);
  }
  grapher_free(command.grapher);
  return status;
}
