/* SPDX-License-Identifier: MIT */
/* The paper's Figures 5 to 9 for programs, whether patterns or workloads: runs are
 * planned, done together, and shown as tables and plots. */
#ifndef LITSCOPE_HWSEM_TIMING_FEAR_FIGURES_H
#define LITSCOPE_HWSEM_TIMING_FEAR_FIGURES_H

#include "hwsem/timing/timed_machines.h"

/* A row of the table of programs. */
struct fear_benchmark {
  const struct setting *setting;
  struct fear_mesh_parameters p;
  bool runs; /* a workload, and not a pattern */
  enum fear_sharing sharing;
  struct kernel_options kernel; /* its size is that of each core */
  size_t memside;               /* run: how long it takes at the L2 */
};

/* A row of a figure: runs of one configuration, for each program, and what they are compared with. */
struct fear_row {
  const char *name;
  size_t *run, *memside;
};

struct fear_figure {
  struct fear_row *row;
  size_t count;
};

struct fear_figures {
  struct program_jobs jobs;
  struct settings programs;
  struct fear_benchmark *program;
};

enum { FEAR_OWN = 3 };

struct fear_sweep {
  const char *table, *title, *axis;
  const char *own[FEAR_OWN]; /* parameters that its rows set; the first is the axis */
  bool machines;             /* each is compared with its own machine's L2 */
};

/* A view of programs: reads the rows of a table as programs, whose setting says the rest, runs them and shows
 * the figures. */
struct fear_figures_view {
  const char *table, *alone; /* `alone`: the parameter that makes it one row */
  bool (*fill)(struct fear_benchmark *program);
  const struct fear_sweep *own; /* a sweep of its own; NULL: none */
  /* What is said of them. */
  void (*tell)(struct cost_report *report, const struct fear_figures *figures, const struct fear_figure *parts,
               const struct fear_figure *sweeps);
};
bool fear_figures_show(struct cost_report *report, const struct fear_figures_view *view);

/* How many rows came to an end; a program's speed-up in one of these. */
size_t fear_figure_done(const struct fear_figures *figures, const struct fear_figure *figure);
double fear_figure_speedup(const struct fear_figures *figures, const struct fear_row *row, size_t program);
const struct fear_result *fear_figure_result(const struct fear_figures *figures, size_t run);

/* What operations took and where their data came from; where there are no rings only the latency. */
#define FEAR_RESULT_COLUMNS \
  "mean acquisition|cycles", "mean latency|cycles", "cached|operations", "speculative|operations", "fetched|operations"
void fear_put_result(struct table *table, const struct fear_result *result, bool rings);

/* For the paper's programs, parts and sweeps only: not where the user gave others. */
void fear_figures_add_text(struct cost_report *report, const struct fear_figures *figures,
                           const struct fear_figure *parts, const struct fear_figure *sweeps);

enum { FEAR_SWEEPS = 5 }; /* of Figures 5 to 8, after that of ring sizes */

#endif
