/* SPDX-License-Identifier: MIT */
/* Running a view, and writing its report: as text, as CSV, as plots. */
#include "hwsem/timing/view_report.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"

struct table *cost_add_table(struct cost_report *report, const char *title) {
  struct table *table = ARENA_MAKE(report->arena, struct table, .arena = report->arena, .title = title);
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

struct table *cost_add_statements(struct cost_report *report, const char *title) {
  struct table *table = cost_add_table(report, title);
  table_columns(table, "the paper", "here", "comes out", NULL);
  return table;
}

void cost_put_statement(struct table *table, const char *says, bool holds, const char *here, ...) {
  va_list arguments;
  va_start(arguments, here);
  table_put_text(table, says);
  table_put_text(table, arena_vprintf(table->arena, here, arguments));
  table_put_text(table, holds ? "yes" : "no");
  va_end(arguments);
}

struct settings cost_settings(struct cost_report *report, const char *table, const char *alone, const char *filter) {
  struct row_choice choice = {table, alone, filter};
  return settings_of_table(report->arena, &report->given, &choice);
}

bool cost_is_late(struct cost_report *report) {
  return !report->request->help && cost_limit_look(&report->limit);
}

/* A parameter that the view never asked for has no effect: say so. */
static void warn_of_unused(const struct cost_report *report) {
  const struct setting *given = &report->given;
  ARRAY_EACH (const struct assignment, a, given->user->list.at, given->user->list.count)
    if (!given->used[a->parameter])
      diag_warning(report->diags, given->user->source, a->span, "%s has no effect on %s",
                   given->description->parameters.at[a->parameter].name, report->view->name);
}

struct cost_report *cost_run(const struct cost_view *view, const struct cost_request *request, struct diags *diags) {
  struct cost_report *report = ARENA_MAKE(request->arena, struct cost_report, .arena = request->arena, .diags = diags,
                                          .view = view, .request = request);
  const char *machine = request->machine ? request->machine : view->machine;
  if (!setting_given(report->arena, machine, request->parameters, request->search, &report->given, diags)) return NULL;
  report->limit = (struct cost_limit){.deadline = deadline_in(request->timeout), .cancel = request->cancel};
  report->limit.met = request->help && view->slow;
  report->record = request->help ? NULL : request->record;
  size_t before = diags->errors;
  if (!view->run(report) || diags->errors > before) return NULL;
  report->limited |= report->limit.met;
  if (report->record && !report->limited) {
    diag_fail(diags, "view %s runs no program that could be recorded", view->name);
    return NULL;
  }
  warn_of_unused(report);
  return report;
}

/* ---- writers ------------------------------------------------------------------------ */

static void print_header(const struct cost_report *report, FILE *out) {
  fprintf(out, "# %s: %s\n# machine: %s\n", report->view->name, report->view->summary,
          report->given.description->source->name);
  ARRAY_EACH (const struct assignment, a, report->given.user->list.at, report->given.user->list.count) {
    const struct parameter *p = &report->given.description->parameters.at[a->parameter];
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
