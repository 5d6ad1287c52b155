/* SPDX-License-Identifier: MIT */
/* `repair`: the cheapest change of a test's text that makes it what is wanted, as a
 * patch, and why nothing cheaper does; with -weaken what a right test can spare. */
#include "checker/search/repair.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/models.h"
#include "checker/explain/why.h"
#include "checker/litmus/moves.h"
#include "checker/report/json.h"
#include "checker/report/log.h"
#include "checker/report/patch.h"
#include "checker/verdict/stop.h"

enum { CHANGE = 1000, FENCE = 4, SHOWN_CONFLICTS = 8, ANSWERS = 16 };

struct repair_command {
  struct invocation *call;
  struct model_set models;
  bool weaken;
  bool ends;             /* -want ends */
  const char *condition; /* -want CONDITION; NULL: the test's own, or none */
  bool race_free_only;   /* -want race-free */
  struct test_runner runner;
};

/* What is asked of one test. */
struct task {
  const struct repair_command *command;
  const struct litmus_test *test;
  const struct loaded_model *model;
  struct litmus_options reading;
  struct enumerate_options limits;
  struct places places;
  struct repair_place *problem_places;
  struct test_output *output;
  const char *wrong; /* -weaken: why it is not right as it is; NULL: it is */
  const char *limit; /* why something was undecided; NULL: nothing was */
};

/* Why a choice is wrong. */
struct reason {
  const char *text; /* in lines */
};

/* ---- is a text what is wanted? ---- */

/* The condition as it must hold: an outcome that the test asks about is one that must not be. */
static void want(const struct task *task, struct litmus_test *test) {
  static const struct prop anything = {.kind = PROP_TRUE};
  if (task->command->race_free_only || task->command->ends) {
    test->quantifier = QUANT_FORALL;
    test->condition = &anything;
  } else if (!task->command->condition && test->quantifier == QUANT_EXISTS) {
    test->quantifier = QUANT_NOT_EXISTS;
  }
}

static const struct litmus_test *read_choice(const struct task *task, struct arena *arena, const unsigned *choice) {
  struct diags diags = diags_new(arena);
  const struct source *source = moves_apply(arena, task->test, &task->places, choice);
  struct litmus_test *test = litmus_parse(arena, source, &task->reading, &diags);
  if (test) want(task, test);
  return test;
}

/* The first outcome that speaks against the condition. */
static const int64_t *wrong_outcome(const struct verdict *v) {
  const struct shown_state shown = {v->test->observables, v->test->observable_count, NULL};
  bool meets_is_wrong = v->test->quantifier == QUANT_NOT_EXISTS;
  for (size_t i = 0; i < v->states.count; i++) {
    struct shown_state one = shown;
    one.values = v->states.at[i].values;
    if (shown_meets(&one, v->test->condition) == meets_is_wrong) return one.values;
  }
  return NULL;
}

static const char *undefined_text(const struct verdict *v, struct arena *arena) {
  for (size_t i = 0; i < v->flag_count; i++)
    if (v->flags[i].undefined && v->flags[i].count) return arena_printf(arena, "undefined: %s", v->flags[i].name);
  return "undefined";
}

static struct reason *reason_new(struct arena *arena, const char *text) {
  struct reason *reason = ARENA_NEW(arena, struct reason);
  reason->text = arena_strdup(arena, text);
  return reason;
}

/* Does some thread go on for ever? */
static enum repair_answer ask_ends(struct task *task, struct arena *arena, const struct litmus_test *test,
                                   const struct reason **why) {
  struct stop stop = stop_find(arena, test, task->model->model, &task->limits);
  if (stop.end != END_DONE || (!stop.found && stop.stats.cut)) {
    task->limit = stop.end != END_DONE ? log_limit(stop.end) : "loops that may go on (-unroll)";
    return REPAIR_UNDECIDED;
  }
  if (stop.found) *why = reason_new(task->output->arena, "a run that does not end");
  return stop.found ? REPAIR_WRONG : REPAIR_RIGHT;
}

