/* SPDX-License-Identifier: MIT */
/* The functions behind the views of views.c, and their help texts. */
#ifndef LITSCOPE_HWSEM_TIMING_VIEWS_H
#define LITSCOPE_HWSEM_TIMING_VIEWS_H

#include "hwsem/prices/settings.h"
#include "hwsem/timing/adsm_patterns.h"
#include "hwsem/timing/cost.h"

struct explore_options;
struct explore_step;
struct machine;

bool view_rsp_operations(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_rsp_stealing(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_rsp_operations[], help_rsp_stealing[];

bool view_gpu_stealing(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_gpu_stealing[];

bool view_amo_latency(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_amo_throughput(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_amo_policies(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_amo_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_amo_latency[], help_amo_throughput[], help_amo_policies[], help_amo_programs[];

bool view_fear_rings(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_fear_timed(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_fear_protocol(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_fear_mesh(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_fear_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_fear_mesh[], help_fear_programs[];
bool view_fear_network(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_fear_rings[], help_fear_timed[], help_fear_protocol[], help_fear_network[];

bool view_adsm(const struct cost_request *request, struct cost_report *report, struct diags *diags);
bool view_adsm_measured(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_adsm[];
bool view_adsm_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_adsm_programs[];

/* What a pattern costs under a protocol, counted as one of the view's simulations. */
struct adsm_cost adsm_run_pattern(struct cost_report *report, const struct adsm_parameters *parameters,
                                  enum adsm_pattern pattern, enum adsm_protocol protocol);

/* Columns and cells of a cost, faults first; and a plot of its parts by block size. */
void adsm_cost_columns(struct table *table);
void adsm_put_cost(struct table *table, const struct adsm_cost *cost);
struct plot *adsm_add_parts(struct cost_report *report, const char *title);
void adsm_put_parts(struct plot *plot, const char *name, const struct adsm_cost *cost);

/* Tables of the protocols beside copies by hand. */
bool adsm_add_explicit(struct cost_report *report, struct diags *diags);

/* The limits of a request, for what is explored. */
struct explore_options cost_explore_limits(const struct cost_request *request);

/* Adds a run of an explored machine to the report's traces; `ends`: with the state at its end. */
void fear_add_trace(struct cost_report *report, const char *what, const char *name, const struct machine *machine,
                    const struct explore_step *steps, size_t count, bool ends);

bool view_programs(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_programs[];

bool view_replay(const struct cost_request *request, struct cost_report *report, struct diags *diags);
extern const char help_replay[];

#endif
