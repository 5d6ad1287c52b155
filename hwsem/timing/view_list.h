/* SPDX-License-Identifier: MIT */
/* The views, and what some of them share.  To add one, NAME: a file NAME_view.c with the object view_NAME, and its name
 * in the list. */
#ifndef LITSCOPE_HWSEM_TIMING_VIEW_LIST_H
#define LITSCOPE_HWSEM_TIMING_VIEW_LIST_H

#include "hwsem/machines/fear.h"
#include "hwsem/prices/settings.h"
#include "hwsem/timing/adsm_patterns.h"
#include "hwsem/timing/view_report.h"

/* In the order in which they are listed. */
#define COST_VIEW_LIST(X) \
  X(rsp_ops)              \
  X(rsp_steal)            \
  X(gpu_steal)            \
  X(amo_lat)              \
  X(amo_throughput)       \
  X(amo_policy)           \
  X(amo_programs)         \
  X(amo_energy)           \
  X(programs)             \
  X(replay)               \
  X(fear_rings)           \
  X(fear_timed)           \
  X(fear_check)           \
  X(fear_mesh)            \
  X(fear_programs)        \
  X(fear_network)         \
  X(adsm)                 \
  X(adsm_programs)

#define VIEW(name) extern const struct cost_view view_##name;
COST_VIEW_LIST(VIEW)
#undef VIEW

/* `adsm -run`: the protocols on this machine. */
bool view_adsm_measured(struct cost_report *report);

/* What a pattern costs under a protocol, counted as one of the view's simulations. */
struct adsm_cost adsm_run_pattern(struct cost_report *report, const struct adsm_parameters *parameters,
                                  enum adsm_pattern pattern, enum adsm_protocol protocol);

/* Columns and cells of a cost, faults first; and a plot of its parts by block size. */
void adsm_cost_columns(struct table *table);
void adsm_put_cost(struct table *table, const struct adsm_cost *cost);
struct plot *adsm_add_parts(struct cost_report *report, const char *title);
void adsm_put_parts(struct plot *plot, const char *name, const struct adsm_cost *cost);

/* Tables of the protocols next to copies by hand. */
bool adsm_add_explicit(struct cost_report *report);

/* The mappings of -mapping; else the sound one, and the published ones to compare it with. */
bool cost_load_mappings(const struct cost_report *report, size_t *count, struct mapping ***mappings);

/* The mutex protocol explored: the program that a setting names (false with an error); the limits of the request; how
 * long a shortest run to a state is, which goes to the report's traces under -trace; -1: there is no such state. */
bool fear_setting_program(const struct setting *setting, struct fear_program *program);
struct explore_options fear_explore_limits(const struct cost_report *report);
struct fear_trace {
  struct explorer *explorer;
  const struct machine *machine;
  uint32_t state;
  const char *what, *name; /* of what is found there, of the configuration */
  bool ends;               /* with the state at its end */
};
int64_t fear_trace_length(struct cost_report *report, const struct fear_trace *trace);

#endif