static enum repair_answer ask_text(struct task *task, struct arena *arena, const struct litmus_test *test,
                                   const struct reason **why) {
  struct enumerate_options options = task->limits;
  options.stop_when_undefined = true;
  const struct verdict *v = verdict_run(arena, test, task->model->model, &options, NULL);
  if (v->bad || v->stats.undefined) {
    *why = reason_new(task->output->arena, undefined_text(v, arena));
    return REPAIR_WRONG;
  }
  bool holds = v->end == END_DONE && verdict_ok(v);
  const int64_t *wrong = v->end == END_DONE && !holds && test->quantifier != QUANT_EXISTS ? wrong_outcome(v) : NULL;
  if (wrong) *why = reason_new(task->output->arena, log_state_text(arena, test, wrong));
  if (wrong) return REPAIR_WRONG;
  if (v->end != END_DONE || v->stats.cut) {
    task->limit = v->end != END_DONE ? log_limit(v->end) : "a loop was cut (-unroll)";
    return REPAIR_UNDECIDED;
  }
  /* What has no execution at all, as where a barrier waits for ever, is not made right by that. */
  if (!v->states.count || !holds)
    *why = reason_new(task->output->arena, v->states.count ? "no such outcome" : "no execution ends");
  if (!v->states.count || !holds) return REPAIR_WRONG;
  return task->command->ends ? ask_ends(task, arena, test, why) : REPAIR_RIGHT;
}

static enum repair_answer ask(void *context, const unsigned *choice, const void **why) {
  struct task *task = context;
  struct arena *arena = arena_new();
  const struct reason *reason = NULL;
  const struct litmus_test *test = read_choice(task, arena, choice);
  enum repair_answer answer = REPAIR_WRONG;
  if (test)
    answer = ask_text(task, arena, test, &reason);
  else
    reason = reason_new(task->output->arena, "the text has an error then");
  if (answer == REPAIR_WRONG) *why = reason;
  arena_free(arena);
  return answer;
}

/* ---- prices ---- */

/* A change costs the same whatever it is; of equally many, those that add least count first, and of those that add
 * as much, those that change least. */
static int64_t repair_price(const struct place *place, size_t form) {
  const struct form_strength *before = &place->forms[0].strength, *after = &place->forms[form].strength;
  unsigned was = strength_weight(before), is = strength_weight(after);
  if (!form) return 0;
  return CHANGE + (is > was ? 8 * (is - was) : 0) + strength_differences(before, after);
}

static int64_t strength_price(const struct place *place, size_t form) {
  const struct form *f = &place->forms[form];
  return *f->text ? strength_weight(&f->strength) : 0;
}

/* -weaken: forms that are no stronger than what stands there. */
static void weaken_places(struct task *task) {
  size_t kept = 0;
  for (size_t i = 0; i < task->places.count; i++) {
    struct place place = task->places.at[i];
    size_t forms = 0;
    for (size_t f = 0; f < place.form_count; f++)
      if (strength_within(&place.forms[f].strength, &place.forms[0].strength)) place.forms[forms++] = place.forms[f];
    place.form_count = forms;
    if (forms > 1) task->places.at[kept++] = place;
  }
  task->places.count = kept;
}

static void set_up(struct task *task) {
  struct arena *arena = task->output->arena;
  task->problem_places = ARENA_ARRAY(arena, struct repair_place, task->places.count + 1);
  for (size_t i = 0; i < task->places.count; i++) {
    const struct place *place = &task->places.at[i];
    struct repair_form *forms = ARENA_ARRAY(arena, struct repair_form, place->form_count);
    bool *within = ARENA_ARRAY(arena, bool, place->form_count * place->form_count);
    for (size_t a = 0; a < place->form_count; a++) {
      forms[a].price = task->command->weaken ? strength_price(place, a) : repair_price(place, a);
      for (size_t b = 0; b < place->form_count; b++)
        within[a * place->form_count + b] = strength_within(&place->forms[a].strength, &place->forms[b].strength);
    }
    task->problem_places[i] = (struct repair_place){forms, place->form_count, within};
  }
}

/* ---- answers ---- */

static unsigned line_of(const struct task *task, uint32_t at) {
  unsigned line, column;
  source_position(task->test->source, at, &line, &column);
  return line;
}

static size_t changes_of(const struct task *task, const unsigned *choice) {
  size_t changes = 0;
  for (size_t i = 0; i < task->places.count; i++) changes += choice[i] != 0;
  return changes;
}

