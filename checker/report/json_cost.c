/* SPDX-License-Identifier: MIT */
/* What things cost, as JSON.  The names are those of results.schema.json and of
 * the tables' columns. */
#include "checker/report/json_cost.h"

#include "checker/base/text.h"
#include "checker/report/json.h"
#include "checker/report/log.h"

/* ---- tests ---- */

void json_write_test_price(FILE *out, const struct litmus_test *test, const char *mapping, const char *answer,
                           const struct test_price *price) {
  struct json j = {.out = out};
  bool priced = price->cycles >= 0;
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, test->name);
  json_key(&j, "mapping");
  json_string(&j, mapping);
  json_key(&j, "answer");
  json_string(&j, answer);
  json_key(&j, priced ? "threads" : "no_price");
  json_string(&j, price->threads);
  if (priced) {
    json_key(&j, "instructions");
    json_integer(&j, price->instructions);
    json_key(&j, "cycles");
    json_integer(&j, price->cycles);
  }
  json_end_object(&j);
  fputc('\n', out);
}

/* A state as logs show it. */
static void put_state(struct json *j, const struct litmus_test *test, const int64_t *values) {
  struct arena *arena = arena_new();
  json_key(j, "state");
  json_string(j, log_state_text(arena, test, values));
  arena_free(arena);
}

void json_write_adsm_run(FILE *out, const struct litmus_test *test, const char *machine, const struct adsm_run *run) {
  struct json j = {.out = out};
  const int64_t *counters = run->values + test->observable_count;
  const struct {
    const char *key;
    int64_t value;
  } numbers[] = {{"cells_up", counters[ADSM_CELLS_UP]},  {"cells_down", counters[ADSM_CELLS_DOWN]},
                 {"faults", counters[ADSM_FAULTS]},      {"bytes_up", run->cost.up},
                 {"bytes_down", run->cost.down},         {"fault_ns", run->cost.fault_time},
                 {"upload_ns", run->cost.up_time},       {"download_ns", run->cost.down_time},
                 {"time_ns", adsm_cost_time(&run->cost)}};
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, test->name);
  json_key(&j, "machine");
  json_string(&j, machine);
  put_state(&j, test, run->values);
  for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
    json_key(&j, numbers[i].key);
    json_integer(&j, numbers[i].value);
  }
  json_end_object(&j);
  fputc('\n', out);
}

/* ---- views ---- */

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
  json_key(j, "title");
  json_string(j, table->title);
  json_key(j, "columns");
  json_begin_array(j);
  for (size_t i = 0; i < table->columns.count; i++) {
    json_begin_object(j);
    json_key(j, "name");
    json_string(j, table->columns.at[i].name);
    json_key(j, "unit");
    json_string(j, table->columns.at[i].unit);
    json_end_object(j);
  }
  json_end_array(j);
  json_key(j, "rows");
  json_begin_array(j);
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
  for (size_t i = 0; i < report->user.list.count; i++) {
    const struct assignment *a = &report->user.list.at[i];
    const char *name = report->machine->parameters.at[a->parameter].name;
    json_key(j, a->unit < 0 ? name : arena_printf(report->arena, "%s%lld", name, (long long)a->unit));
    if (report->machine->parameters.at[a->parameter].kind == PARAMETER_NUMBER)
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
  json_key(&j, "view");
  json_string(&j, report->view->name);
  json_key(&j, "machine");
  json_string(&j, report->machine->source->name);
  json_key(&j, "parameters");
  write_parameters(&j, report);
  json_key(&j, "tables");
  json_begin_array(&j);
  for (size_t i = 0; i < report->tables.count; i++) write_table(&j, report->tables.at[i]);
  json_end_array(&j);
  json_key(&j, "traces");
  json_begin_array(&j);
  for (size_t i = 0; i < report->traces.count; i++) json_string(&j, report->traces.at[i]);
  json_end_array(&j);
  json_end_object(&j);
  json_close_document(out);
}
