/* SPDX-License-Identifier: MIT */
/* Results as JSON: an emitter that keeps track of commas, and the writers of
 * this project's documents.  results.schema.json is their schema; report/README.md
 * tells what each name means.  Output is UTF-8, whatever the input's bytes.
 */
#ifndef LITSCOPE_REPORT_JSON_H
#define LITSCOPE_REPORT_JSON_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/report/result.h"
#include "checker/verdict/verdict.h"

/* An emitter of one value on one line.  Initialise with the stream alone. */
struct json {
  FILE *out;
  bool comma; /* the next item needs a comma before it */
};

void json_begin_object(struct json *j);
void json_end_object(struct json *j);
void json_begin_array(struct json *j);
void json_end_array(struct json *j);
void json_key(struct json *j, const char *key);
void json_string(struct json *j, const char *text); /* NULL: null */
void json_integer(struct json *j, int64_t value);
void json_unsigned(struct json *j, uint64_t value);
void json_real(struct json *j, double value);

/* A key with its value, or with what its value begins with. */
void json_put_string(struct json *j, const char *key, const char *text); /* NULL: null */
void json_put_integer(struct json *j, const char *key, int64_t value);
void json_put_unsigned(struct json *j, const char *key, uint64_t value);
void json_put_real(struct json *j, const char *key, double value);
void json_put_bool(struct json *j, const char *key, bool value);
void json_open_array(struct json *j, const char *key);
void json_open_object(struct json *j, const char *key);

/* Ends an object that has a line to itself. */
void json_end_line(struct json *j);

/* Version of the schema: goes up when a name goes or changes its meaning. */
enum { JSON_SCHEMA = 1 };

/* The frame around the results of a command: {"litscope": VERSION, "schema":
 * JSON_SCHEMA, "command": COMMAND, "results": [ ... ]}.  What comes between is written by the caller. */
void json_open_document(FILE *out, const char *command);
void json_close_document(FILE *out);

/* A state: the value of each observable by its name, in an object of its own. */
void json_outcome(struct json *j, const struct litmus_test *test, const int64_t *values);

/* Begins a result: an object with its test, the test's file, and what it is of, such as a "model". */
void json_begin_result(struct json *j, const struct litmus_test *test, const char *key, const char *subject);

/* The same with what the test asks, and its hash. */
void json_begin_question(struct json *j, const struct litmus_test *test, const char *key, const char *subject);

/* The states, each with its number of what is counted: "executions", "instances". */
void json_put_states(struct json *j, const struct litmus_test *test, const struct outcomes *states,
                     const char *counted);

/* The answer to a test's question, as in all results. */
void json_put_answer(struct json *j, bool ok, const char *observation, const struct outcomes *states);

/* One verdict as an object on one line, ended by a newline.  `why`: the lines
 * of -why, or NULL. */
void json_write_verdict(FILE *out, const struct verdict *verdict, const char *why);

/* A RESULT_BAD in a result's place, as an object on one line. */
void json_write_error(FILE *out, const struct result *result);

#endif