/* `P0 line 5: X -> Y` */
static void print_change(const struct task *task, size_t i, unsigned form, FILE *out) {
  const struct place *place = &task->places.at[i];
  const char *before = place->forms[0].text, *after = place->forms[form].text;
  fprintf(out, "  %s line %u: ", task->test->program->threads[place->thread].name, line_of(task, place->at));
  if (!*before)
    fprintf(out, "insert %s\n", after);
  else if (!*after)
    fprintf(out, "remove %s\n", before);
  else
    fprintf(out, "%s -> %s\n", before, after);
}

static void print_choice(const struct task *task, const struct repair_choice *choice, FILE *out) {
  struct arena *arena = arena_new();
  size_t changes = changes_of(task, choice->forms);
  fprintf(out, "%s %s %zu\n", task->command->weaken ? "Weaken" : "Repair", task->test->name, changes);
  for (size_t i = 0; i < task->places.count; i++)
    if (choice->forms[i]) print_change(task, i, choice->forms[i], out);
  patch_write(out, task->test->source, moves_apply(arena, task->test, &task->places, choice->forms));
  arena_free(arena);
}

/* A conflict in words: the forms that are not as strong as they could be are what it is about. */
static const char *conflict_text(const struct task *task, const struct repair_conflict *conflict, struct arena *arena) {
  const struct reason *reason = conflict->why;
  const char *text = "";
  for (size_t i = 0; i < task->places.count; i++) {
    const struct repair_place *p = &task->problem_places[i];
    const struct place *place = &task->places.at[i];
    unsigned form = conflict->forms[i];
    bool stronger = false;
    for (unsigned f = 0; f < p->form_count; f++)
      stronger = stronger || (p->within[form * p->form_count + f] && !p->within[f * p->form_count + form]);
    if (stronger)
      text = arena_printf(arena, "%s%s%s line %u %s", text, *text ? ", " : "",
                          task->test->program->threads[place->thread].name, line_of(task, place->at),
                          *place->forms[form].text ? place->forms[form].text : "without a fence before it");
  }
  return arena_printf(arena, "%s: %s", *text ? text : "anything", reason->text);
}

/* Conflicts of the same words differ in which of several strongest forms others have. */
static void print_reasons(const struct task *task, const struct repair_result *r, FILE *out) {
  struct arena *arena = arena_new();
  const char *told[SHOWN_CONFLICTS];
  size_t count = 0, more = 0;
  if (r->conflict_count) fputs("Not enough, even with everything else as strong as it can be\n", out);
  for (size_t i = 0; i < r->conflict_count; i++) {
    const char *text = conflict_text(task, &r->conflicts[i], arena);
    bool known = false;
    for (size_t k = 0; k < count; k++) known = known || !strcmp(told[k], text);
    if (known) continue;
    if (count == SHOWN_CONFLICTS) {
      more++;
      continue;
    }
    told[count++] = text;
    fprintf(out, "  %s\n", text);
  }
  if (more) fprintf(out, "  and %zu more\n", more);
  arena_free(arena);
}

/* What speaks for the answer beside the conflicts. */
static void print_proof(const struct repair_result *r, FILE *out) {
  if (r->cheaper && r->confirmed == r->cheaper)
    fprintf(out, "Cheaper %" PRIu64 ", each asked and wrong\n", r->cheaper);
  else if (r->cheaper)
    fprintf(out, "Cheaper over %" PRIu64 ", so many of which were asked: all wrong\n", r->confirmed);
}

static void write_json(const struct task *task, const struct repair_result *r, FILE *out) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "test", task->test->name);
  json_put_string(&j, "file", task->test->source->name);
  json_put_string(&j, "model", task->model->name);
  json_key(&j, "complete");
  json_bool(&j, r->complete);
  json_put_unsigned(&j, "asked", r->asked);
  json_key(&j, "repairs");
  json_begin_array(&j);
  for (size_t i = 0; i < r->found_count; i++) {
    struct text text;
    struct arena *arena = arena_new();
    json_begin_object(&j);
    json_put_unsigned(&j, "changes", changes_of(task, r->found[i].forms));
    text_open(&text);
    patch_write(text.out, task->test->source, moves_apply(arena, task->test, &task->places, r->found[i].forms));
    text_end(&text);
    json_put_string(&j, "patch", text.at);
    text_free(&text);
    json_end_object(&j);
    arena_free(arena);
  }
  json_end_array(&j);
  json_end_object(&j);
  fputc('\n', out);
}

