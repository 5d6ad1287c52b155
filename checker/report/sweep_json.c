/* SPDX-License-Identifier: MIT */
/* Sweeps as JSON: the counts of the printed tables under the same names, and
 * the smallest counterexamples in the notation of small_program.h. */
#include "checker/report/sweep_json.h"

#include "checker/base/array.h"
#include "checker/report/json_hardware.h"

const char *ablation_answer(const struct ablation *a) {
  if (a->unsound[0] + a->unsound[1] + a->stuck[0] + a->stuck[1] > 0) return "needed";
  return a->undecided ? "undecided" : "not needed";
}

const char *compiled_ablation_answer(const struct compiled_ablation *a) {
  return a->needed ? "needed" : a->hazards ? "hazard" : a->undecided ? "undecided" : "not needed";
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

static void put_listed(struct json *j, const struct small_listed *program) {
  put_program(j, "smallest", program ? &program->program : NULL);
}

static void put_counts(struct json *j, const struct sweep_result *r, enum sweep_count from, enum sweep_count to) {
  for (int c = (int)from; c <= (int)to; c++)
    if (r->counts[c] || (sweep_counts[c].of & r->swept)) json_put_unsigned(j, sweep_counts[c].key, r->counts[c]);
}

static void put_example(struct json *j, const struct sweep_result *r, const struct verify_result *example) {
  put_program(j, "smallest", r->found ? &r->smallest : NULL);
  json_put_string(j, "outcome", example && example->outcome ? example->test->condition_text : NULL);
  json_put_trace(j, example);
}

static void put_kind(struct json *j, const char *key, const char *name, const char *counted, uint64_t count,
                     const struct small_listed *smallest) {
  json_begin_object(j);
  json_put_string(j, key, name);
  json_put_unsigned(j, counted, count);
  put_listed(j, smallest);
  json_end_object(j);
}

static void put_kinds(struct json *j, const struct sweep_result *r) {
  json_open_array(j, "kinds");
  for (unsigned i = 0; i < r->kind_count; i++)
    put_kind(j, "kind", r->kinds[i].kind, "unsound", r->kinds[i].unsound, r->kinds[i].smallest);
  json_end_array(j);
  json_open_array(j, "refusals");
  for (unsigned i = 0; i < r->refusal_count; i++)
    put_kind(j, "message", r->refusals[i].message, "programs", r->refusals[i].count, r->refusals[i].smallest);
  json_end_array(j);
}

/* `family` NULL: it is always the same. */
static void put_head(struct json *j, const char *family, const char *kind, const char *target, const char *model) {
  json_begin_object(j);
  if (family) json_put_string(j, "family", family);
  json_put_string(j, kind, target);
  json_put_string(j, "model", model);
}

void json_write_sweep(FILE *out, const char *family, const char *target, const char *model,
                      const struct sweep_result *r, const struct verify_result *example) {
  struct json j = {.out = out};
  put_head(&j, family, r->swept == SWEPT_CODE ? "target" : "mapping", target, model);
  json_put_string(&j, "answer", sweep_answer(r));
  json_put_bool(&j, "complete", !r->stopped);
  put_counts(&j, r, COUNT_PROGRAMS, COUNT_REFUSED);
  if (r->swept == SWEPT_CODE)
    put_kinds(&j, r);
  else
    put_example(&j, r, example);
  put_counts(&j, r, COUNT_STATES, COUNT_THREADS);
  json_put_real(&j, "seconds", r->seconds);
  json_end_line(&j);
}

static void put_ablation(struct json *j, const struct ablation *a) {
  struct arena *arena = arena_new();
  json_begin_object(j);
  json_put_string(j, "operation", mapping_key_text(arena, a->key));
  arena_free(arena);
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

void json_write_ablations(FILE *out, const char *mapping, const char *model, const struct ablate_result *result) {
  struct json j = {.out = out};
  put_head(&j, NULL, "mapping", mapping, model);
  json_put_bool(&j, "complete", !result->stopped);
  json_put_unsigned(&j, "programs", result->programs);
  json_put_unsigned(&j, "race_free", result->race_free);
  json_open_array(&j, "changes");
  for (size_t i = 0; i < result->count; i++) put_ablation(&j, &result->at[i]);
  json_end_array(&j);
  json_put_real(&j, "seconds", result->seconds);
  json_end_line(&j);
}

void json_write_compiled_ablations(FILE *out, const char *family, const char *target, const char *model,
                                   const struct compiled_ablations *result) {
  struct json j = {.out = out};
  put_head(&j, family, "target", target, model);
  json_put_bool(&j, "complete", !result->stopped);
  json_put_unsigned(&j, "programs", result->programs);
  json_put_unsigned(&j, "explored", result->explored);
  json_put_unsigned(&j, "left_out", result->left_out);
  json_open_array(&j, "changes");
  ARRAY_EACH (const struct compiled_ablation, a, result->at, result->count) {
    json_begin_object(&j);
    json_put_string(&j, "change", a->change);
    json_put_string(&j, "answer", compiled_ablation_answer(a));
    json_put_unsigned(&j, "occurs", a->occurs);
    json_put_unsigned(&j, "needed", a->needed);
    json_put_unsigned(&j, "hazards", a->hazards);
    put_listed(&j, a->smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_put_real(&j, "seconds", result->seconds);
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
