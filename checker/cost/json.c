/* SPDX-License-Identifier: MIT */
/* A view's tables as JSON.  The names are those of results.schema.json and of
 * the tables' columns. */
#include "checker/report/json.h"

#include "checker/base/array.h"
#include "checker/cost/view.h"

static void write_cell(struct json *j, const struct table_cell *cell) {
  switch (cell->kind) {
    case CELL_EMPTY:
      json_string(j, NULL);
      break;
    case CELL_TEXT:
      json_string(j, cell->text);
      break;
    case CELL_NUMBER:
      json_integer(j, cell->number);
      break;
    case CELL_MILLI:
      json_real(j, (double)cell->number / 1000);
      break;
  }
}

static void write_table(struct json *j, const struct table *table) {
  json_begin_object(j);
  json_put_string(j, "title", table->title);
  json_open_array(j, "columns");
  for (size_t i = 0; i < table->columns.count; i++) {
    json_begin_object(j);
    json_put_string(j, "name", table->columns.at[i].name);
    json_put_string(j, "unit", table->columns.at[i].unit);
    json_end_object(j);
  }
  json_end_array(j);
  json_open_array(j, "rows");
  for (size_t row = 0; row < table_row_count(table); row++) {
    json_begin_array(j);
    for (size_t i = 0; i < table->columns.count; i++) write_cell(j, table_cell(table, row, i));
    json_end_array(j);
  }
  json_end_array(j);
  json_end_object(j);
}

static void write_parameters(struct json *j, const struct cost_report *report) {
  json_begin_object(j);
  ARRAY_EACH (const struct assignment, a, report->given.user->list.at, report->given.user->list.count) {
    const struct parameter *p = &report->given.description->parameters.at[a->parameter];
    json_key(j, a->unit < 0 ? p->name : arena_printf(report->arena, "%s%lld", p->name, (long long)a->unit));
    if (p->kind == PARAMETER_NUMBER)
      json_integer(j, a->number);
    else
      json_string(j, a->text);
  }
  json_end_object(j);
}

void json_write_cost(FILE *out, const struct cost_report *report) {
  json_open_document(out, "cost");
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "view", report->view->name);
  json_put_string(&j, "machine", report->given.description->source->name);
  json_key(&j, "parameters");
  write_parameters(&j, report);
  json_open_array(&j, "tables");
  for (size_t i = 0; i < report->tables.count; i++) write_table(&j, report->tables.at[i]);
  json_end_array(&j);
  json_open_array(&j, "traces");
  for (size_t i = 0; i < report->traces.count; i++) json_string(&j, report->traces.at[i]);
  json_end_array(&j);
  json_end_object(&j);
  json_close_document(out);
}
