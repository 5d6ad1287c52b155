/* SPDX-License-Identifier: MIT */
/* Plots as SVG: lines over a number axis, and bars, side by side or stacked, or
 * boxes over named groups.  No library, no fonts beyond the reader's own. */
#ifndef LITSCOPE_HWSEM_TIMING_PLOT_H
#define LITSCOPE_HWSEM_TIMING_PLOT_H

#include <stdbool.h>
#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/vec.h"

enum plot_kind { PLOT_LINES, PLOT_BARS, PLOT_STACK, PLOT_BOXES };

enum { PLOT_BOX = 5 }; /* numbers of a box: least, quartiles, greatest */

struct plot_series {
  const char *name;
  VEC(double) y; /* one for each x, or for each group; PLOT_BOX for each group of BOXES */
};

struct plot {
  struct arena *arena;
  enum plot_kind kind;
  const char *title, *x_label, *y_label;
  bool log_y;    /* LINES: powers of ten upwards */
  bool doubling; /* LINES: the x axis is logarithmic, with ticks at the points */
  bool close_up; /* LINES: the y axis begins near the lowest point, not at 0 */
  VEC(double) x; /* LINES */
  VEC(const char *)
  groups; /* BARS, STACK, BOXES; LINES: names in place of the numbers of `x`, which are then 0.5, 1.5, ... */
  VEC(struct plot_series *) series;
  size_t turn; /* the series that plot_put is at */
};

/* A new series, to which values are pushed. */
struct plot_series *plot_add_series(struct plot *plot, const char *name);
void plot_push(struct plot *plot, struct plot_series *series, double y);

/* A new group, or named place of LINES, and then its value in each series, in order. */
void plot_add_group(struct plot *plot, const char *name);
void plot_put(struct plot *plot, double y);

/* Writes the plots into one SVG document, one below the other. */
void plots_print_svg(const struct plot *const *plots, size_t count, FILE *out);

#endif
