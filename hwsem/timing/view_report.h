/* SPDX-License-Identifier: MIT */
/* Views: the tables and plots of the timed machines, by name.
 *
 * A view is one line of the table in view_list.h and one function that fills a
 * report; commands write reports as text, CSV, JSON or SVG.
 */
#ifndef LITSCOPE_HWSEM_TIMING_VIEW_REPORT_H
#define LITSCOPE_HWSEM_TIMING_VIEW_REPORT_H

#include "checker/base/limit.h"
#include "hwsem/prices/parameters.h"
#include "hwsem/timing/plot.h"
#include "hwsem/timing/simulation_limit.h"
#include "hwsem/timing/table.h"
#include "hwsem/workloads/workload.h"

/* What is asked of a view. */
struct cost_request {
  struct arena *arena;
  const struct xml_folders *search;
  const char *machine;         /* description by name or path; NULL: the view's own */
  const char *parameters;      /* name=value,...; NULL: none */
  const char *const *mappings; /* NULL: the view's own */
  size_t mapping_count;
  bool trace;             /* fear-check: the shortest runs that lose an update */
  bool measure;           /* adsm: on this machine, instead of by parameters */
  bool help;              /* nothing is run: which parameters does the view ask for? */
  const char *trace_file; /* replay: what is run */
  const char *record;     /* where the first run of a program is written as a trace; NULL: nowhere */
  double timeout;         /* limits, 0: none; of all simulations of the view, or of each exploration */
  uint64_t max_memory;    /* bytes */
  uint64_t max_states;
  const atomic_int *cancel;
  unsigned jobs; /* threads for simulations that are apart; 0: one */
  /* Called between simulations: `done` of `total`.  May be NULL. */
  void (*progress)(void *context, size_t done, size_t total);
  void *progress_context;
};

/* What simulations took: events, and the processor's time for them in seconds. */
struct cost_effort {
  int64_t events;
  double seconds;
};

struct cost_report {
  struct arena *arena;
  struct diags *diags;
  const struct cost_view *view;
  const struct cost_request *request;
  struct setting given; /* the machine's defaults and what the user gave, without a row */
  VEC(struct table *) tables;
  VEC(const struct plot *) plots;
  VEC(const char *) traces;  /* texts, each of several lines */
  struct cost_limit limit;   /* of simulations */
  const char *record;        /* as in the request, until a run has been recorded */
  bool limited;              /* a limit was reached: some answer is missing */
  struct cost_effort effort; /* of all simulations */
};

struct cost_view {
  const char *name, *machine, *summary;
  /* What the columns mean, and what is fitted, chosen or not claimed. */
  const char *help;
  bool (*run)(struct cost_report *report);
  bool slow; /* runs programs for seconds, and asks for its parameters before */
};

extern const struct cost_view *const cost_views[]; /* view_list.h lists them */
extern const size_t cost_view_count;

/* Adds an error with a suggestion and returns NULL when there is no such view. */
const struct cost_view *cost_find_view(const char *name, struct diags *diags);

/* Runs a view.  On failure adds errors and returns NULL; parameters without
 * effect on the view are warned of. */
struct cost_report *cost_run(const struct cost_view *view, const struct cost_request *request, struct diags *diags);

/* Writers.  Text begins with the machine's file and every value that is not the
 * default, in lines that start with `#`; CSV is one table of all (table.h). */
void cost_print_text(const struct cost_report *report, FILE *out);
void cost_print_csv(const struct cost_report *report, FILE *out);

/* For views: a new table or plot of a report. */
struct table *cost_add_table(struct cost_report *report, const char *title);
struct plot *cost_add_plot(struct cost_report *report, enum plot_kind kind, const char *title, const char *x_label,
                           const char *y_label);
/* A table of what a paper says, each statement with what comes out here and whether it holds. */
struct table *cost_add_statements(struct cost_report *report, const char *title);
void cost_put_statement(struct table *table, const char *says, bool holds, const char *here, ...)
    __attribute__((format(printf, 4, 5)));

/* One of a view's simulations that are apart from each other. */
struct cost_task {
  struct arena *arena; /* its own, until it has been taken */
  struct diags diags;  /* of the trace */
  struct cost_limit limit;
  const char *record; /* NULL, or where it is written as a trace */
  const char *wrong;  /* NULL, or why its answer is wrong */
  struct cost_effort effort;
};

struct cost_tasks {
  void *context;
  size_t count;
  /* Does task `index`, on any thread, several at a time. */
  void (*run)(void *context, size_t index, struct cost_task *task);
  /* Takes what task `index` came to, on the calling thread, in order; not once the limit is met. */
  bool (*take)(void *context, size_t index, struct cost_task *task);
};

/* Runs all, by as many threads as were asked for.  The first is recorded where the report
 * says so.  False when one was not taken, or with an error; once the limit is met, the rest is not begun. */
bool cost_tasks_run(struct cost_report *report, const struct cost_tasks *tasks);

/* For views whose inputs take time before there is a task: is the limit met?  Not for help. */
bool cost_is_late(struct cost_report *report);

/* Around a simulation: the clock of its task, or of a report where it is none, and the events that the machine
 * simulated. */
void cost_begin(struct cost_effort *effort);
void cost_end(struct cost_effort *effort, int64_t events);

/* The settings of a table's rows (struct row_choice). */
struct settings cost_settings(struct cost_report *report, const char *table, const char *alone, const char *filter);

#endif
