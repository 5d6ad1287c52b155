/* SPDX-License-Identifier: MIT */
/* What a test leaves, on its way from the thread that ran it to the printer:
 * streams in memory, and records that outlive the test's arena once copied. */
#include "checker/cmd/results.h"

#include <string.h>

#include "checker/base/vec.h"
#include "checker/report/json.h"

/* It lives in its own arena. */
struct test_result *result_open(bool json) {
  struct arena *arena = arena_new();
  struct test_result *o = ARENA_NEW(arena, struct test_result);
  text_open(&o->out);
  text_open(&o->err);
  text_open(&o->json);
  o->output =
      (struct test_output){.arena = arena, .out = o->out.out, .err = o->err.out, .json = json ? o->json.out : NULL};
  return o;
}

void result_free(struct test_result *o) {
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
  *vec_push(output->arena, &output->records) = (struct record){.test = test,
                                                               .file = file,
                                                               .subject = subject,
                                                               .verdict = "",
                                                               .kind = RECORD_BAD,
                                                               .message = message,
                                                               .detail = text_keep(&text, output->arena)};
  output->status = STATUS_BAD;
}

/* What has no result of its own is in the JSON all the same. */
static void write_bad(struct test_output *output) {
  for (size_t i = 0; output->json && i < output->records.count; i++) {
    const struct record *record = &output->records.at[i];
    if (record->kind == RECORD_BAD) json_write_error(output->json, record);
  }
}

void result_close(struct test_result *o) {
  write_bad(&o->output);
  text_end(&o->out);
  text_end(&o->err);
  text_end(&o->json);
}

static const char *keep(struct arena *arena, const char *text) {
  return text ? arena_strdup(arena, text) : NULL;
}

struct records result_keep_records(const struct test_result *o, struct arena *arena) {
  const char *label = keep(arena, o->output.label);
  const struct records *records = &o->output.records;
  struct records kept = {0};
  for (size_t i = 0; i < records->count; i++) {
    struct record record = records->at[i];
    record.test = keep(arena, record.test);
    record.file = keep(arena, record.file);
    record.subject = keep(arena, record.subject);
    record.verdict = keep(arena, record.verdict);
    record.message = keep(arena, record.message);
    record.detail = keep(arena, record.detail);
    record.label = label;
    *vec_push(arena, &kept) = record;
  }
  return kept;
}
