/* SPDX-License-Identifier: MIT */
/* `progress`: does every fair run end?  By the states of machine sc under each
 * scheduler or, with -model, by the executions of a model. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/machine_options.h"
#include "checker/cmd/model_options.h"
#include "checker/cmd/output_folder.h"
#include "checker/cmd/run_picture.h"
#include "checker/report/json.h"
#include "checker/report/log.h"
#include "checker/report/write_machine_certificate.h"
#include "checker/verdict/nontermination.h"
#include "hwsem/fair_progress.h"
#include "hwsem/machines/sc.h"

enum { MOST_THREADS = 64, USUAL_STATES = 4000000 };

struct progress_command {
  struct invocation *call;
  VEC(struct schedule) asked;
  bool by_model;
  struct model_set models;
  const char *folder; /* -o, or NULL */
  struct test_runner runner;
};

/* One answer, as all writers take it. */
struct answer {
  const struct litmus_test *test;
  const char *subject; /* scheduler or model */
  const char *word;    /* "Ends", "Endless"; "" where a limit was reached */
  const char *run;     /* Endless: how, in lines */
  const char *limit;   /* why there is no answer; NULL: there is one */
};

static void write_json(const struct answer *a, FILE *out) {
  struct json j = {.out = out};
  json_begin_result(&j, a->test, "scheduler", a->subject);
  json_put_string(&j, "answer", *a->word ? a->word : "Undecided");
  if (a->limit) json_put_string(&j, "limit", a->limit);
  if (a->run) json_put_string(&j, "run", a->run);
  json_end_line(&j);
}

static void give(const struct invocation *call, const struct answer *a, struct test_output *output) {
  bool undecided = !*a->word, fails = a->run && option_is(call, OPTION_FAIL_ON_ENDLESS, "endless");
  fprintf(output->out, "Progress %s %s %s\n", a->test->name, a->subject, undecided ? "Undecided" : a->word);
  if (a->run) fputs(a->run, output->out);
  if (a->limit) fprintf(output->out, "Limit: %s\n", a->limit);
  if (undecided || fails) output->status = status_join(output->status, undecided ? STATUS_LIMIT : STATUS_DIFFERS);
  if (output->json) write_json(a, output->json);
  struct result *result = tests_add_result(output, a->test, a->subject, a->word);
  result->kind = undecided ? RESULT_LIMIT : fails ? RESULT_DIFFERS : RESULT_DONE;
  result->message = undecided ? a->limit : fails ? "some run does not end" : NULL;
}

/* ---- by states ---- */

struct machine_run {
  const struct progress_command *command;
  const struct litmus_test *test;
  struct machine machine;
  struct state_graph graph;
  enum explore_end end;                /* of the graph */
  const struct components *components; /* NULL: the graph is not whole */
  struct test_output *output;
};

static void print_steps(const struct machine_run *run, const struct explore_step *steps, size_t length, FILE *out) {
  struct arena *arena = run->output->arena;
  struct explore_step *noted = ARENA_COPY(arena, struct explore_step, steps, length);
  hardware_note_lines(&run->machine, run->test, noted, length, arena);
  hardware_print_trace(&run->machine, noted, length, out);
}

static const char *lasso_text(const struct machine_run *run, const struct progress *p) {
  struct text text = text_new();
  FILE *out = text.out;
  fprintf(out, "Run of %zu step%s\n", p->run_length, p->run_length == 1 ? "" : "s");
  print_steps(run, p->run, p->run_length, out);
  if (p->loop_length) {
    if (p->loop_length == 1)
      fputs("then this step for ever\n", out);
    else
      fprintf(out, "then these %zu steps for ever\n", p->loop_length);
    print_steps(run, p->loop, p->loop_length, out);
  } else if (p->loop_unknown) {
    fprintf(out, "then round and round, in a loop with too many states to show\n");
  } else {
    fprintf(out, "then no step is possible\n");
    hardware_print_end(&run->machine, p->run, p->run_length, out);
  }
  return text_keep(&text, run->output->arena);
}

static void draw(const struct machine_run *run, const struct progress *p, const char *scheduler) {
  struct arena *arena = run->output->arena;
  size_t length = p->run_length + p->loop_length;
  const char *title = p->loop_length ? arena_printf(arena, "%s, %s: %zu step%s, the last %zu for ever", run->test->name,
                                                    scheduler, length, length == 1 ? "" : "s", p->loop_length)
                                     : arena_printf(arena, "%s, %s: stuck after %zu step%s", run->test->name, scheduler,
                                                    length, length == 1 ? "" : "s");
  struct explore_step *all = ARENA_ARRAY(arena, struct explore_step, length);
  if (p->run_length) memcpy(all, p->run, p->run_length * sizeof *all);
  if (p->loop_length) memcpy(all + p->run_length, p->loop, p->loop_length * sizeof *all);
  struct run_picture picture = {&run->machine, run->test->program, all, length, title};
  run_picture_write(run->command->call, run->output, scheduler, "run", &picture);
}

