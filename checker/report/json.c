/* SPDX-License-Identifier: MIT */
/* JSON by hand: we only ever write it. Documents follow results.schema.json. */
#include "checker/report/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/escape.h"
#include "checker/report/log.h"

#ifndef LITSCOPE_VERSION
#define LITSCOPE_VERSION "0"
#endif

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

void json_bool(struct json *j, bool value) {
  separate(j);
  fputs(value ? "true" : "false", j->out);
}

void json_put_string(struct json *j, const char *key, const char *text) {
  json_key(j, key);
  json_string(j, text);
}

void json_put_unsigned(struct json *j, const char *key, uint64_t value) {
  json_key(j, key);
  json_unsigned(j, value);
}

void json_open_document(FILE *out, const char *command) {
  fprintf(out, "{\"litscope\": \"%s\", \"schema\": %d, \"command\": \"%s\", \"results\": [", LITSCOPE_VERSION,
          JSON_SCHEMA, command);
}

void json_close_document(FILE *out) {
  fputs("\n]}\n", out);
}

void json_value(struct json *j, const struct program *program, int64_t value) {
  int location = program_addressed(program, value);
  if (location >= 0)
    json_string(j, program->locations[location].name);
  else
    json_integer(j, value);
}

void json_observable_key(struct json *j, const struct litmus_test *test, struct observable what) {
  char *key = log_observable_name(test, what);
  json_key(j, key);
  free(key);
}

static void write_states(struct json *j, const struct verdict *v) {
  json_key(j, "states");
  json_begin_array(j);
  for (size_t i = 0; i < v->states.count; i++) {
    json_begin_object(j);
    json_key(j, "values");
    json_begin_object(j);
    for (unsigned k = 0; k < v->test->observable_count; k++) {
      json_observable_key(j, v->test, v->test->observables[k]);
      json_value(j, v->test->program, v->states.at[i].values[k]);
    }
    json_end_object(j);
    json_key(j, "executions");
    json_unsigned(j, v->states.at[i].count);
    json_end_object(j);
  }
  json_end_array(j);
}

static void write_flags(struct json *j, const struct verdict *v) {
  json_key(j, "flags");
  json_begin_array(j);
  for (size_t i = 0; i < v->flag_count; i++) {
    json_begin_object(j);
    json_key(j, "name");
    json_string(j, v->flags[i].name);
    json_key(j, "executions");
    json_unsigned(j, v->flags[i].count);
    json_key(j, "undefined");
    json_bool(j, v->flags[i].undefined);
    if (v->flags[i].meaning) {
      json_key(j, "meaning");
      json_string(j, v->flags[i].meaning);
    }
    json_end_object(j);
  }
  json_end_array(j);
}

static void write_assertions(struct json *j, const struct verdict *v) {
  if (!v->assertions) return;
  json_key(j, "assertions");
  json_begin_array(j);
  for (size_t i = 0; i < v->test->assertion_count; i++) {
    const struct assertion_answer *answer = &v->assertions[i];
    json_begin_object(j);
    json_key(j, "satisfiable");
    json_bool(j, v->test->assertions[i].satisfiable);
    json_key(j, "predicate");
    json_string(j, v->test->assertions[i].text);
    json_key(j, "verdict");
    json_string(j, answer->unsupported ? "Unsupported" : answer->holds ? "Ok" : "No");
    if (answer->unsupported) {
      json_key(j, "reason");
      json_string(j, answer->unsupported);
    }
    json_end_object(j);
  }
  json_end_array(j);
}

static void write_observation(struct json *j, const struct verdict *v) {
  json_key(j, "verdict");
  json_string(j, verdict_ok(v) ? "Ok" : "No");
  json_key(j, "observation");
  json_string(j, log_observation(v));
  json_key(j, "matching");
  json_unsigned(j, v->states.matching);
  json_key(j, "failing");
  json_unsigned(j, v->states.failing);
}

static void write_stats(struct json *j, const struct verdict *v) {
  json_key(j, "candidates");
  json_unsigned(j, v->stats.visited);
  json_key(j, "consistent");
  json_unsigned(j, v->stats.consistent);
  json_key(j, "seconds");
  json_real(j, v->seconds);
}

void json_write_verdict(FILE *out, const struct verdict *v, const char *why) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, v->test->name);
  json_key(&j, "file");
  json_string(&j, v->test->source->name);
  json_key(&j, "model");
  json_string(&j, v->model);
  json_key(&j, "hash");
  json_string(&j, v->test->hash);
  json_key(&j, "kind");
  json_string(&j, log_kind(v->test->quantifier));
  json_key(&j, "condition");
  json_string(&j, v->test->condition_text);
  json_key(&j, "complete");
  json_bool(&j, v->end == END_DONE);
  json_key(&j, "cut");
  json_bool(&j, v->stats.cut);
  if (v->end == END_DONE) {
    write_observation(&j, v);
    write_states(&j, v);
    write_flags(&j, v);
    write_assertions(&j, v);
    json_key(&j, "bad");
    json_unsigned(&j, v->bad);
  } else {
    json_key(&j, "limit");
    json_string(&j, log_limit(v->end));
  }
  if (why) {
    json_key(&j, "why");
    json_string(&j, why);
  }
  write_stats(&j, v);
  json_end_object(&j);
  fputc('\n', out);
}

void json_write_error(FILE *out, const struct result *result) {
  struct json j = {.out = out};
  json_begin_object(&j);
  json_key(&j, "test");
  json_string(&j, result->test);
  json_key(&j, "file");
  json_string(&j, result->file);
  if (*result->subject) {
    json_key(&j, "subject");
    json_string(&j, result->subject);
  }
  json_key(&j, "error");
  json_string(&j, result->message);
  json_end_object(&j);
  fputc('\n', out);
}