static void give(struct task *task, const struct repair_result *r) {
  struct test_output *output = task->output;
  FILE *out = output->out;
  const char *title = task->command->weaken ? "Weaken" : "Repair";
  bool undecided = !r->complete && !r->found_count;
  if (undecided)
    fprintf(out, "%s %s Undecided\nLimit: %s\n", title, task->test->name,
            task->limit ? task->limit : "too many choices");
  else if (!r->found_count)
    fprintf(out, "%s %s none\n", title, task->test->name);
  if (task->wrong) fprintf(out, "Not right as it is: %s\n", task->wrong);
  for (size_t i = 0; i < r->found_count; i++) print_choice(task, &r->found[i], out);
  print_reasons(task, r, out);
  print_proof(r, out);
  fprintf(out, "Asked %" PRIu64 "\n\n", r->asked);
  if (output->json) write_json(task, r, output->json);
  int status = undecided || !r->complete ? STATUS_LIMIT : r->found_count ? STATUS_DONE : STATUS_DIFFERS;
  output->status = status_join(output->status, status);
  *vec_push(output->arena, &output->results) = (struct result){.test = task->test->name,
                                                               .file = task->test->source->name,
                                                               .subject = task->model->name,
                                                               .verdict = undecided        ? ""
                                                                          : r->found_count ? "Repaired"
                                                                                           : "None",
                                                               .kind = status == STATUS_LIMIT ? RESULT_LIMIT
                                                                       : status               ? RESULT_DIFFERS
                                                                                              : RESULT_DONE,
                                                               .message = status == STATUS_LIMIT ? "a limit was reached"
                                                                          : status               ? "nothing repairs it"
                                                                                                 : NULL};
}

/* ---- the command ---- */

/* The text of a kernel is another language's: nothing in it is changed, so nothing can be said of changes. */
static void refuse_kernel(const struct litmus_test *test, const char *subject, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  diag_error(&diags, NULL, (struct span){0},
             "%s: repair changes litmus tests, not kernels; check -why says what is missing", test->source->name);
  diags_print(&diags, output->err);
  tests_add_bad(output, test->name, test->source->name, subject, &diags);
}

static void repair_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct repair_command *command = context;
  const struct invocation *call = command->call;
  size_t count;
  const struct loaded_model *models = models_for(&command->models, test, &count);
  (void)workers;
  if (!models->model) {
    models_report_missing(command->call, test, output);
    return;
  }
  if (!models_check_language(call, models->model, models->name, test, output)) return;
  if (test->kernel) {
    refuse_kernel(test, models->name, output);
    return;
  }
  struct task task = {.command = command, .test = test, .model = models, .output = output, .reading = *output->reading};
  task.limits = models_engine_options(call, command->runner.cancel);
  task.limits.awaits = task.limits.fold = true;
  task.limits.skip = models->skip;
  if (command->condition) task.reading.condition = command->condition;
  task.places = moves_find(output->arena, test, &task.reading);
  if (command->weaken) weaken_places(&task);
  set_up(&task);
  const struct repair_problem problem = {.places = task.problem_places,
                                         .place_count = task.places.count,
                                         .all = command->weaken,
                                         .every = command->weaken ? 0 : option_number(call, OPTION_EVERY),
                                         .answers = ANSWERS,
                                         .context = &task,
                                         .ask = ask};
  struct repair_result result = {.complete = true};
  const void *why = NULL;
  if (command->weaken &&
      ask(&task, ARENA_ARRAY(output->arena, unsigned, task.places.count + 1), &why) == REPAIR_WRONG) {
    task.wrong = ((const struct reason *)why)->text;
    result.asked = 1;
  } else {
    result = repair_search(output->arena, &problem);
  }
  give(&task, &result);
}

int command_repair(struct invocation *call) {
  struct repair_command command = {
      .call = call, .weaken = option_on(call, OPTION_WEAKEN), .runner = {.run = repair_test}};
  struct diags diags = diags_new(call->arena);
  const char *wanted = option_text(call, OPTION_WANT);
  command.ends = wanted && !strcmp(wanted, "ends");
  command.race_free_only = wanted && !strcmp(wanted, "race-free");
  if (wanted && !command.ends && !command.race_free_only) command.condition = wanted;
  models_load(call, &command.models, &diags);
  if (!diags.errors && !command.models.by_language && command.models.count > 1)
    diag_error(&diags, NULL, (struct span){0}, "repair asks one model");
  if (diags.errors) return diags_report(&diags);
  command.runner.context = &command;
  return tests_run(call, &command.runner);
}
