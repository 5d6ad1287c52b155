/* SPDX-License-Identifier: MIT */
/* Sweeps and ablations of compilers as JSON: the counts of the printed tables, and
 * programs in their notation. */
#include "checker/report/compiled_json.h"

#include "checker/base/text.h"

const char *compiled_answer(const struct compiled_result *r) {
  if (r->unsound) return "Unsound";
  if (r->hazards) return "Hazard";
  if (r->deadlocks) return "Deadlock";
  return r->undecided || r->model_undecided || r->refused || r->stopped ? "Undecided" : "Sound";
}

const char *compiled_ablation_answer(const struct compiled_ablation *a) {
  return a->needed ? "needed" : a->hazards ? "hazard" : "not needed";
}

static void put_count(struct json *j, const char *key, uint64_t value) {
  json_key(j, key);
  json_unsigned(j, value);
}

static void put_text(struct json *j, const char *key, const char *value) {
  json_key(j, key);
  json_string(j, value);
}

static void put_program(struct json *j, const struct family_program *program) {
  struct text text;
  text_open(&text);
  if (program) fprintf(text.out, "%s (%s)", program->text, program->groups);
  text_end(&text);
  put_text(j, "smallest", program ? text.at : NULL);
  text_free(&text);
}

static void put_head(struct json *j, const char *family, const char *target, const char *model, bool complete) {
  json_begin_object(j);
  put_text(j, "family", family);
  put_text(j, "target", target);
  put_text(j, "model", model);
  json_key(j, "complete");
  json_bool(j, complete);
}

static void put_seconds(struct json *j, double seconds) {
  json_key(j, "seconds");
  json_real(j, seconds);
  json_end_object(j);
  fputc('\n', j->out);
}

void json_write_compiled(FILE *out, const char *family, const char *target, const char *model,
                         const struct compiled_result *r) {
  struct json j = {.out = out};
  put_head(&j, family, target, model, !r->stopped);
  put_text(&j, "answer", compiled_answer(r));
  put_count(&j, "programs", r->programs);
  put_count(&j, "race_free", r->race_free);
  put_count(&j, "unsound", r->unsound);
  put_count(&j, "hazards", r->hazards);
  put_count(&j, "deadlocks", r->deadlocks);
  put_count(&j, "undecided", r->undecided + r->model_undecided);
  put_count(&j, "refused", r->refused);
  json_key(&j, "kinds");
  json_begin_array(&j);
  for (unsigned i = 0; i < r->kind_count; i++) {
    json_begin_object(&j);
    put_text(&j, "kind", r->kinds[i].kind);
    put_count(&j, "unsound", r->kinds[i].unsound);
    put_program(&j, r->kinds[i].smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_key(&j, "refusals");
  json_begin_array(&j);
  for (unsigned i = 0; i < r->refusal_count; i++) {
    json_begin_object(&j);
    put_text(&j, "message", r->refusals[i].message);
    put_count(&j, "programs", r->refusals[i].count);
    put_program(&j, r->refusals[i].smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  put_count(&j, "states_explored", r->states);
  put_count(&j, "threads_compiled", r->kernels);
  put_seconds(&j, r->seconds);
}

void json_write_compiled_ablations(FILE *out, const char *family, const char *target, const char *model,
                                   const struct compiled_ablations *result, double seconds) {
  struct json j = {.out = out};
  put_head(&j, family, target, model, !result->stopped);
  put_count(&j, "programs", result->programs);
  put_count(&j, "explored", result->explored);
  json_key(&j, "changes");
  json_begin_array(&j);
  for (size_t i = 0; i < result->count; i++) {
    const struct compiled_ablation *a = &result->at[i];
    json_begin_object(&j);
    put_text(&j, "change", a->change);
    put_text(&j, "answer", compiled_ablation_answer(a));
    put_count(&j, "occurs", a->occurs);
    put_count(&j, "needed", a->needed);
    put_count(&j, "hazards", a->hazards);
    put_program(&j, a->smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  put_seconds(&j, seconds);
}
