/* SPDX-License-Identifier: MIT */
/* What goes into the table and into the plot. */
#include "hwsem/timing/table_with_plot.h"

struct chart chart_add(struct cost_report *report, enum plot_kind kind, const char *title, const char *x_label,
                       const char *y_label) {
  return (struct chart){cost_add_table(report, title), cost_add_plot(report, kind, title, x_label, y_label)};
}

void chart_column(const struct chart *chart, const char *name, const char *unit) {
  table_column(chart->table, name, unit);
  plot_add_series(chart->plot, name);
}

void chart_row(const struct chart *chart, const char *name) {
  table_put_text(chart->table, name);
  plot_add_group(chart->plot, name);
}

void chart_put_number(const struct chart *chart, int64_t number) {
  table_put_number(chart->table, number);
  plot_put(chart->plot, (double)number);
}

void chart_put_milli(const struct chart *chart, int64_t thousandths) {
  table_put_milli(chart->table, thousandths);
  plot_put(chart->plot, (double)thousandths / 1000);
}

void chart_put_ratio(const struct chart *chart, int64_t numerator, int64_t denominator) {
  table_put_ratio(chart->table, numerator, denominator);
  plot_put(chart->plot, denominator ? (double)numerator / (double)denominator : 0);
}

void chart_put_time(const struct chart *chart, int64_t nanoseconds) {
  table_put_number(chart->table, nanoseconds / 1000);
  plot_put(chart->plot, (double)nanoseconds / 1e6);
}
