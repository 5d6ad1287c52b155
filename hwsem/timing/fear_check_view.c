/* SPDX-License-Identifier: MIT */
/* The view of the mutex protocol without time, explored completely. */
#include <stdlib.h>

#include "checker/base/text.h"
#include "checker/program/outcome.h"
#include "hwsem/explore.h"
#include "hwsem/machines/fear.h"
#include "hwsem/timing/view_list.h"

static const char help_fear_protocol[] =
    "The protocol without time, explored completely: do all fetch-and-increments of a program take\n"
    "effect one after the other? program=1+2 gives counts of operations of each requester, or\n"
    "addresses (xyx+x), and makes one row; spec, epoch, lut, piggy, busy, discard and skew switch\n"
    "rules off; K is the number of ring members. Address a (x, y, z, w: 0 to 3) has mutex a mod mutexes,\n"
    "mutex m lies on ring m mod rings, and mutexes of a ring share its wires. Depth is the length of the shortest run "
    "after which\n"
    "two operations have returned the same value or, where only the L2 shows the loss, of the\n"
    "shortest whole run that loses an update; -trace prints that run, one transition per line.\n"
    "Outcomes: operation j of requester i returns i:rj.\n"
    "\n"
    "Two rules that the paper does not state are needed: a speculative answer to an earlier operation\n"
    "must be discarded, and requesters and members must see the end of an epoch together. That a skew\n"
    "below the shortest one-way message is harmless was not explored. Where there are several\n"
    "mutexes, each address is safe by its own rules alone, however mutexes share rings and wires; a\n"
    "table of what is cached matters for the addresses of one mutex (m2), not for those of two (m3).\n";

static bool fill_rules(const struct setting *setting, struct fear_program *program, struct fear_rules *rules) {
  size_t before = setting->diags->errors;
  *rules = (struct fear_rules){.K = (int)setting_number(setting, "K"),
                               .mutexes = (int)setting_number(setting, "mutexes"),
                               .rings = (int)setting_number(setting, "rings"),
                               .wires = (int)setting_number(setting, "wires"),
                               .spec = setting_number(setting, "spec") != 0,
                               .epoch = setting_number(setting, "epoch") != 0,
                               .lut = setting_number(setting, "lut") != 0,
                               .piggy = setting_number(setting, "piggy") != 0,
                               .busy = setting_number(setting, "busy") != 0,
                               .discard = (enum fear_discard)setting_number(setting, "discard"),
                               .skew = (enum fear_skew)setting_number(setting, "skew")};
  fear_setting_program(setting, program);
  if (rules->rings > rules->mutexes)
    setting_error(setting, "rings", "rings=%d share mutexes=%d: each ring needs one", rules->rings, rules->mutexes);
  return setting->diags->errors == before;
}

/* What differs from all rules in force, in words. */
static const char *text_of_rules(struct arena *arena, const struct fear_rules *rules) {
  static const char *const discards[] = {"", ", discard by tags", ", no discard"};
  static const char *const skews[] = {"", ", skewed ticks", ", members tick first", ", requesters tick first"};
  const char *shared = "";
  if (rules->mutexes > 1)
    shared = arena_printf(arena, "%d mutexes, %d ring%s, %d wire%s, ", rules->mutexes, rules->rings,
                          rules->rings > 1 ? "s" : "", rules->wires, rules->wires > 1 ? "s" : "");
  return arena_printf(arena, "K=%d, %s%s%s%s%s%s%s%s", rules->K, shared, rules->spec ? "spec" : "no spec",
                      !rules->spec   ? ""
                      : rules->epoch ? ", epoch"
                                     : ", no epoch",
                      rules->lut ? "" : ", no lookup table", rules->piggy ? "" : ", no piggy-back",
                      rules->busy ? "" : ", no busy wire", discards[rules->discard], skews[rules->skew]);
}

static const char *text_of_outcome(struct arena *arena, const struct fear_program *program, const int64_t *values) {
  return TEXT_PRINTED(arena, out, fear_outcome_print(program, values, out));
}

/* One configuration: what is explored, and with what. */
struct check {
  struct cost_report *report;
  struct explorer *explorer;
  const struct setting *setting;
  struct fear_program program;
  struct fear_rules rules;
};

/* A search for the nearest final state of some kind. */
struct hunt {
  const struct fear_program *program;
  bool whole; /* of whole runs, those that are not atomic; else any */
  uint32_t state;
};

static bool stop_at(void *context, const struct explore_outcome *outcome) {
  struct hunt *hunt = context;
  if (hunt->whole && fear_outcome_is_atomic(hunt->program, outcome->values)) return true;
  hunt->state = outcome->state;
  return false;
}

/* Depth of the nearest state in which an update is seen to be lost, or -1; with
 * -trace, the run to it. */
static int64_t find_lost_at(const struct check *c, struct arena *arena, bool whole) {
  struct hunt hunt = {&c->program, whole, EXPLORE_NO_STATE};
  struct machine *machine = fear_machine_new(arena, &c->program, &c->rules, !whole);
  struct explore_options options = fear_explore_limits(c->report);
  options.outcome = stop_at;
  options.context = &hunt;
  struct exploration found;
  explore(c->explorer, machine, &options, &found);
  return fear_trace_length(
      c->report, &(struct fear_trace){c->explorer, machine, hunt.state, "Lost update", c->setting->name, false});
}

/* By two equal answers, else by the L2 at the end of a run. */
static int64_t find_lost(const struct check *c, struct arena *arena) {
  int64_t depth = find_lost_at(c, arena, false);
  return depth >= 0 ? depth : find_lost_at(c, arena, true);
}

/* Values of outcomes from one on. */
struct range {
  size_t first, count;
};

