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

static void put_program(struct json *j, const struct small_listed *program) {
  struct arena *arena = arena_new();
  json_put_string(j, "smallest", program ? small_text(arena, &program->program) : NULL);
  arena_free(arena);
}

static void put_head(struct json *j, const char *family, const char *target, const char *model, bool complete) {
  json_begin_object(j);
  json_put_string(j, "family", family);
  json_put_string(j, "target", target);
  json_put_string(j, "model", model);
  json_put_bool(j, "complete", complete);
}

static void put_seconds(struct json *j, double seconds) {
  json_put_real(j, "seconds", seconds);
  json_end_line(j);
}

void json_write_compiled(FILE *out, const char *family, const char *target, const char *model,
                         const struct compiled_result *r) {
  struct json j = {.out = out};
  put_head(&j, family, target, model, !r->stopped);
  json_put_string(&j, "answer", compiled_answer(r));
  json_put_unsigned(&j, "programs", r->programs);
  json_put_unsigned(&j, "race_free", r->race_free);
  json_put_unsigned(&j, "guarded", r->guarded);
  json_put_unsigned(&j, "unsound", r->unsound);
  json_put_unsigned(&j, "hazards", r->hazards);
  json_put_unsigned(&j, "deadlocks", r->deadlocks);
  json_put_unsigned(&j, "undecided", r->undecided + r->model_undecided);
  json_put_unsigned(&j, "refused", r->refused);
  json_open_array(&j, "kinds");
  for (unsigned i = 0; i < r->kind_count; i++) {
    json_begin_object(&j);
    json_put_string(&j, "kind", r->kinds[i].kind);
    json_put_unsigned(&j, "unsound", r->kinds[i].unsound);
    put_program(&j, r->kinds[i].smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_open_array(&j, "refusals");
  for (unsigned i = 0; i < r->refusal_count; i++) {
    json_begin_object(&j);
    json_put_string(&j, "message", r->refusals[i].message);
    json_put_unsigned(&j, "programs", r->refusals[i].count);
    put_program(&j, r->refusals[i].smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  json_put_unsigned(&j, "states_explored", r->states);
  json_put_unsigned(&j, "threads_compiled", r->kernels);
  put_seconds(&j, r->seconds);
}

void json_write_compiled_ablations(FILE *out, const char *family, const char *target, const char *model,
                                   const struct compiled_ablations *result, double seconds) {
  struct json j = {.out = out};
  put_head(&j, family, target, model, !result->stopped);
  json_put_unsigned(&j, "programs", result->programs);
  json_put_unsigned(&j, "explored", result->explored);
  json_open_array(&j, "changes");
  for (size_t i = 0; i < result->count; i++) {
    const struct compiled_ablation *a = &result->at[i];
    json_begin_object(&j);
    json_put_string(&j, "change", a->change);
    json_put_string(&j, "answer", compiled_ablation_answer(a));
    json_put_unsigned(&j, "occurs", a->occurs);
    json_put_unsigned(&j, "needed", a->needed);
    json_put_unsigned(&j, "hazards", a->hazards);
    put_program(&j, a->smallest);
    json_end_object(&j);
  }
  json_end_array(&j);
  put_seconds(&j, seconds);
}
