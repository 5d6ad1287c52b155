/* SPDX-License-Identifier: MIT */
/* The view of the ADSM protocols as this machine runs them (adsm_runtime.h), next
 * to what the model says for the machine's own parameters. */

#include "checker/base/array.h"
#include "hwsem/timing/adsm_runtime.h"
#include "hwsem/timing/view_list.h"

enum { REPEATS = 3 };

/* The fastest of some runs; wrong if one was. */
static struct adsm_measured measure(const struct adsm_parameters *p, enum adsm_pattern pattern,
                                    enum adsm_protocol protocol) {
  struct adsm_measured best = adsm_pattern_measure(p, pattern, protocol);
  for (int i = 1; i < REPEATS; i++) {
    struct adsm_measured next = adsm_pattern_measure(p, pattern, protocol);
    bool right = best.right && next.right;
    if (adsm_cost_time(&next.cost) < adsm_cost_time(&best.cost)) best = next;
    best.right = right;
  }
  return best;
}

/* ---- this machine ---- */

/* Those that -run finds out; what the user gives goes before. */
static const struct {
  const char *name, *unit, *meaning;
  size_t offset;
} FOUND[] = {
#define FOUND_ROW(name, unit, meaning) \
  { #name, unit, meaning, offsetof(struct adsm_parameters, name) }
    FOUND_ROW(latency, "ns", "start of a copy"),
    FOUND_ROW(up, "MB/s", "copy to the device's memory"),
    FOUND_ROW(down, "MB/s", "copy from it"),
    FOUND_ROW(half, "bytes", "copies reach half their speed at"),
    FOUND_ROW(fault, "ns", "signal, change of protection"),
    FOUND_ROW(search, "ns", "a level of the search for a block"),
    FOUND_ROW(produce, "ns", "1024 bytes written by the host"),
    FOUND_ROW(input, "ns", "1024 bytes read from a file"),
#undef FOUND_ROW
};

static int64_t *member(const struct adsm_parameters *p, size_t offset) {
  return (int64_t *)((uintptr_t)p + offset);
}

/* A setting with this machine's parameters; NULL: with its own. */
static bool fill(struct cost_report *report, const struct setting *setting, const struct adsm_parameters *here,
                 struct adsm_parameters *p) {
  if (!adsm_setting_fill(setting, p)) return false;
  const char *fault = adsm_runtime_check(report->arena, p);
  if (fault) setting_error(setting, setting_is_given(setting, "s") ? "s" : "B", "%s", fault);
  for (size_t i = 0; here && i < ARRAY_COUNT(FOUND); i++)
    if (!setting_is_given(setting, FOUND[i].name)) *member(p, FOUND[i].offset) = *member(here, FOUND[i].offset);
  return !fault;
}

static bool add_machine(struct cost_report *report, struct adsm_parameters *here) {
  struct adsm_parameters given;
  if (!fill(report, &report->given, NULL, &given)) return false;
  struct adsm_parameters found = adsm_calibrate(&given);
  if (!fill(report, &report->given, &found, here)) return false;
  struct table *table = cost_add_table(report, "This machine");
  table_columns(table, "parameter", "value", "unit", "of", NULL);
  for (size_t i = 0; i < ARRAY_COUNT(FOUND); i++) {
    table_put_text(table, FOUND[i].name);
    table_put_number(table, *member(here, FOUND[i].offset));
    table_put_text(table, FOUND[i].unit);
    table_put_text(table, FOUND[i].meaning);
  }
  return true;
}

/* ---- tables of runs ---- */

static void run_columns(struct table *table) {
  table_columns(table, "up|bytes", "down|bytes", NULL);
  adsm_cost_columns(table);
  table_columns(table, "model|us", "values", NULL);
}

static struct adsm_cost put_run(struct table *table, const struct adsm_parameters *p, enum adsm_pattern pattern,
                                enum adsm_protocol protocol) {
  struct adsm_measured measured = measure(p, pattern, protocol);
  struct adsm_cost cost = measured.cost, model = adsm_pattern_cost(p, pattern, protocol);
  table_put_numbers(table, cost.up, cost.down);
  adsm_put_cost(table, &cost);
  table_put_number(table, adsm_cost_time(&model) / 1000);
  bool same = cost.up == model.up && cost.down == model.down && cost.faults == model.faults;
  table_put_text(table, !measured.right ? "wrong" : same ? "right" : "right, but not the model's traffic");
  return cost;
}

static bool add_patterns(struct cost_report *report, const struct adsm_parameters *here) {
  struct settings settings = cost_settings(report, "patterns", NULL, "pattern");
  struct table *table = cost_add_table(report, "Access patterns on this machine");
  table_columns(table, "pattern", "protocol", NULL);
  run_columns(table);
  for (size_t i = 0; i < settings.list.count; i++) {
    struct adsm_parameters p;
    enum adsm_pattern pattern;
    if (!fill(report, &settings.list.at[i], here, &p)) return false;
    if (!adsm_setting_pattern(&settings.list.at[i], &pattern)) return false;
    for (enum adsm_protocol protocol = 0; protocol < ADSM_PROTOCOLS; protocol++) {
      if (cost_limit_look(&report->limit)) return true;
      table_put_text(table, adsm_pattern_name(pattern));
      table_put_text(table, adsm_protocol_name(protocol));
      put_run(table, &p, pattern, protocol);
    }
  }
  return true;
}

/* Time against block size; larger blocks than the object are left out. */
static bool add_blocks(struct cost_report *report, const struct adsm_parameters *here) {
  static const char title[] = "Block size: vector addition on this machine";
  struct settings settings = cost_settings(report, "blocks", NULL, NULL);
  struct table *table = cost_add_table(report, title);
  struct plot *plot = adsm_add_parts(report, title);
  table_column(table, "B", "bytes");
  run_columns(table);
  ARRAY_EACH (const struct setting, setting, settings.list.at, settings.list.count) {
    struct adsm_parameters p;
    if (!fill(report, setting, here, &p)) return false;
    if (p.B > p.s) continue;
    if (cost_limit_look(&report->limit)) return true;
    if (!setting_is_given(setting, "fault")) p.fault = adsm_fault_here(&p);
    table_put_number(table, p.B);
    struct adsm_cost cost = put_run(table, &p, ADSM_VECTOR_ADD, ADSM_ROLLING);
    adsm_put_parts(plot, setting->name, &cost);
  }
  return true;
}

bool view_adsm_measured(struct cost_report *report) {
  struct adsm_parameters here;
  return add_machine(report, &here) && add_patterns(report, &here) && add_blocks(report, &here);
}
