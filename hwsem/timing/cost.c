/* SPDX-License-Identifier: MIT */
/* The table of views, and the writers of reports: as text, as CSV, as plots. */
#include "hwsem/timing/cost.h"

#include <inttypes.h>
#include <string.h>

#include "hwsem/timing/views.h"

const struct cost_view cost_views[] = {
    {"rsp-ops", "timing-rsp", "scoped GPU operations under compiler mappings: flushes, latency, time in the lock",
     help_rsp_operations, view_rsp_operations, false},
    {"rsp-steal", "timing-rsp", "work stealing with and without scopes and promotion: ten workloads, four scenarios",
     help_rsp_stealing, view_rsp_stealing, false},
    {"gpu-steal", "timing-gpu", "programs on GPU caches: work stealing with and without scopes and promotion",
     help_gpu_stealing, view_gpu_stealing, true},
    {"amo-lat", "timing-amo", "near and far atomic operations: latency of single transactions", help_amo_latency,
     view_amo_latency, false},
    {"amo-throughput", "timing-amo", "near and far atomic operations: throughput on one line against threads",
     help_amo_throughput, view_amo_throughput, false},
    {"amo-policy", "timing-amo",
     "near and far atomic operations: placement policies and predictors on sharing patterns", help_amo_policies,
     view_amo_policies, false},
    {"amo-programs", "timing-amo-run", "near and far atomic operations: kernels under static policies and predictors",
     help_amo_programs, view_amo_programs, true},
    {"replay", "timing-gpu", "a trace on the GPU with caches, or on the mesh of atomics (-machine timing-amo-run)",
     help_replay, view_replay, true},
    {"fear-rings", "timing-fear", "mutex rings on a mesh: analytic latency against ring size", help_fear_rings,
     view_fear_rings, false},
    {"fear-timed", "timing-fear", "mutex rings on a mesh: timed runs, busy wires, epochs", help_fear_timed,
     view_fear_timed, false},
    {"fear-check", "timing-fear", "the mutex protocol explored: which rules keep operations atomic", help_fear_protocol,
     view_fear_protocol, false},
    {"fear-mesh", "timing-fear-mesh", "mutex rings on a mesh with contention: what each part brings, sweeps over sizes",
     help_fear_mesh, view_fear_mesh, true},
    {"fear-network", "timing-fear-net",
     "the mutex protocol on a network with finite buffers, explored: what can stand still", help_fear_network,
     view_fear_network, false},
    {"adsm", "timing-adsm", "ADSM protocols: bytes, faults and time on access patterns; block and rolling sizes",
     help_adsm, view_adsm, false},
    {"adsm-programs", "timing-adsm-programs",
     "ADSM protocols on profiles of the Parboil suite: slow-down, bytes, parts of the time", help_adsm_programs,
     view_adsm_programs, true},
};
const size_t cost_view_count = sizeof cost_views / sizeof *cost_views;

const struct cost_view *cost_find_view(const char *name, struct diags *diags) {
  const char *names[sizeof cost_views / sizeof *cost_views + 1] = {0};
  for (size_t i = 0; i < cost_view_count; i++) {
    if (!strcmp(cost_views[i].name, name)) return &cost_views[i];
    names[i] = cost_views[i].name;
  }
  const char *nearest = suggest(name, names);
  if (nearest)
    diag_error(diags, NULL, (struct span){0}, "unknown view '%s'; did you mean '%s'?", name, nearest);
  else
    diag_error(diags, NULL, (struct span){0}, "unknown view '%s'; `litscope cost` lists them", name);
  return NULL;
}

struct table *cost_add_table(struct cost_report *report, const char *title) {
  struct table *table = ARENA_NEW(report->arena, struct table);
  *table = (struct table){.arena = report->arena, .title = title};
  *vec_push(report->arena, &report->tables) = table;
  return table;
}

struct plot *cost_add_plot(struct cost_report *report, enum plot_kind kind, const char *title, const char *x_label,
                           const char *y_label) {
  struct plot *plot = ARENA_NEW(report->arena, struct plot);
  *vec_push(report->arena, &report->plots) = plot;
  *plot = (struct plot){.arena = report->arena, .kind = kind, .title = title, .x_label = x_label, .y_label = y_label};
  return plot;
}

struct settings cost_settings(struct cost_report *report, const char *table, const char *alone, const char *filter) {
  struct row_choice choice = {table, alone, filter};
  return settings_of_table(report->arena, report->machine, &report->user, &choice, report->used);
}

struct setting cost_setting_alone(struct cost_report *report) {
  return (struct setting){report->machine, &report->user, ARENA_NEW(report->arena, struct assignments), "given",
                          report->used};
}

/* A parameter that the view never asked for has no effect: say so. */
static void warn_of_unused(const struct cost_report *report, struct diags *diags) {
  for (size_t i = 0; i < report->user.list.count; i++) {
    const struct assignment *a = &report->user.list.at[i];
    if (!report->used[a->parameter])
      diag_warning(diags, report->user.source, a->span, "%s has no effect on %s",
                   report->machine->parameters.at[a->parameter].name, report->view->name);
  }
}

struct cost_report *cost_run(const struct cost_view *view, const struct cost_request *request, struct diags *diags) {
  struct cost_report *report = ARENA_NEW(request->arena, struct cost_report);
  report->arena = request->arena;
  report->view = view;
  report->request = request;
  report->machine =
      description_load(request->arena, request->machine ? request->machine : view->machine, request->search, diags);
  if (!report->machine) return NULL;
  report->limit = cost_limit_new(request->timeout, request->cancel);
  report->limit.met = request->help && view->slow;
  report->record = request->help ? NULL : request->record;
  report->used = ARENA_ARRAY(request->arena, bool, report->machine->parameters.count);
  const char *text = request->parameters ? request->parameters : "";
  const struct source *source = source_from_text(request->arena, "-params", text, strlen(text));
  if (!assignments_read(request->arena, report->machine, source, &report->user, diags)) return NULL;
  size_t before = diags->errors;
  if (!view->run(request, report, diags) || diags->errors > before) return NULL;
  report->limited |= report->limit.met;
  if (report->record && !report->limited) {
    diag_error(diags, NULL, (struct span){0}, "view %s runs no program that could be recorded", view->name);
    return NULL;
  }
  warn_of_unused(report, diags);
  return report;
}

/* ---- writers ------------------------------------------------------------------------ */

static void print_header(const struct cost_report *report, FILE *out) {
  fprintf(out, "# %s: %s\n# machine: %s\n", report->view->name, report->view->summary, report->machine->source->name);
  for (size_t i = 0; i < report->user.list.count; i++) {
    const struct assignment *a = &report->user.list.at[i];
    const struct parameter *p = &report->machine->parameters.at[a->parameter];
    if (!strcmp(a->text, p->initial)) continue;
    fprintf(out, "# %s", p->name);
    if (a->unit >= 0) fprintf(out, "%" PRId64, a->unit);
    fprintf(out, "=%s (%s; default %s)\n", a->text, p->unit, p->initial);
  }
}

void cost_print_text(const struct cost_report *report, FILE *out) {
  print_header(report, out);
  for (size_t i = 0; i < report->tables.count; i++) {
    fputc('\n', out);
    table_print_text(report->tables.at[i], out);
  }
  for (size_t i = 0; i < report->traces.count; i++) fprintf(out, "\n%s", report->traces.at[i]);
}

void cost_print_csv(const struct cost_report *report, FILE *out) {
  tables_print_csv((const struct table *const *)report->tables.at, report->tables.count, out);
}
