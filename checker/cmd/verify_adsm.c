/* SPDX-License-Identifier: MIT */
/* `verify -family adsm[,OPERATIONS]`: every small ADSM program under every
 * protocol, for each ownership rule (machines/adsm_sweep.h). */
#include <inttypes.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/cmd/campaign.h"
#include "checker/cmd/verify_campaigns.h"
#include "checker/report/sweep_json.h"
#include "hwsem/machines/adsm_sweep.h"

enum { USUAL_OPERATIONS = 5 };

/* The columns: a machine, and what the table calls it. */
struct column {
  const char *name;
  struct adsm_machine_options options;
};

struct columns {
  struct column *at;
  size_t count;
};

/* Without a choice of machines: batch, lazy, and rolling in three sizes. */
static struct columns usual_columns(struct arena *arena, const struct target *targets, size_t count) {
  static const struct {
    const char *name;
    unsigned block, rolling;
  } sizes[] = {{"rolling B=1 R=1", 1, 1}, {"rolling B=1 R=2", 1, 2}, {"rolling B=2 R=1", 2, 1}};
  struct columns columns = {ARENA_ARRAY(arena, struct column, count + 3), 0};
  for (size_t i = 0; i < count; i++) {
    const struct adsm_machine_options *machine = targets[i].settings;
    if (machine->protocol != ADSM_ROLLING)
      columns.at[columns.count++] = (struct column){adsm_protocol_name(machine->protocol), *machine};
    for (int k = 0; machine->protocol == ADSM_ROLLING && k < 3; k++) {
      struct adsm_machine_options options = *machine;
      options.block = sizes[k].block;
      options.rolling = sizes[k].rolling;
      columns.at[columns.count++] = (struct column){sizes[k].name, options};
    }
  }
  return columns;
}

static struct columns chosen_columns(struct invocation *call, const struct hardware *hardware) {
  size_t count;
  const struct target *targets = hardware_of_kind(hardware, &adsm_kind, call->arena, &count);
  if (!option_given(call, OPTION_MACHINE) && !option_given(call, OPTION_MAPPING) && !option_given(call, OPTION_KNOB))
    return usual_columns(call->arena, targets, count);
  struct columns columns = {ARENA_ARRAY(call->arena, struct column, count + 1), 0};
  for (size_t i = 0; i < count; i++)
    columns.at[columns.count++] =
        (struct column){targets[i].name, *(const struct adsm_machine_options *)targets[i].settings};
  return columns;
}

static int width_of(const struct column *column) {
  int length = (int)strlen(column->name);
  return length < 8 ? 8 : length;
}

static void write_table(const struct adsm_sweep *sweep, const struct columns *columns, FILE *out) {
  fprintf(out, "%-10s%12s", "rule", "legal");
  for (size_t m = 0; m < columns->count; m++) fprintf(out, "  %*s", width_of(&columns->at[m]), columns->at[m].name);
  fputc('\n', out);
  for (unsigned rule = 0; rule < ADSM_RULES; rule++) {
    fprintf(out, "%-10s%12" PRIu64, adsm_rule_name(rule), sweep->legal[rule]);
    for (size_t m = 0; m < columns->count; m++)
      fprintf(out, "  %*" PRIu64, width_of(&columns->at[m]), sweep->cells[rule * columns->count + m].deviating);
    fputc('\n', out);
  }
}

static void write_outcome(const struct adsm_sweep_program *program, const int64_t *values, FILE *out) {
  for (unsigned i = 0; i < program->observable_count; i++)
    fprintf(out, "%sr%u=%" PRId64, i ? "; " : "", i + 1, values[i]);
  fputc('\n', out);
}

/* A deviation: the program, what it should give, what it gives, and how. */
static void write_deviation(struct invocation *call, struct adsm_sweep_id id, const struct column *column,
                            const char *rules, FILE *out) {
  struct adsm_sweep_program *program = adsm_sweep_program(call->arena, id);
  struct diags diags = diags_new(call->arena);
  struct machine *machine = adsm_machine_new(call->arena, program->program, program->observables,
                                             program->observable_count, &column->options, &diags);
  struct explorer *explorer = explorer_new();
  struct exploration found;
  struct explore_step *trace;
  explore(explorer, machine, &(struct explore_options){.por = true}, &found);
  int bad = adsm_sweep_deviation(program, &found);
  fprintf(out, "\nShortest deviation of %s, legal by %s: ", column->name, rules);
  adsm_sweep_print(id, out);
  if (bad >= 0) {
    fputs("\nExpected ", out);
    write_outcome(program, program->outcome, out);
    fputs("Reached ", out);
    write_outcome(program, found.outcomes[bad].values, out);
    size_t length = explore_trace(explorer, found.outcomes[bad].state, call->arena, &trace);
    hardware_print_trace(machine, trace, length, out);
  }
  explorer_free(explorer);
}

static bool same_id(struct adsm_sweep_id a, struct adsm_sweep_id b) {
  return a.operations == b.operations && a.number == b.number;
}

/* One program may be the shortest deviation for several rules. */
static void write_deviations(struct invocation *call, const struct adsm_sweep *sweep, const struct columns *columns,
                             FILE *out) {
  for (size_t m = 0; m < columns->count; m++)
    for (unsigned rule = 0; rule < ADSM_RULES; rule++) {
      struct adsm_sweep_id id = sweep->cells[rule * columns->count + m].shortest;
      if (!id.operations) continue;
      const char *rules = adsm_rule_name(rule);
      while (rule + 1 < ADSM_RULES && same_id(id, sweep->cells[(rule + 1) * columns->count + m].shortest))
        rules = arena_printf(call->arena, "%s, %s", rules, adsm_rule_name(++rule));
      write_deviation(call, id, &columns->at[m], rules, out);
    }
}

