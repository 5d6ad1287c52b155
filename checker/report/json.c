/* SPDX-License-Identifier: MIT */
/* JSON by hand: we only ever write it. Documents follow results.schema.json. */
#include "checker/report/json.h"

#include <math.h>
#include <stdlib.h>

#include "checker/base/escape.h"
#include "checker/base/text.h"
#include "checker/report/log.h"

static void separate(struct json *j) {
  if (j->comma) fputs(", ", j->out);
  j->comma = true;
}

void json_begin_object(struct json *j) {
  separate(j);
  fputc('{', j->out);
  j->comma = false;
}

void json_end_object(struct json *j) {
  fputc('}', j->out);
  j->comma = true;
}

void json_begin_array(struct json *j) {
  separate(j);
  fputc('[', j->out);
  j->comma = false;
}

void json_end_array(struct json *j) {
  fputc(']', j->out);
  j->comma = true;
}

/* A quoted string; bytes that are not UTF-8 become U+FFFD. */
static void write_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    int length = utf8_length((const char *)p);
    if (*p == '"' || *p == '\\')
      fprintf(out, "\\%c", *p);
    else if (*p == '\n')
      fputs("\\n", out);
    else if (*p == '\t')
      fputs("\\t", out);
    else if (*p < 0x20 || *p == 0x7f)
      fprintf(out, "\\u%04x", *p);
    else if (!length)
      fputs("\\ufffd", out);
    else
      fwrite(p, 1, (size_t)length, out);
    p += length ? length : 1;
  }
  fputc('"', out);
}

void json_key(struct json *j, const char *key) {
  separate(j);
  write_quoted(j->out, key);
  fputs(": ", j->out);
  j->comma = false;
}

void json_string(struct json *j, const char *text) {
  separate(j);
  if (text)
    write_quoted(j->out, text);
  else
    fputs("null", j->out);
}

void json_integer(struct json *j, int64_t value) {
  separate(j);
  fprintf(j->out, "%lld", (long long)value);
}

void json_unsigned(struct json *j, uint64_t value) {
  separate(j);
  fprintf(j->out, "%llu", (unsigned long long)value);
}

void json_real(struct json *j, double value) {
  separate(j);
  if (isfinite(value))
    fprintf(j->out, "%.6f", value);
  else
    fputs("null", j->out);
}

static void json_bool(struct json *j, bool value) {
  separate(j);
  fputs(value ? "true" : "false", j->out);
}

#define DEFINE_PUT(kind, type)                                        \
  void json_put_##kind(struct json *j, const char *key, type value) { \
    json_key(j, key);                                                 \
    json_##kind(j, value);                                            \
  }
DEFINE_PUT(string, const char *)
DEFINE_PUT(integer, int64_t)
DEFINE_PUT(unsigned, uint64_t)
DEFINE_PUT(real, double)
DEFINE_PUT(bool, bool)
#undef DEFINE_PUT

void json_end_line(struct json *j) {
  json_end_object(j);
  fputc('\n', j->out);
}

void json_open_array(struct json *j, const char *key) {
  json_key(j, key);
  json_begin_array(j);
}

void json_open_object(struct json *j, const char *key) {
  json_key(j, key);
  json_begin_object(j);
}

void json_open_document(FILE *out, const char *command) {
  fprintf(out, "{\"litscope\": \"%s\", \"schema\": %d, \"command\": \"%s\", \"results\": [", LITSCOPE_VERSION,
          JSON_SCHEMA, command);
}

void json_close_document(FILE *out) {
  fputs("\n]}\n", out);
}

/* A number, or an address's name. */
static void put_value(struct json *j, const struct program *program, int64_t value) {
  int location = program_addressed(program, value);
  if (location >= 0)
    json_string(j, program->locations[location].name);
  else
    json_integer(j, value);
}

/* Its name, `0:r0` or `[x]`, as the next key. */
static void put_observable_key(struct json *j, const struct litmus_test *test, struct observable what) {
  char *key = log_observable_name(test, what);
  json_key(j, key);
  free(key);
}

/* Of values that are the bits of floats, the text that logs have: `"floats": {"[x]": "0.5"}`. */
static void put_floats(struct json *j, const struct litmus_test *test, const int64_t *values) {
  struct program shown = *test->program;
  bool any = false;
  shown.hexadecimal = false;
  for (unsigned i = 0; i < test->observable_count; i++) {
    if (!observable_width(&shown, test->observables[i]).is_real) continue;
    if (!any) json_open_object(j, "floats");
    any = true;
    struct text text = text_new();
    observable_print_value(&shown, test->observables[i], values[i], text.out);
    text_end(&text);
    put_observable_key(j, test, test->observables[i]);
    json_string(j, text.at);
    text_free(&text);
  }
  if (any) json_end_object(j);
}

