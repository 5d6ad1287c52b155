/* SPDX-License-Identifier: MIT */
/* The view of single transactions on the mesh of atomics. */
#include "hwsem/timing/amo_patterns.h"
#include "hwsem/timing/timed_machines.h"
#include "hwsem/timing/view_list.h"

static const char help_amo_latency[] =
    "Cycles from issue to completion of one access on an idle machine: node 12 issues, the line's\n"
    "home is three hops away, node 18 is the other holder, one hop from the home. A far operation on\n"
    "a line that is unique in the issuer's own L1 is the pathological case that policies avoid.\n"
    "\n" AMO_BELIEVE;

static bool show_amo_latency(struct cost_report *report) {
  struct amo_parameters p;
  if (!amo_setting_fill(&report->given, &p, false)) return false;
  struct table *table = cost_add_table(report, "Single transactions");
  table_columns(table, "case", "cycles|cycles", NULL);
  int64_t events = 0;
  cost_begin(&report->effort);
  for (size_t i = 0; i < amo_case_count; i++) {
    table_put_text(table, amo_cases[i].name);
    table_put_number(table, amo_case_latency(&p, &amo_cases[i], &events));
  }
  cost_end(&report->effort, events);
  return true;
}

const struct cost_view view_amo_lat = {.name = "amo-lat",
                                       .machine = "timing-amo",
                                       .summary = "near and far atomic operations: latency of single transactions",
                                       .help = help_amo_latency,
                                       .run = show_amo_latency};
