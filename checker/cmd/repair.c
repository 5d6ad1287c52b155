/* SPDX-License-Identifier: MIT */
/* `repair`: the cheapest change of a test's text that makes it what is wanted, as a
 * patch, and why nothing cheaper does; with -weaken what a right test can spare. */
#include <inttypes.h>
#include <string.h>

#include "checker/base/limit.h"
#include "checker/base/text.h"
#include "checker/cat/naming_conventions.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/repair_judge.h"
#include "checker/cmd/repair_prices.h"
#include "checker/report/json.h"
#include "checker/report/patch.h"
#include "checker/verify/verify_test.h"

enum {
  CHANGE = 1000,
  PRICED = 1000000,
  SHOWN_CONFLICTS = 8,
  ANSWERS = 16,
  MOST_BARRIERS = 2
}; /* as many as messages say */

struct repair_command {
  struct invocation *call;
  struct model_set models;
  bool weaken;
  bool ends;             /* -want ends */
  const char *condition; /* -want CONDITION; NULL: the test's own, or none */
  bool race_free_only;   /* -want race-free */
  struct repair_pricing pricing;
  struct test_runner runner;
};

/* What is asked of one test. */
struct task {
  const struct repair_command *command;
  const struct litmus_test *test;
  const struct loaded_model *model;
  struct repair_judge judge;
  struct places *places; /* the judge's */
  struct repair_place *problem_places;
  int64_t **prices; /* by place and form, compared with what stands there; NULL: changes are counted */
  struct test_output *output;
  bool asked;         /* once: how it is without changes, */
  const char *before; /* which is wrong for this reason; NULL: it is right */
};

static enum repair_answer ask(void *context, const unsigned *choice, bool soon, const void **why) {
  struct task *task = context;
  enum repair_answer answer = repair_judge_ask(&task->judge, choice, soon, why);
  if (!task->asked && answer == REPAIR_WRONG) task->before = ((const struct reason *)*why)->text;
  task->asked = true;
  return answer;
}

static enum repair_answer recheck_known(void *context, const void *why, const unsigned *choice) {
  struct task *task = context;
  return repair_judge_recheck(&task->judge, why, choice);
}

static bool is_stopped(void *context) {
  return repair_judge_stopped(&((struct task *)context)->judge);
}

/* ---- prices ---- */

static int64_t added_price(const struct task *task, size_t place, size_t form) {
  return task->prices ? task->prices[place][form] : 0;
}

/* What a change saves is none of a repair's business, so that it touches nothing but what is wrong. At one price a
 * change costs the same whatever it is; of equally many, those that add least count first, and of those that add as
 * much, those that change least. */
static int64_t repair_price(const struct task *task, size_t i, size_t form) {
  const struct place *place = &task->places->at[i];
  const struct form_strength *before = &place->forms[0].strength, *after = &place->forms[form].strength;
  int64_t added = added_price(task, i, form);
  int64_t own = form ? CHANGE + 8 * strength_added(before, after) + strength_differences(before, after) : 0;
  return (added > 0 ? added * PRICED : 0) + own;
}

/* -weaken: above the cheapest form of the place. */
static int64_t strength_price(const struct task *task, size_t i, size_t form) {
  const struct place *place = &task->places->at[i];
  const struct form *f = &place->forms[form];
  int64_t least = 0;
  for (size_t k = 0; k < place->form_count; k++)
    if (added_price(task, i, k) < least) least = added_price(task, i, k);
  return (added_price(task, i, form) - least) * PRICED + (*f->text ? strength_weight(&f->strength) : 0);
}

/* Is the form about memory, and only of kinds that the test does not have? */
static bool is_idle(const struct task *task, const struct form *form) {
  const struct program *program = task->test->program;
  unsigned there = 0;
  if (task->test->kernel) return false; /* whose forms are about what it has */
  for (unsigned x = 0; x < program->location_count; x++) there |= program->locations[x].region;
  return form->strength.regions && !(form->strength.regions & there);
}

static bool is_weaker(const struct place *place, size_t form) {
  return !*place->forms[form].text || strength_within(&place->forms[form].strength, &place->forms[0].strength);
}

/* Leaves out forms that do nothing and, with -weaken, those that are stronger than what stands there. */
static void choose_forms(struct task *task) {
  size_t kept = 0;
  for (size_t i = 0; i < task->places->count; i++) {
    struct place place = task->places->at[i];
    size_t forms = 0;
    for (size_t f = 0; f < place.form_count; f++)
      if (!f || (!is_idle(task, &place.forms[f]) && (!task->command->weaken || is_weaker(&place, f))))
        place.forms[forms++] = place.forms[f];
    place.form_count = forms;
    if (forms > 1) task->places->at[kept++] = place;
  }
  task->places->count = kept;
}

