/* SPDX-License-Identifier: MIT */
/* Sweeps as JSON: the counts of the printed tables under the same names, and
 * the smallest counterexamples in the notation of small_program.h. */
#include "checker/report/sweep_json.h"

#include "checker/base/text.h"
#include "checker/report/json_hardware.h"

const char *sweep_answer(const struct sweep_result *r) {
  if (r->unsound) return "Unsound";
  if (r->deadlocks) return "Deadlock";
  return r->undecided || r->stopped ? "Undecided" : "Sound";
}

const char *ablation_answer(const struct ablation *a) {
  if (a->unsound[0] + a->unsound[1] + a->stuck[0] + a->stuck[1] > 0) return "needed";
  return a->undecided ? "undecided" : "not needed";
}

/* Counts with write-back in order, and in any order. */
static void put_pair(struct json *j, const char *key, const uint64_t counts[2]) {
  json_open_array(j, key);
  json_unsigned(j, counts[0]);
  json_unsigned(j, counts[1]);
  json_end_array(j);
}

static void put_program(struct json *j, const char *key, const struct small_program *program) {
  struct arena *arena = arena_new();
  json_put_string(j, key, program ? small_text(arena, program) : NULL);
  arena_free(arena);
}

void json_write_sweep(FILE *out, const char *family, const char *mapping, const char *model,
                      const struct sweep_result *r, const struct verify_result *example, double seconds) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "family", family);
  json_put_string(&j, "mapping", mapping);
  json_put_string(&j, "model", model);
  json_put_string(&j, "answer", sweep_answer(r));
  json_put_bool(&j, "complete", !r->stopped);
  json_put_unsigned(&j, "programs", r->programs);
  json_put_unsigned(&j, "racy", r->programs - r->race_free - r->unjudged - r->no_cell);
  json_put_unsigned(&j, "race_free", r->race_free);
  json_put_unsigned(&j, "racy_or_race_free", r->unjudged);
  json_put_unsigned(&j, "no_cell", r->no_cell);
  json_put_unsigned(&j, "sound", r->sound);
  json_put_unsigned(&j, "unsound", r->unsound);
  json_put_unsigned(&j, "deadlocks", r->deadlocks);
  json_put_unsigned(&j, "undecided", r->undecided);
  put_program(&j, "smallest", r->found ? &r->smallest : NULL);
  json_put_string(&j, "outcome", example && example->outcome ? example->test->condition_text : NULL);
  json_put_trace(&j, example);
  json_put_unsigned(&j, "states_explored", r->states);
  json_put_real(&j, "seconds", seconds);
  json_end_line(&j);
}

static void put_key(struct json *j, struct mapping_key key) {
  struct text text;
  text_open(&text);
  mapping_key_print(key, text.out);
  text_end(&text);
  json_put_string(j, "operation", text.at);
  text_free(&text);
}

static void put_ablation(struct json *j, const struct ablation *a) {
  json_begin_object(j);
  put_key(j, a->key);
  json_put_string(j, "change", a->change);
  json_put_string(j, "answer", ablation_answer(a));
  json_put_unsigned(j, "race_free", a->race_free);
  put_pair(j, "unsound", a->unsound);
  put_pair(j, "deadlocks", a->stuck);
  json_put_unsigned(j, "undecided", a->undecided);
  put_program(j, "smallest", a->found[0] ? &a->smallest[0] : NULL);
  put_program(j, "smallest_any_order", a->found[1] ? &a->smallest[1] : NULL);
  json_end_object(j);
}

void json_write_ablations(FILE *out, const char *mapping, const char *model, const struct ablate_result *result,
                          double seconds) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "mapping", mapping);
  json_put_string(&j, "model", model);
  json_put_bool(&j, "complete", !result->stopped);
  json_put_unsigned(&j, "programs", result->programs);
  json_put_unsigned(&j, "race_free", result->race_free);
  json_open_array(&j, "changes");
  for (size_t i = 0; i < result->count; i++) put_ablation(&j, &result->at[i]);
  json_end_array(&j);
  json_put_real(&j, "seconds", seconds);
  json_end_line(&j);
}

static void put_rule(struct json *j, unsigned rule, const char *const *machines, size_t machine_count,
                     const struct adsm_sweep *sweep) {
  json_begin_object(j);
  json_put_string(j, "rule", adsm_rule_name(rule));
  json_put_unsigned(j, "legal", sweep->legal[rule]);
  json_open_object(j, "deviating");
  for (size_t m = 0; m < machine_count; m++)
    json_put_unsigned(j, machines[m], sweep->cells[rule * machine_count + m].deviating);
  json_end_object(j);
  json_end_object(j);
}

void json_write_adsm_sweep(FILE *out, unsigned operations, const char *const *machines, size_t machine_count,
                           const struct adsm_sweep *sweep) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "family", "adsm");
  json_put_unsigned(&j, "operations", operations);
  json_put_bool(&j, "complete", sweep->complete);
  json_put_unsigned(&j, "programs", sweep->programs);
  json_open_array(&j, "rules");
  for (unsigned rule = 0; rule < ADSM_RULES; rule++) put_rule(&j, rule, machines, machine_count, sweep);
  json_end_array(&j);
  json_end_line(&j);
}
