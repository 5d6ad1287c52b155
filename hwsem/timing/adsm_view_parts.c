/* SPDX-License-Identifier: MIT */
/* What the views of ADSM's access patterns have in common: a run, and what it costs as cells and plots. */
#include "checker/base/array.h"
#include "hwsem/timing/view_list.h"

struct adsm_cost adsm_run_pattern(struct cost_report *report, const struct adsm_parameters *p,
                                  enum adsm_pattern pattern, enum adsm_protocol protocol) {
  cost_begin(&report->effort);
  struct adsm_cost cost = adsm_pattern_cost(p, pattern, protocol);
  cost_end(&report->effort, cost.events);
  return cost;
}

static int64_t micro(int64_t nanoseconds) {
  return nanoseconds / 1000;
}

void adsm_cost_columns(struct table *table) {
  table_columns(table, "faults", "fault time|us", "upload|us", "download|us", "host|us", "time|us", NULL);
}

void adsm_put_cost(struct table *table, const struct adsm_cost *cost) {
  table_put_numbers(table, cost->faults, micro(cost->fault_time), micro(cost->up_time), micro(cost->down_time),
                    micro(cost->host_time), micro(adsm_cost_time(cost)));
}

struct plot *adsm_add_parts(struct cost_report *report, const char *title) {
  static const char *const names[] = {"faults", "upload", "download", "time"};
  struct plot *plot = cost_add_plot(report, PLOT_LINES, title, "block size (bytes)", "time (ms)");
  plot->log_y = true;
  for (size_t k = 0; k < ARRAY_COUNT(names); k++) plot_add_series(plot, names[k]);
  return plot;
}

void adsm_put_parts(struct plot *plot, const char *name, const struct adsm_cost *cost) {
  const int64_t parts[] = {cost->fault_time, cost->up_time, cost->down_time, adsm_cost_time(cost)};
  plot_add_group(plot, name);
  for (size_t k = 0; k < ARRAY_COUNT(parts); k++) plot_put(plot, (double)parts[k] / 1e6);
}
