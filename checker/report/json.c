/* JSON by hand: we only ever write it. */
#include "report/json.h"

#include <math.h>
#include <string.h>

#include "report/log.h"

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

/* Length of the well-formed UTF-8 sequence at `text`, 0 when there is none. */
static int sequence_length(const unsigned char *text) {
  static const unsigned char first[] = {0xc2, 0xe0, 0xf0}, last[] = {0xdf, 0xef, 0xf4};
  for (int extra = 1; extra <= 3; extra++) {
    if (text[0] < first[extra - 1] || text[0] > last[extra - 1]) continue;
    for (int i = 1; i <= extra; i++)
      if ((text[i] & 0xc0) != 0x80) return 0;
    bool overlong = (text[0] == 0xe0 && text[1] < 0xa0) || (text[0] == 0xf0 && text[1] < 0x90);
    bool outside = (text[0] == 0xed && text[1] > 0x9f) || (text[0] == 0xf4 && text[1] > 0x8f);
    return overlong || outside ? 0 : extra + 1;
  }
  return 0;
}

/* A quoted string; bytes that are not UTF-8 become U+FFFD. */
static void write_quoted(FILE *out, const char *text) {
  fputc('"', out);
  for (const unsigned char *p = (const unsigned char *)text; *p;) {
    int length = *p < 0x80 ? 1 : sequence_length(p);
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

void json_open_document(FILE *out, const char *command) {
  fprintf(out, "{\"litscope\": \"%s\", \"command\": \"%s\", \"results\": [", LITSCOPE_VERSION, command);
}

void json_close_document(FILE *out) {
  fputs("\n]}\n", out);
}

static void write_states(struct json *j, const struct verdict *v) {
  json_key(j, "states");
  json_begin_array(j);
  for (size_t i = 0; i < v->state_count; i++) {
    json_begin_object(j);
    json_key(j, "values");
    json_begin_object(j);
    for (unsigned k = 0; k < v->test->observable_count; k++) {
      char name[256];
      log_observable_name(v->test, v->test->observables[k], name, sizeof name);
      json_key(j, name);
      json_integer(j, v->states[i].values[k]);
    }
    json_end_object(j);
    json_key(j, "executions");
    json_unsigned(j, v->states[i].count);
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
    json_end_object(j);
  }
  json_end_array(j);
}

static void write_observation(struct json *j, const struct verdict *v) {
  json_key(j, "verdict");
  json_string(j, v->ok ? "Ok" : "No");
  json_key(j, "observation");
  json_string(j, log_observation(v));
  json_key(j, "matching");
  json_unsigned(j, v->matching);
  json_key(j, "failing");
  json_unsigned(j, v->failing);
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