static int compare_range(const void *a, const void *b, void *range) {
  const struct explore_outcome *s = a, *t = b;
  const struct range *of = range;
  return outcome_compare(s->values + of->first, t->values + of->first, of->count);
}

/* Outcomes in the order of their values from `first` on. */
static const struct explore_outcome *sort_outcomes(struct arena *arena, const struct exploration *found, size_t first) {
  struct range range = {first, found->observable_count - first};
  struct explore_outcome *sorted = ARENA_ARRAY(arena, struct explore_outcome, found->outcome_count + 1);
  for (size_t i = 0; i < found->outcome_count; i++) sorted[i] = found->outcomes[i];
  qsort_r(sorted, found->outcome_count, sizeof *sorted, compare_range, &range);
  return sorted;
}

/* Outcomes, with what is to be said of each. */
static int64_t put_outcomes(const struct check *c, struct table *table, const struct exploration *found,
                            const char **forbidden) {
  int64_t violating = 0;
  const struct explore_outcome *sorted = sort_outcomes(c->report->arena, found, 0);
  for (size_t i = 0; i < found->outcome_count; i++) {
    bool atomic = fear_outcome_is_atomic(&c->program, sorted[i].values);
    const char *text = text_of_outcome(c->report->arena, &c->program, sorted[i].values);
    if (!atomic && violating++ == 0) *forbidden = text;
    if (!table) continue;
    table_put_text(table, text);
    table_put_number(table, (int64_t)sorted[i].states);
    table_put_text(table, atomic ? "atomic" : "forbidden");
  }
  return violating;
}

/* The final values of the addresses that occur, `1,2`; of several addresses
 * `(3,1)`. */
static const char *text_of_finals(struct arena *arena, const struct fear_program *program,
                                  const struct exploration *found) {
  size_t addresses = (size_t)program->addresses, first = found->observable_count - addresses;
  const struct explore_outcome *sorted = sort_outcomes(arena, found, first);
  const char *text = "";
  for (size_t i = 0; i < found->outcome_count; i++) {
    const int64_t *values = sorted[i].values + first;
    if (i && outcome_compare(values, sorted[i - 1].values + first, addresses) == 0) continue;
    text = arena_printf(arena, "%s%s%s", text, i ? "," : "", addresses > 1 ? "(" : "");
    for (size_t a = 0; a < addresses; a++) text = arena_printf(arena, "%s%s%d", text, a ? "," : "", (int)values[a]);
    if (addresses > 1) text = arena_printf(arena, "%s)", text);
  }
  return text;
}

static void put_check(const struct check *c, struct table *table, struct table *outcomes) {
  struct arena *arena = arena_new();
  struct machine *machine = fear_machine_new(arena, &c->program, &c->rules, false);
  struct explore_options options = fear_explore_limits(c->report);
  struct exploration found;
  enum explore_end end = explore(c->explorer, machine, &options, &found);
  const char *forbidden = "";
  const char *finals = text_of_finals(c->report->arena, &c->program, &found);
  int64_t violating = put_outcomes(c, outcomes, &found, &forbidden);
  table_put_text(table, c->setting->name);
  table_put_text(table, setting_text(c->setting, "program"));
  table_put_text(table, text_of_rules(c->report->arena, &c->rules));
  table_put_numbers(table, (int64_t)found.stats.states, (int64_t)found.stats.transitions, (int64_t)found.stats.finals,
                    (int64_t)found.outcome_count);
  table_put_text(table, finals);
  table_put_number(table, (int64_t)found.stats.deadlocks);
  table_put_text(table, violating ? "no" : end == EXPLORE_DONE ? "yes" : explore_end_text(end));
  table_put_number(table, violating);
  int64_t depth = violating ? find_lost(c, arena) : -1;
  table_put_number_where(table, depth >= 0, depth);
  table_put_text(table, forbidden);
  c->report->limited |= end != EXPLORE_DONE;
  arena_free(arena);
}

static struct table *add_check_table(struct cost_report *report, const char *title) {
  struct table *table = cost_add_table(report, title);
  table_columns(table, "case", "program", "rules", "states", "edges", "finals|states", "outcomes", "final L2",
                "stuck|states", "atomic", "violating|outcomes", "depth|transitions", "forbidden outcome", NULL);
  return table;
}

static bool put_checks(struct check *c, const struct settings *settings, struct table *table, struct table *outcomes) {
  for (size_t i = 0; i < settings->list.count; i++) {
    c->setting = &settings->list.at[i];
    if (!fill_rules(c->setting, &c->program, &c->rules)) return false;
    put_check(c, table, outcomes);
  }
  return true;
}

static bool show_fear_protocol(struct cost_report *report) {
  struct settings settings = cost_settings(report, "protocol", "program", NULL);
  struct table *table = add_check_table(report, "Protocol, all reachable states"), *outcomes = NULL;
  if (settings.list.count == 1) {
    outcomes = cost_add_table(report, "Outcomes");
    table_columns(outcomes, "outcome", "states", "verdict", NULL);
  }
  struct check c = {.report = report, .explorer = explorer_new()};
  bool good = put_checks(&c, &settings, table, outcomes);
  if (good && !outcomes) {
    settings = cost_settings(report, "several", "program", NULL);
    good = put_checks(&c, &settings, add_check_table(report, "Several mutexes and rings"), NULL);
  }
  explorer_free(c.explorer);
  return good;
}

const struct cost_view view_fear_check = {.name = "fear-check",
                                          .machine = "timing-fear",
                                          .summary = "the mutex protocol explored: which rules keep operations atomic",
                                          .help = help_fear_protocol,
                                          .run = show_fear_protocol};
