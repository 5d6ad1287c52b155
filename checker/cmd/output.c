/* SPDX-License-Identifier: MIT */
/* What a test leaves, on its way from the thread that ran it to the printer:
 * streams in memory, and results that outlive the test's arena once copied. */
#include "checker/cmd/output.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/report/json.h"

/* It lives in its own arena. */
struct test_buffer *buffer_open(bool json) {
  struct arena *arena = arena_new();
  struct test_buffer *o = ARENA_NEW(arena, struct test_buffer);
  text_open(&o->out);
  text_open(&o->err);
  text_open(&o->json);
  o->output =
      (struct test_output){.arena = arena, .out = o->out.out, .err = o->err.out, .json = json ? o->json.out : NULL};
  return o;
}

void buffer_free(struct test_buffer *o) {
  text_free(&o->out);
  text_free(&o->err);
  text_free(&o->json);
  arena_free(o->output.arena);
}

void tests_add_bad(struct test_output *output, const char *test, const char *file, const char *subject,
                   const struct diags *diags) {
  const char *message = diags->count ? diags->at[0].message : "";
  struct text text;
  text_open(&text);
  diags_print(diags, text.out);
  *vec_push(output->arena, &output->results) = (struct result){.test = test,
                                                               .file = file,
                                                               .subject = subject,
                                                               .verdict = "",
                                                               .kind = RESULT_BAD,
                                                               .message = message,
                                                               .detail = text_keep(&text, output->arena)};
  output->status = STATUS_BAD;
}

/* What has no result of its own is in the JSON all the same. */
static void write_bad(struct test_output *output) {
  for (size_t i = 0; output->json && i < output->results.count; i++) {
    const struct result *result = &output->results.at[i];
    if (result->kind == RESULT_BAD) json_write_error(output->json, result);
  }
}

void buffer_close(struct test_buffer *o) {
  write_bad(&o->output);
  text_end(&o->out);
  text_end(&o->err);
  text_end(&o->json);
}

static const char *keep(struct arena *arena, const char *text) {
  return text ? arena_strdup(arena, text) : NULL;
}

struct results buffer_keep_results(const struct test_buffer *o, struct arena *arena) {
  const char *label = keep(arena, o->output.label);
  const struct results *results = &o->output.results;
  struct results kept = {0};
  for (size_t i = 0; i < results->count; i++) {
    struct result result = results->at[i];
    result.test = keep(arena, result.test);
    result.file = keep(arena, result.file);
    result.subject = keep(arena, result.subject);
    result.verdict = keep(arena, result.verdict);
    result.message = keep(arena, result.message);
    result.detail = keep(arena, result.detail);
    result.label = label;
    *vec_push(arena, &kept) = result;
  }
  return kept;
}