static void certify(const struct machine_run *run, const struct progress *p, const struct schedule *schedule) {
  const struct target target = {.name = "sc", .kind = &sc_kind};
  if (!run->output->certificate) return;
  const char *refusal = schedule->by_level            ? "schedulers by level"
                        : schedule->strong            ? "schedulers that are strongly fair"
                        : !p->ends && p->loop_unknown ? "a loop with too many states to show"
                                                      : certificate_machine_refusal(&target, run->test->program);
  if (refusal)
    hardware_refuse_certificate(run->output, run->test, schedule->name, refusal);
  else
    certificate_write_progress(run->output->certificate, run->test, schedule->name, &run->machine, p);
}

static void ask_scheduler(const struct machine_run *run, const struct schedule *schedule) {
  struct arena *arena = run->output->arena;
  struct answer answer = {.test = run->test, .subject = schedule->name, .word = ""};
  if (run->end == EXPLORE_DONE) {
    struct progress p = progress_ask(arena, &run->graph, run->components, schedule);
    answer.word = p.ends ? "Ends" : "Endless";
    answer.run = p.ends ? NULL : lasso_text(run, &p);
    if (!p.ends && run->command->folder) draw(run, &p, schedule->name);
    certify(run, &p, schedule);
  }
  answer.limit = explore_end_text(run->end);
  give(run->command->call, &answer, run->output);
}

/* The threads of each work-group and each sub-group. */
static void find_levels(struct arena *arena, const struct program *program, struct schedule *schedule) {
  uint64_t *groups = ARENA_ARRAY(arena, uint64_t, program->wg_count + 1u);
  uint64_t *subs = ARENA_ARRAY(arena, uint64_t, program->sg_count + 1u);
  for (unsigned t = 0; t < program->thread_count; t++) {
    groups[program->threads[t].wg] |= UINT64_C(1) << t;
    subs[program->threads[t].sg] |= UINT64_C(1) << t;
  }
  schedule->group_count = program->wg_count;
  schedule->sub_count = program->sg_count;
  schedule->group_threads = groups;
  schedule->sub_threads = subs;
}

static void ask_machine(const struct progress_command *command, const struct litmus_test *test,
                        struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  struct explore_options options = hardware_explore_options(command->call, command->runner.cancel);
  struct explore_request request = {.program = test->program, .options = &options, .arena = output->arena};
  struct machine_run run = {.command = command, .test = test, .output = output};
  if (!options.max_states) options.max_states = USUAL_STATES;
  if (test->program->thread_count > MOST_THREADS)
    diag_error(&diags, test->source, (struct span){0}, "progress handles programs of at most %d threads, not %u",
               MOST_THREADS, test->program->thread_count);
  if (diags.errors || !sc_machine(&request, &run.machine, &diags)) {
    tests_refuse(output, test, "sc", &diags);
    return;
  }
  run.end = state_graph_build(output->arena, &run.machine, &options, &run.graph);
  if (run.end == EXPLORE_DONE) run.components = progress_components(output->arena, &run.graph);
  for (size_t i = 0; i < command->asked.count; i++) {
    struct schedule schedule = command->asked.at[i];
    if (schedule.by_level) find_levels(output->arena, test->program, &schedule);
    ask_scheduler(&run, &schedule);
  }
}

/* ---- by the model ---- */

static const char *stop_text(struct arena *arena, const struct litmus_test *test, const struct nontermination *stop) {
  struct text text = text_new();
  FILE *out = text.out;
  fputs("Execution\n", out);
  ARRAY_EACH (const struct event, event, stop->events, stop->event_count) {
    if (event->thread < 0) continue;
    fputs("    ", out);
    event_print(test->program, event, out);
    fputs(event->blocked ? " (stays for ever)\n" : event->repeats ? " (again and again)\n" : "\n", out);
  }
  return text_keep(&text, arena);
}

static void report_problem(const struct nontermination *stop, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  diag_error(&diags, stop->stats.problem.source, stop->stats.problem.span, "%s", stop->stats.problem.text);
  diags_print(&diags, output->err);
}

static void ask_model(const struct progress_command *command, const struct litmus_test *test,
                      const struct loaded_model *loaded, struct test_output *output) {
  struct enumerate_options options = models_engine_options(command->call, command->runner.cancel);
  options.solve = option_is(command->call, OPTION_ENGINE, "solve");
  if (options.solve && !models_check_solver(loaded, test, true, output)) return;
  struct nontermination stop = nontermination_find(output->arena, test, loaded->model, &options);
  struct answer answer = {.test = test, .subject = "model", .word = stop.found ? "Endless" : "Ends"};
  if (stop.found) answer.run = stop_text(output->arena, test, &stop);
  if (stop.end == END_MODEL) report_problem(&stop, output);
  if (stop.end != END_DONE) {
    answer.word = "";
    answer.limit = log_limit(stop.end);
  } else if (!stop.found && stop.stats.cut) {
    answer.word = "";
    answer.limit = arena_printf(output->arena, "loops that may go on were followed %u times (-unroll)", options.unroll);
  }
  give(command->call, &answer, output);
}

