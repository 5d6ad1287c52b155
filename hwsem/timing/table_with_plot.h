/* SPDX-License-Identifier: MIT */
/* A table and the plot of some of its columns: a row is a group of the plot, or a place on its axis. */
#ifndef LITSCOPE_HWSEM_TIMING_TABLE_WITH_PLOT_H
#define LITSCOPE_HWSEM_TIMING_TABLE_WITH_PLOT_H

#include "hwsem/timing/view_report.h"

struct chart {
  struct table *table;
  struct plot *plot;
};

/* A new table and a new plot of a report, with one title. */
struct chart chart_add(struct cost_report *report, enum plot_kind kind, const char *title, const char *x_label,
                       const char *y_label);

/* A column that is also a series. */
void chart_column(const struct chart *chart, const char *name, const char *unit);

/* A new row, whose first cell is its name. */
void chart_row(const struct chart *chart, const char *name);

/* Its cells in such columns, in order: as table_put_number and table_put_milli; a quotient, 0 in the plot when there is
 * none; a time in nanoseconds, shown as microseconds and milliseconds. */
void chart_put_number(const struct chart *chart, int64_t number);
void chart_put_milli(const struct chart *chart, int64_t thousandths);
void chart_put_ratio(const struct chart *chart, int64_t numerator, int64_t denominator);
void chart_put_time(const struct chart *chart, int64_t nanoseconds);

#endif