static void add_json(struct result_files *files, unsigned operations, const struct adsm_sweep *sweep,
                     const struct columns *columns) {
  const char **names = ROW_TEXTS(files->call->arena, columns->at, columns->count, name);
  json_write_adsm_sweep(result_files_begin_json(files), operations, names, columns->count, sweep);
  result_files_end_json(files);
}

/* A test case for each machine under the chosen rule, own, which is the claim; the weaker ones are there to show why.
 */
static int add_results(struct result_files *files, unsigned operations, const struct adsm_sweep *sweep,
                       const struct columns *columns) {
  struct arena *arena = files->call->arena;
  int status = STATUS_DONE;
  for (size_t m = 0; m < columns->count; m++) {
    uint64_t deviating = sweep->cells[m].deviating;
    struct result result = {.test = arena_printf(arena, "family adsm,%u", operations),
                            .file = "",
                            .subject = columns->at[m].name,
                            .verdict = deviating         ? "Unsound"
                                       : sweep->complete ? "Sound"
                                                         : "Undecided"};
    if (deviating) {
      result.kind = RESULT_DIFFERS;
      result.message =
          arena_printf(arena, "%" PRIu64 " of %" PRIu64 " legal programs deviate", deviating, sweep->legal[0]);
    } else if (!sweep->complete) {
      result.kind = RESULT_LIMIT;
      result.message = "not all programs were tried";
    }
    status = status_join(status, result_files_add_result(files, result));
  }
  return status;
}

/* `adsm` or `adsm,OPERATIONS` */
static bool parse_family(const char *family, unsigned *operations, struct diags *diags) {
  *operations = USUAL_OPERATIONS;
  const char *comma = strchr(family, ',');
  if (!comma) return true;
  int64_t number;
  bool good = text_is_number(comma + 1, 1, ADSM_SWEEP_MOST, &number);
  if (good)
    *operations = (unsigned)number;
  else
    diag_fail(diags,
              "option -family: expected adsm or adsm,N with N operations from 1 to %d, "
              "found '%s'",
              ADSM_SWEEP_MOST, family);
  return good;
}

/* All that is wanted of a sweep. */
static int report(struct result_files *files, unsigned operations, const struct adsm_sweep *sweep,
                  const struct columns *columns) {
  fprintf(files->out, "Programs %" PRIu64 " of %u operations with a read and a call%s\n", sweep->programs, operations,
          sweep->complete ? "" : " (incomplete)");
  fputs("Deviating: legal programs with an outcome other than that of running each kernel at its call\n", files->out);
  write_table(sweep, columns, files->out);
  write_deviations(files->call, sweep, columns, files->out);
  add_json(files, operations, sweep, columns);
  return add_results(files, operations, sweep, columns);
}

struct adsm_campaign {
  struct adsm_sweep_options options;
  struct columns columns;
  unsigned workers;
};

static bool run(void *context, struct parts *parts, struct diags *diags) {
  const struct adsm_campaign *c = context;
  (void)diags;
  return adsm_sweep_run(parts, &c->options, c->workers);
}

/* The one subject: all machines take their turn with each program. */
static int print(void *context, struct parts *parts, size_t subject, bool stopped, struct result_files *files) {
  const struct adsm_campaign *c = context;
  struct adsm_sweep *sweep = adsm_sweep_sum(files->call->arena, parts, &c->options);
  (void)subject;
  sweep->complete &= !stopped;
  return report(files, c->options.operations, sweep, &c->columns);
}

static bool is_asked(const struct verify_request *request) {
  const char *family = option_text(request->call, OPTION_VERIFY_FAMILY);
  return family && text_begins(family, "adsm") && (!family[4] || family[4] == ',');
}

static int run_campaign(const struct verify_request *request) {
  static const enum option_id USELESS[] = {OPTION_ABLATE, OPTION_STRICT, OPTION_TARGET, OPTION_OUTPUT};
  struct invocation *call = request->call;
  struct diags diags = diags_new(call->arena);
  unsigned operations;
  for (size_t i = 0; i < ARRAY_COUNT(USELESS); i++)
    if (option_given(call, USELESS[i]))
      diag_fail(&diags, "option -%s has no meaning with -family adsm", option_table[USELESS[i]].name);
  if (diags.errors || !parse_family(option_text(call, OPTION_VERIFY_FAMILY), &operations, &diags))
    return diags_report(&diags);
  struct adsm_campaign c = {.columns = chosen_columns(call, request->hardware), .workers = option_jobs(call)};
  struct adsm_machine_options *machines = ARENA_ARRAY(call->arena, struct adsm_machine_options, c.columns.count);
  for (size_t m = 0; m < c.columns.count; m++) machines[m] = c.columns.at[m].options;
  c.options = (struct adsm_sweep_options){.operations = operations,
                                          .machines = machines,
                                          .machine_count = (unsigned)c.columns.count,
                                          .cancel = request->options.explore.cancel};
  const struct campaign campaign = {
      .context = &c, .subjects = 1, .cancel = c.options.cancel, .run = run, .print = print};
  return campaign_run(call, &campaign);
}

const struct verify_campaign verify_adsm = {.is_asked = is_asked, .run = run_campaign};