/* ---- the command ---- */

static void progress_test(void *context, const struct litmus_test *test, unsigned workers, struct test_output *output) {
  const struct progress_command *command = context;
  (void)workers;
  if (!command->by_model) {
    ask_machine(command, test, output);
    return;
  }
  size_t count;
  const struct loaded_model *models = models_for(&command->models, test, &count);
  for (size_t i = 0; i < count; i++) {
    const struct cat_model *model = models[i].model;
    if (model && !models_check_language(command->call, model, models[i].name, test, output)) continue;
    ask_model(command, test, &models[i], output);
  }
}

/* `strong:hsa` */
static const char *strong_name(struct progress_command *command, enum scheduler scheduler) {
  return arena_printf(command->call->arena, SCHEDULER_STRONG "%s", scheduler_name(scheduler));
}

static bool is_strong(const char *name) {
  return text_begins(name, SCHEDULER_STRONG);
}

/* `hsa`, or at a level also `unfair`; SCHEDULERS: there is none of this name. */
static unsigned find_scheduler(struct progress_command *command, const char *name, bool level, struct diags *diags) {
  const char *known[SCHEDULERS + 2] = {0};
  for (enum scheduler s = 0; s < SCHEDULERS; s++)
    known[s] = !level && is_strong(name) ? strong_name(command, s) : scheduler_name(s);
  if (level) known[SCHEDULERS] = "unfair";
  if (level && !strcmp(name, "unfair")) return SCHEDULER_UNFAIR;
  enum scheduler found = scheduler_find(!level && is_strong(name) ? name + strlen(SCHEDULER_STRONG) : name);
  if (found == SCHEDULERS)
    diag_fail(diags, "unknown scheduler '%s'%s", name, suggest_hint(command->call->arena, suggest(name, known)));
  return found;
}

/* `wg=obe/sg=hsa`, or with `strong:` before it: what is not named is fair. */
static void read_levels(struct progress_command *command, const char *text, struct diags *diags) {
  bool strong = is_strong(text);
  struct schedule schedule = {
      .name = text, .by_level = true, .strong = strong, .groups = SCHEDULER_FAIR, .items = SCHEDULER_FAIR};
  struct arena *arena = command->call->arena;
  bool given[2] = {false, false};
  for (const char *at = strong ? text + strlen(SCHEDULER_STRONG) : text; *at; at += *at == '/') {
    size_t length = strcspn(at, "/");
    const char *level = arena_strndup(arena, at, length);
    bool groups = text_begins(level, "wg=");
    at += length;
    if (!groups && !text_begins(level, "sg=")) {
      diag_fail(diags, "'%s' is not a scheduler for a level: expected wg=NAME or sg=NAME, joined by '/'", level);
      return;
    }
    if (given[groups]) diag_fail(diags, "scheduler '%s' names '%.3s' twice", text, level);
    given[groups] = true;
    if (is_strong(level + 3)) {
      diag_fail(diags, "'%s': '" SCHEDULER_STRONG "' comes before all levels", text);
      return;
    }
    *(groups ? &schedule.groups : &schedule.items) = find_scheduler(command, level + 3, true, diags);
  }
  *vec_push(arena, &command->asked) = schedule;
}

static void add_plain(struct progress_command *command, enum scheduler scheduler, bool strong) {
  *vec_push(command->call->arena, &command->asked) =
      (struct schedule){.name = strong ? strong_name(command, scheduler) : scheduler_name(scheduler),
                        .strong = strong,
                        .plain = scheduler};
}

/* Plain ones in the order of their list, those by level, and after them the strong ones. */
static void read_schedulers(struct progress_command *command, struct diags *diags) {
  size_t count;
  const char **names = option_words(command->call, OPTION_SCHEDULER, &count);
  bool asked[2][SCHEDULERS + 2] = {0};
  for (size_t i = 0; i < count; i++)
    if (!strchr(names[i], '=')) asked[is_strong(names[i])][find_scheduler(command, names[i], false, diags)] = true;
  for (enum scheduler s = 0; s < SCHEDULERS; s++)
    if (asked[false][s] || !count) add_plain(command, s, false);
  for (size_t i = 0; i < count; i++)
    if (strchr(names[i], '=')) read_levels(command, names[i], diags);
  for (enum scheduler s = 0; s < SCHEDULERS; s++)
    if (asked[true][s]) add_plain(command, s, true);
}

int command_progress(struct invocation *call) {
  struct progress_command command = {.call = call,
                                     .by_model = option_given(call, OPTION_MODEL),
                                     .folder = pictures_folder(call),
                                     .runner = {.run = progress_test}};
  struct diags diags = diags_new(call->arena);
  read_schedulers(&command, &diags);
  if (!command.by_model) models_check_variants(call, NULL, 0, &diags);
  if (!diags.errors && command.by_model) models_load(call, &command.models, &diags);
  if (!diags.errors && command.folder) folder_make(call->arena, command.folder, &diags);
  if (diags.errors) return diags_report(&diags);
  command.runner.context = &command;
  return tests_run(call, &command.runner);
}