static void set_up(struct task *task) {
  struct arena *arena = task->output->arena;
  task->problem_places = ARENA_ARRAY(arena, struct repair_place, task->places->count + 1);
  for (size_t i = 0; i < task->places->count; i++) {
    const struct place *place = &task->places->at[i];
    struct repair_form *forms = ARENA_ARRAY(arena, struct repair_form, place->form_count);
    bool *within = ARENA_ARRAY(arena, bool, place->form_count * place->form_count);
    for (size_t a = 0; a < place->form_count; a++) {
      forms[a].rare = place->inserted && place->forms[a].strength.kind == STRENGTH_WAITS;
      forms[a].price = task->command->weaken ? strength_price(task, i, a) : repair_price(task, i, a);
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

/* `P0 line 5`; the text of a kernel is that of all threads: `line 5` */
static const char *where(const struct task *task, const struct place *place) {
  unsigned line = line_of(task, place->at);
  if (task->test->kernel) return arena_printf(task->output->arena, "line %u", line);
  return arena_printf(task->output->arena, "%s line %u", task->test->program->threads[place->thread].name, line);
}

static size_t changes_of(const struct task *task, const unsigned *choice) {
  size_t changes = 0;
  for (size_t i = 0; i < task->places->count; i++) changes += choice[i] != 0;
  return changes;
}

/* What it adds to the price, or, where changes are counted, how many there are. */
static int64_t cost_of(const struct task *task, const unsigned *choice) {
  int64_t cost = 0;
  for (size_t i = 0; i < task->places->count; i++) cost += task->prices ? task->prices[i][choice[i]] : choice[i] != 0;
  return cost;
}

/* `P0 line 5: X -> Y`, and what that costs. */
static void print_change(const struct task *task, size_t i, unsigned form, FILE *out) {
  const struct place *place = &task->places->at[i];
  const char *before = place->forms[0].text, *after = place->forms[form].text;
  fprintf(out, "  %s: ", where(task, place));
  if (!*before)
    fprintf(out, "insert %s", after);
  else if (!*after)
    fprintf(out, "remove %s", before);
  else
    fprintf(out, "%s -> %s", before, after);
  if (task->prices) fprintf(out, " (%+" PRId64 ")", task->prices[i][form]);
  fputc('\n', out);
}

/* What the changed text of a kernel is, read from the start: what was asked is the module with changes. */
static const char *verdict_after(struct task *task, const struct source *text) {
  const struct reason *why = NULL;
  if (!task->test->kernel) return "right";
  switch (repair_judge_text(&task->judge, text, &why)) {
    case REPAIR_RIGHT:
      return "right";
    case REPAIR_WRONG:
      task->output->status = status_join(task->output->status, STATUS_DIFFERS);
      return arena_printf(task->output->arena, "wrong: %s", why->text);
    case REPAIR_UNDECIDED:
      break;
  }
  return "the changed text is undecided";
}

/* What the machine shows of it, besides the model's verdict: a compiler that drops an order makes it cheap. */
static const char *verdict_on_target(struct task *task, const struct source *text, struct arena *arena) {
  const struct repair_command *command = task->command;
  struct diags diags = diags_new(arena);
  const struct litmus_test *test = litmus_parse(arena, text, &task->judge.reading, &diags);
  struct verify_options options = {.explore = hardware_explore_options(command->call, command->runner.cancel),
                                   .model = task->judge.limits};
  struct verify_result result = {.answer = VERIFY_BAD};
  struct explorer *explorer = explorer_new();
  struct verifier verifier = {command->pricing.target, task->model->model, &options, explorer};
  if (test) verify_test(&verifier, test, arena, &result, &diags);
  explorer_free(explorer);
  if (result.answer == VERIFY_UNSOUND) task->output->status = status_join(task->output->status, STATUS_DIFFERS);
  return result.answer == VERIFY_BAD && diags.count ? diags.at[0].message : verify_answer_name(result.answer);
}

static void print_choice(struct task *task, const struct repair_result *r, size_t number, FILE *out) {
  struct arena *arena = arena_new();
  const struct repair_choice *choice = &r->found[number];
  size_t changes = changes_of(task, choice->forms);
  fprintf(out, "%s %s %" PRId64 "\n", task->command->weaken ? "Weaken" : "Repair", task->test->name,
          cost_of(task, choice->forms));
  if (r->found_count > 1)
    fprintf(out, "  alternative %zu of %zu, each of which is enough\n", number + 1, r->found_count);
  for (size_t i = 0; i < task->places->count; i++)
    if (choice->forms[i]) print_change(task, i, choice->forms[i], out);
  const struct source *changed = moves_apply(arena, task->test, task->places, choice->forms);
  if (task->before)
    fprintf(out, "  before: %s\n", task->before);
  else if (!changes && !task->command->weaken)
    fputs("  right as it is\n", out);
  if (changes) fprintf(out, "  after: %s\n", verdict_after(task, changed));
  if (changes && task->command->pricing.target)
    fprintf(out, "  on %s: %s\n", task->command->pricing.target->name, verdict_on_target(task, changed, arena));
  patch_write(out, task->test->source, changed);
  arena_free(arena);
}

static bool can_be_stronger(const struct repair_place *p, unsigned form) {
  for (unsigned f = 0; f < p->form_count; f++)
    if (p->within[form * p->form_count + f] && !p->within[f * p->form_count + form]) return true;
  return false;
}

/* Is what could be one update still a load and a store? */
static bool is_apart(const struct place *place, unsigned form) {
  bool can = false;
  for (size_t f = 0; f < place->form_count; f++) can |= place->forms[f].strength.kind == STRENGTH_UPDATE;
  return can && place->forms[form].strength.kind != STRENGTH_UPDATE;
}

/* A conflict in words: the forms that are not as strong as they could be are what it is about.  NULL: all are, and yet
 * others repair the test. */
static const char *conflict_text(const struct task *task, const struct repair_conflict *conflict, bool repaired,
                                 struct arena *arena) {
  const struct reason *reason = conflict->why;
  const char *text = "";
  for (size_t i = 0; i < task->places->count; i++) {
    const struct place *place = &task->places->at[i];
    unsigned form = conflict->forms[i];
    bool weaker = can_be_stronger(&task->problem_places[i], form), apart = is_apart(place, form);
    if (weaker || apart)
      text = arena_printf(arena, "%s%s%s %s%s", text, *text ? ", " : "", where(task, place),
                          !weaker                    ? ""
                          : *place->forms[form].text ? place->forms[form].text
                          : place->inserted          ? "without a fence before it"
                                                     : "left out",
                          !apart   ? ""
                          : weaker ? ", separate from its store"
                                   : "separate from its store");
  }
  return *text || !repaired ? arena_printf(arena, "%s: %s", *text ? text : "whatever is changed", reason->text) : NULL;
}

/* What is left to do where no move ends a race. */
static const char *advice(enum missing_kind missing) {
  if (missing == MISSING_SHARING)
    return "No order, scope or fence helps accesses of private memory: declare it nonprivate or coherent, or make "
           "these accesses atomic, and each update one read-modify-write";
  if (missing == MISSING_MEETING)
    return "No order, scope or fence helps ordinary accesses there: put a barrier between them, which needs a "
           "statement, in GLSL a line, to stand before, or make these accesses atomic, and each update one "
           "read-modify-write";
  return "No order, scope or fence helps ordinary accesses there: make these accesses atomic, and each update one "
         "read-modify-write";
}

static void print_race(struct task *task, const struct repair_conflict *conflict, struct arena *arena, FILE *out) {
  const struct reason *reason = conflict->why;
  bool races = convention_holds(FLAG_RACE, reason->flag);
  struct undefined race = {0};
  for (size_t i = 0; i < task->places->count; i++)
    races &= !can_be_stronger(&task->problem_places[i], conflict->forms[i]);
  if (races) race = repair_judge_undefined(&task->judge, conflict->forms, arena);
  if (race.sentence) fprintf(out, "    %s\n    %s\n", race.sentence, advice(race.missing));
}

/* What the conflicts are listed as. */
static const char *title_of_reasons(const struct task *task, const struct repair_result *r) {
  const bool kept = task->command->weaken && !task->before && r->found_count && !changes_of(task, r->found[0].forms);
  return kept ? "Nothing can be weakened; with any of these the test is wrong:\n"
              : "Not enough, however strong everything else is made:\n";
}

/* Conflicts of the same words differ in which of several strongest forms others have. */
static void print_reasons(struct task *task, const struct repair_result *r, FILE *out) {
  struct arena *arena = arena_new();
  const char *told[SHOWN_CONFLICTS];
  size_t count = 0, more = 0;
  for (size_t i = 0; i < r->conflict_count; i++) {
    if (!r->conflicts[i].why) continue;
    const char *text = conflict_text(task, &r->conflicts[i], r->found_count, arena);
    if (!text || text_index(text, told, count) >= 0) continue;
    if (count == SHOWN_CONFLICTS) {
      more++;
      continue;
    }
    if (!count) fputs(title_of_reasons(task, r), out);
    told[count++] = text;
    fprintf(out, "  %s\n", text);
    if (!r->found_count) print_race(task, &r->conflicts[i], arena, out);
    if (option_on(task->command->call, OPTION_WHY))
      repair_judge_print(&task->judge, r->conflicts[i].why, r->conflicts[i].forms, out);
  }
  if (more) fprintf(out, "  and %zu more\n", more);
  if (!r->found_count && task->places->some_fixed)
    fprintf(out, "  (in line %u, not all could be changed: an operation can where it is a statement of its own%s)\n",
            line_of(task, task->places->fixed), task->test->language == LANG_VULKAN ? ", on its own line" : "");
  if (r->undecided && r->found_count)
    fprintf(out, "Undecided %" PRIu64 ", %s: one of these may be cheaper\n", r->undecided, task->judge.limit);
  arena_free(arena);
}

/* What speaks for the answer besides the conflicts. */
static void print_proof(const struct repair_result *r, FILE *out) {
  if (r->cheaper && r->confirmed == r->cheaper)
    fprintf(out, "Cheaper %" PRIu64 ": each was tried, and none is enough\n", r->cheaper);
  else if (r->cheaper)
    fprintf(out, "Cheaper over %" PRIu64 ": that many were tried, and none is enough\n", r->confirmed);
}

static void write_json(const struct task *task, const struct repair_result *r, FILE *out) {
  struct json j = {.out = out};
  json_begin_result(&j, task->test, "model", task->model->name);
  json_put_bool(&j, "complete", r->complete);
  json_put_unsigned(&j, "asked", r->asked);
  json_open_array(&j, "repairs");
  for (size_t i = 0; i < r->found_count; i++) {
    struct arena *arena = arena_new();
    json_begin_object(&j);
    json_put_unsigned(&j, "alternative", i + 1);
    json_put_unsigned(&j, "changes", changes_of(task, r->found[i].forms));
    json_key(&j, "cost");
    json_integer(&j, cost_of(task, r->found[i].forms));
    struct text text = text_new();
    patch_write(text.out, task->test->source, moves_apply(arena, task->test, task->places, r->found[i].forms));
    text_end(&text);
    json_put_string(&j, "patch", text.at);
    text_free(&text);
    json_end_object(&j);
    arena_free(arena);
  }
  json_end_array(&j);
  json_end_line(&j);
}

/* Where no number would be one of changes. */
static void print_prices(const struct task *task, FILE *out) {
  const struct repair_pricing *pricing = &task->command->pricing;
  if (task->prices)
    fprintf(out, "Prices %s%s%s\n", pricing->name, pricing->target ? " of " : "",
            pricing->target ? pricing->target->name : "");
}

static void give(struct task *task, const struct repair_result *r) {
  struct test_output *output = task->output;
  FILE *out = output->out;
  const char *title = task->command->weaken ? "Weaken" : "Repair";
  bool undecided = !r->complete && !r->found_count, more = !r->complete && r->found_count && !r->undecided;
  const char *limit = task->judge.limit ? task->judge.limit : "too many choices";
  if (undecided)
    fprintf(out, "%s %s Undecided\nLimit: %s\n", title, task->test->name, limit);
  else if (!r->found_count)
    fprintf(out, "%s %s none%s\n", title, task->test->name, r->few_rare ? ", with at most two more barriers" : "");
  if (!task->places->count && !task->command->weaken && task->before)
    fprintf(out, "Wrong, %s; but none of its operations can be written differently\n", task->before);
  print_prices(task, out);
  if (task->command->weaken && task->before) fprintf(out, "Not right as it is: %s\n", task->before);
  for (size_t i = 0; i < r->found_count; i++) print_choice(task, r, i, out);
  if (more) fprintf(out, "Limit: %s; there may be more\n", task->judge.limit ? limit : "16 answers");
  if (task->places->count || task->command->weaken) print_reasons(task, r, out);
  print_proof(r, out);
  fprintf(out, "Asked %" PRIu64, r->asked);
  if (task->judge.rechecked)
    fprintf(out, ", %" PRIu64 " of them refuted by an execution already found", task->judge.rechecked);
  fputs("\n\n", out);
  if (output->json) write_json(task, r, output->json);
  int status = undecided || !r->complete ? STATUS_LIMIT : r->found_count ? STATUS_DONE : STATUS_DIFFERS;
  output->status = status_join(output->status, status);
  struct result *result = tests_add_result(output, task->test, task->model->name,
                                           undecided        ? ""
                                           : r->found_count ? "Repaired"
                                                            : "None");
  if (!status) return;
  result->kind = status == STATUS_LIMIT ? RESULT_LIMIT : RESULT_DIFFERS;
  result->message = status == STATUS_LIMIT ? "a limit was reached" : "nothing repairs it";
}

/* ---- the command ---- */

/* -want CONDITION.  Is it one of this test? */
static bool set_condition(struct task *task, struct diags *diags) {
  struct litmus_options *reading = &task->judge.reading;
  const char *condition = task->command->condition;
  if (!condition) return true;
  reading->condition = reading->kernel.condition = condition;
  return litmus_parse(task->output->arena, task->test->source, reading, diags) != NULL;
}

static bool set_judge(struct task *task, struct diags *diags) {
  const struct repair_command *command = task->command;
  struct repair_judge *judge = &task->judge;
  *judge = (struct repair_judge){.arena = task->output->arena,
                                 .test = task->test,
                                 .model = task->model->model,
                                 .reading = *task->output->reading,
                                 .limits = models_engine_options(command->call, command->runner.cancel),
                                 .ends = command->ends,
                                 .race_free_only = command->race_free_only,
                                 .given = command->condition != NULL,
                                 .afresh = option_given(command->call, OPTION_EVERY)};
  judge->limits.cut_spins = true;
  judge->limits.fold = true;
  judge->limits.skip = task->model->skip;
  judge->until = deadline_in(judge->limits.timeout);
  if (!set_condition(task, diags)) return false;
  judge->places = moves_find(task->output->arena, task->test, &judge->reading);
  task->places = &judge->places;
  return true;
}

/* The bound on loops may be all that left the answer open, as in `verify`: it is doubled then. */
static bool follow_further(struct task *task, const struct repair_result *result) {
  enum { FURTHEST = 8 };
  struct repair_judge *judge = &task->judge;
  bool open = !result->complete && !result->found_count && judge->cut && !repair_judge_stopped(judge);
  if (!open || option_given(task->command->call, OPTION_UNROLL) || 2 * judge->limits.unroll > FURTHEST) return false;
  judge->limits.unroll *= 2;
  judge->limit = NULL;
  judge->cut = false;
  return true;
}

static void repair_task(struct task *task) {
  const struct repair_command *command = task->command;
  struct arena *arena = task->output->arena;
  choose_forms(task);
  if (command->pricing.name) {
    struct diags diags = diags_new(arena);
    task->prices = repair_prices(&command->pricing, arena, task->test, task->places, &task->judge.reading, &diags);
    if (!task->prices) {
      tests_refuse(task->output, task->test, task->model->name, &diags);
      return;
    }
  }
  set_up(task);
  const struct repair_problem problem = {.places = task->problem_places,
                                         .place_count = task->places->count,
                                         .all = command->weaken,
                                         .every = command->weaken ? 0 : option_number(command->call, OPTION_EVERY),
                                         .answers = ANSWERS,
                                         .most_rare = MOST_BARRIERS,
                                         .context = task,
                                         .stopped = is_stopped,
                                         .ask = ask,
                                         .recheck = recheck_known};
  struct repair_result result = {.complete = true};
  const void *why = NULL;
  if (command->weaken && ask(task, ARENA_ARRAY(arena, unsigned, task->places->count + 1), false, &why) == REPAIR_WRONG)
    result.asked = 1;
  else
    do result = repair_search(arena, &problem);
    while (follow_further(task, &result));
  give(task, &result);
}

static void repair_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct repair_command *command = context;
  const struct invocation *call = command->call;
  size_t count;
  const struct loaded_model *models = models_for(&command->models, test, &count);
  struct diags diags = diags_new(output->arena);
  (void)workers;
  if (!models->model) {
    models_report_missing(command->call, test, output);
    return;
  }
  if (!models_check_language(call, models->model, models->name, test, output)) return;
  struct task task = {.command = command, .test = test, .model = models, .output = output};
  task.test = moves_text(output->arena, test, output->reading, &diags);
  if (task.test && set_judge(&task, &diags)) {
    repair_task(&task);
    return;
  }
  tests_refuse(output, test, models->name, &diags);
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
    diag_fail(&diags, "repair asks one model");
  if (diags.errors || !repair_pricing_load(call, &command.pricing, &diags)) return diags_report(&diags);
  command.runner.context = &command;
  return tests_run(call, &command.runner);
}
