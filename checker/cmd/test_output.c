/* SPDX-License-Identifier: MIT */
/* What a test leaves, on its way from the thread that ran it to the printer:
 * streams in memory, and results that outlive the test's arena once copied. */
#include "checker/cmd/test_output.h"

#include <inttypes.h>
#include <stdlib.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cmd/result_files.h"
#include "checker/report/json.h"

/* It lives in its own arena. */
struct test_buffer *buffer_open(bool json, bool certificate) {
  struct arena *arena = arena_new();
  struct test_buffer *o = ARENA_NEW(arena, struct test_buffer);
  o->out = text_new();
  o->err = text_new();
  o->json = text_new();
  o->certificate = text_new();
  o->output = (struct test_output){.arena = arena,
                                   .out = o->out.out,
                                   .err = o->err.out,
                                   .json = json ? o->json.out : NULL,
                                   .certificate = certificate ? o->certificate.out : NULL};
  return o;
}

void buffer_free(struct test_buffer *o) {
  text_free(&o->out);
  text_free(&o->err);
  text_free(&o->json);
  text_free(&o->certificate);
  arena_free(o->output.arena);
}

void tests_tell_limit(struct test_output *output, const struct litmus_test *test, const char *format, ...) {
  va_list args;
  va_start(args, format);
  fprintf(output->err, "%s: %s\n", test->source->name, arena_vprintf(output->arena, format, args));
  va_end(args);
  output->status = status_join(output->status, STATUS_LIMIT);
}

void tests_tell(struct test_output *output, const struct diags *diags) {
  if (!diags->count) return;
  diags_print(diags, output->err);
  output->status = status_join(output->status, diags->errors ? STATUS_BAD : STATUS_LIMIT);
}

bool test_output_finish(struct outfile *file, struct test_output *output) {
  struct diags diags = diags_new(output->arena);
  bool done = outfile_finish(file, true, &diags);
  tests_tell(output, &diags);
  return done;
}

bool test_output_write(struct test_output *output, const char *path, const char *text) {
  struct outfile file;
  if (outfile_open(output->arena, path, &file)) fputs(text, file.stream);
  return test_output_finish(&file, output);
}

struct result *tests_add_result(struct test_output *output, const struct litmus_test *test, const char *subject,
                                const char *verdict) {
  struct result *result = vec_push(output->arena, &output->results);
  *result = (struct result){.test = test->name, .file = test->source->name, .subject = subject, .verdict = verdict};
  return result;
}

void tests_add_unanswered(struct test_output *output, const struct litmus_test *test, const char *subject,
                          enum result_kind kind, const char *why) {
  struct result *result = tests_add_result(output, test, subject, "");
  result->kind = kind;
  result->message = why;
  output->status = status_join(output->status, result_status(kind));
}

void tests_add_bad(struct test_output *output, const char *test, const char *file, const char *subject,
                   const struct diags *diags) {
  const char *message = diags->count ? diags->at[0].message : "";
  const char *detail = TEXT_PRINTED(output->arena, out, diags_print(diags, out));
  *vec_push(output->arena, &output->results) = (struct result){.test = test,
                                                               .file = file,
                                                               .subject = subject,
                                                               .verdict = "",
                                                               .kind = RESULT_BAD,
                                                               .message = message,
                                                               .detail = detail};
  output->status = STATUS_BAD;
}

void tests_refuse(struct test_output *output, const struct litmus_test *test, const char *subject,
                  const struct diags *diags) {
  diags_print(diags, output->err);
  tests_add_bad(output, test->name, test->source->name, subject, diags);
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
  text_end(&o->certificate);
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

/* ---- as a text: numbers, and strings in quotes.  Nothing but times differs between two that say the same (parts.h),
 * so that strings have no lengths. ---- */

static const char *const QUOTED[] = {"\"\\\"", "\\\\\\", NULL};

static void write_string(const char *text, FILE *out) {
  if (text) fputc('"', out);
  print_replaced(out, text ? text : "-", QUOTED);
  fputs(text ? "\" " : " ", out);
}

void buffer_write(const struct test_buffer *o, FILE *out) {
  const struct results *results = &o->output.results;
  fprintf(out, "%d %zu ", o->output.status, results->count);
  write_string(o->name, out);
  write_string(o->output.label, out);
  write_string(o->out.at, out);
  write_string(o->err.at, out);
  write_string(o->json.at, out);
  ARRAY_EACH (const struct result, r, results->at, results->count) {
    fprintf(out, "%d %d %d %" PRId64 " %.6f ", r->kind, r->undefined, r->ranked, r->rank, r->seconds);
    const char *const strings[] = {r->test, r->file, r->subject, r->verdict, r->message, r->detail};
    for (size_t k = 0; k < ARRAY_COUNT(strings); k++) write_string(strings[k], out);
  }
}

/* What is read of a text; `at` is NULL once something does not fit. */
struct reading {
  char *at;
};

static long long read_number(struct reading *r) {
  char *end;
  if (!r->at) return 0;
  long long number = strtoll(r->at, &end, 10);
  r->at = end > r->at && *end == ' ' ? end + 1 : NULL;
  return number;
}

static double read_real(struct reading *r) {
  char *end;
  if (!r->at) return 0;
  double number = strtod(r->at, &end);
  r->at = end > r->at && *end == ' ' ? end + 1 : NULL;
  return number;
}

static const char *read_string(struct reading *r) {
  if (r->at && text_begins(r->at, "- ")) {
    r->at += 2;
    return NULL;
  }
  bool quoted = r->at && *r->at++ == '"';
  const char *text = r->at;
  r->at = quoted && take_replaced(&r->at, '"', QUOTED) && r->at && *r->at == ' ' ? r->at + 1 : NULL;
  return r->at ? text : NULL;
}

static void read_result(struct reading *r, struct result *result) {
  result->kind = (enum result_kind)read_number(r);
  result->undefined = read_number(r) != 0;
  result->ranked = read_number(r) != 0;
  result->rank = read_number(r);
  result->seconds = read_real(r);
  const char **const strings[] = {&result->test,    &result->file,    &result->subject,
                                  &result->verdict, &result->message, &result->detail};
  for (size_t k = 0; k < ARRAY_COUNT(strings); k++) *strings[k] = read_string(r);
}

struct test_buffer *buffer_read(const char *text) {
  struct test_buffer *o = buffer_open(true, false);
  struct reading r = {arena_strdup(o->output.arena, text)};
  o->output.status = (int)read_number(&r);
  size_t count = (size_t)read_number(&r);
  o->name = read_string(&r);
  o->output.label = read_string(&r);
  FILE *const streams[] = {o->out.out, o->err.out, o->json.out};
  for (size_t i = 0; i < ARRAY_COUNT(streams); i++) {
    const char *part = read_string(&r);
    if (part) fputs(part, streams[i]);
  }
  for (size_t i = 0; i < count && r.at; i++) read_result(&r, vec_push(o->output.arena, &o->output.results));
  text_end(&o->out);
  text_end(&o->err);
  text_end(&o->json);
  if (r.at) return o;
  buffer_free(o);
  return NULL;
}
