/* SPDX-License-Identifier: MIT */
/* What tests cost, as JSON.  The names are those of results.schema.json. */
#include "checker/report/json_cost.h"

#include "checker/base/array.h"
#include "checker/report/json.h"
#include "checker/report/log.h"

void json_write_test_price(FILE *out, const struct litmus_test *test, const char *mapping, const char *answer,
                           const struct test_price *price) {
  struct json j = {.out = out};
  bool priced = price->cycles >= 0;
  json_begin_object(&j);
  json_put_string(&j, "test", test->name);
  json_put_string(&j, "mapping", mapping);
  json_put_string(&j, "answer", answer);
  json_key(&j, priced ? "threads" : "no_price");
  json_string(&j, price->threads);
  if (priced) {
    json_put_integer(&j, "instructions", price->instructions);
    json_put_integer(&j, "cycles", price->cycles);
  }
  json_end_line(&j);
}

/* A state as logs show it. */
static void put_state(struct json *j, const struct litmus_test *test, const int64_t *values) {
  struct arena *arena = arena_new();
  json_put_string(j, "state", log_state_text(arena, test, values));
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
  json_put_string(&j, "test", test->name);
  json_put_string(&j, "machine", machine);
  put_state(&j, test, run->values);
  for (size_t i = 0; i < ARRAY_COUNT(numbers); i++) {
    json_put_integer(&j, numbers[i].key, numbers[i].value);
  }
  json_end_line(&j);
}