void json_outcome(struct json *j, const struct litmus_test *test, const int64_t *values) {
  json_begin_object(j);
  for (unsigned i = 0; i < test->observable_count; i++) {
    put_observable_key(j, test, test->observables[i]);
    put_value(j, test->program, values[i]);
  }
  json_end_object(j);
}

void json_begin_result(struct json *j, const struct litmus_test *test, const char *key, const char *subject) {
  json_begin_object(j);
  json_put_string(j, "test", test->name);
  json_put_string(j, "file", test->source->name);
  json_put_string(j, key, subject);
}

void json_begin_question(struct json *j, const struct litmus_test *test, const char *key, const char *subject) {
  json_begin_result(j, test, key, subject);
  json_put_string(j, "hash", test->hash);
  json_put_string(j, "kind", log_kind(test->quantifier));
  json_put_string(j, "condition", test->condition_text);
}

void json_put_states(struct json *j, const struct litmus_test *test, const struct outcomes *states,
                     const char *counted) {
  json_open_array(j, "states");
  for (size_t i = 0; i < states->count; i++) {
    json_begin_object(j);
    json_key(j, "values");
    json_outcome(j, test, states->at[i].values);
    put_floats(j, test, states->at[i].values);
    json_put_unsigned(j, counted, states->at[i].count);
    json_end_object(j);
  }
  json_end_array(j);
}

static void write_flags(struct json *j, const struct verdict *v) {
  json_open_array(j, "flags");
  for (size_t i = 0; i < v->flag_count; i++) {
    json_begin_object(j);
    json_put_string(j, "name", v->flags[i].name);
    json_put_unsigned(j, "executions", v->flags[i].count);
    json_put_bool(j, "undefined", v->flags[i].undefined);
    if (v->flags[i].meaning) json_put_string(j, "meaning", v->flags[i].meaning);
    json_end_object(j);
  }
  json_end_array(j);
}

static void write_assertions(struct json *j, const struct verdict *v) {
  if (!v->assertions) return;
  json_open_array(j, "assertions");
  for (size_t i = 0; i < v->test->assertion_count; i++) {
    const struct assertion_answer *answer = &v->assertions[i];
    json_begin_object(j);
    json_put_bool(j, "satisfiable", v->test->assertions[i].satisfiable);
    json_put_string(j, "predicate", v->test->assertions[i].text);
    json_put_string(j, "verdict", answer->unsupported ? "Unsupported" : answer->holds ? "Ok" : "No");
    if (answer->unsupported) json_put_string(j, "reason", answer->unsupported);
    json_end_object(j);
  }
  json_end_array(j);
}

void json_put_answer(struct json *j, bool ok, const char *observation, const struct outcomes *states) {
  json_put_string(j, "verdict", ok ? "Ok" : "No");
  json_put_string(j, "observation", observation);
  json_put_unsigned(j, "matching", states->matching);
  json_put_unsigned(j, "failing", states->failing);
}

static void write_stats(struct json *j, const struct verdict *v) {
  json_put_unsigned(j, "candidates", v->stats.visited);
  json_put_unsigned(j, "consistent", v->stats.consistent);
  json_put_real(j, "seconds", v->seconds);
}

void json_write_verdict(FILE *out, const struct verdict *v, const char *why) {
  struct json j = {.out = out};
  json_begin_question(&j, v->test, "model", v->model);
  json_put_bool(&j, "complete", v->end == END_DONE);
  json_put_bool(&j, "cut", v->stats.cut);
  if (v->end == END_DONE) {
    json_put_answer(&j, verdict_ok(v), log_observation(v), &v->states);
    json_put_states(&j, v->test, &v->states, "executions");
    write_flags(&j, v);
    write_assertions(&j, v);
    json_put_unsigned(&j, "bad", v->bad);
    if (v->solved) json_put_bool(&j, "solved", true);
    if (v->solved || v->partial) json_put_bool(&j, "all_states", verdict_lists_all(v));
  } else {
    json_put_string(&j, "limit", log_limit(v->end));
  }
  if (why) json_put_string(&j, "why", why);
  write_stats(&j, v);
  json_end_line(&j);
}

void json_write_error(FILE *out, const struct result *result) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_put_string(&j, "test", result->test);
  json_put_string(&j, "file", result->file);
  if (*result->subject) json_put_string(&j, "subject", result->subject);
  json_put_string(&j, "error", result->message);
  json_end_line(&j);
}
