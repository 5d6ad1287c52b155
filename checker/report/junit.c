/* SPDX-License-Identifier: MIT */
/* JUnit by hand: we only ever write it.  The format has no standard; the document is valid
 * under the two schemas that readers check: Ant's (as windyroad wrote it down)
 * and that of Jenkins's xUnit plugin.  tests/schema/junit.rng is what is common
 * to both. */
#include "checker/report/junit.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

#include "checker/base/array.h"
#include "checker/base/escape.h"
#include "checker/base/text.h"

static size_t count_of(const struct results *results, enum result_kind kind) {
  size_t count = 0;
  for (size_t i = 0; i < results->count; i++) count += results->at[i].kind == kind;
  return count;
}

static double seconds_of(const struct results *results) {
  double sum = 0;
  for (size_t i = 0; i < results->count; i++) sum += results->at[i].seconds;
  return sum;
}

/* A line break stays one in an attribute only by its number. */
static void write_attribute(FILE *out, const char *name, const char *text) {
  fprintf(out, " %s=\"", name);
  struct text value = text_new();
  markup_escape(value.out, text);
  text_end(&value);
  print_replaced(out, value.at, (const char *const[]){"\n&#10;", NULL});
  text_free(&value);
  fputc('"', out);
}

static void write_outcome(FILE *out, const struct result *result) {
  static const struct {
    const char *element, *type;
  } outcomes[] = {[RESULT_DIFFERS] = {"failure", "differs"},
                  [RESULT_BAD] = {"error", "input"},
                  [RESULT_LIMIT] = {"skipped", "limit"}};
  const char *element = outcomes[result->kind].element;
  fprintf(out, ">\n  <%s", element);
  write_attribute(out, "message", result->message ? result->message : "");
  write_attribute(out, "type", outcomes[result->kind].type);
  markup_print(out, ">%s", result->file);
  if (result->detail) markup_print(out, "\n%s", result->detail);
  fprintf(out, "</%s>\n </testcase>\n", element);
}

static void write_case(FILE *out, const struct result *result) {
  fputs(" <testcase", out);
  write_attribute(out, "classname", *result->subject ? result->subject : "litscope");
  write_attribute(out, "name", result->test);
  fprintf(out, " time=\"%.3f\"", result->seconds);
  if (result->kind == RESULT_DONE)
    fputs("/>\n", out);
  else
    write_outcome(out, result);
}

/* What each test case answered: the suite's output, as only that may be there in all readers' schemas. */
static void write_answers(FILE *out, const struct results *results) {
  fputs(" <system-out>", out);
  ARRAY_EACH (const struct result, result, results->at, results->count)
    if (*result->verdict)
      markup_print(out, "%s %s %s%s\n", result->test, result->subject, result->verdict,
                   result->undefined ? ", racy" : "");
  fputs("</system-out>\n <system-err></system-err>\n", out);
}

/* When and where; the time is UTC, as the schemas have no zone. */
static void write_occasion(FILE *out) {
  char host[256] = "", moment[sizeof "2000-01-01T00:00:00"];
  time_t now = time(NULL);
  struct tm utc;
  if (gethostname(host, sizeof host - 1) || !*host) strcpy(host, "localhost");
  if (!gmtime_r(&now, &utc) || !strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%S", &utc))
    strcpy(moment, "1970-01-01T00:00:00");
  write_attribute(out, "timestamp", moment);
  write_attribute(out, "hostname", host);
}

void junit_write(FILE *out, const char *suite, const struct results *results) {
  fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuite name=\"litscope ", out);
  fprintf(out, "%s\"", suite);
  write_occasion(out);
  fprintf(out, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\" time=\"%.3f\">\n", results->count,
          count_of(results, RESULT_DIFFERS), count_of(results, RESULT_BAD), count_of(results, RESULT_LIMIT),
          seconds_of(results));
  fputs(" <properties>\n  <property name=\"litscope\" value=\"" LITSCOPE_VERSION "\"/>\n </properties>\n", out);
  for (size_t i = 0; i < results->count; i++) write_case(out, &results->at[i]);
  write_answers(out, results);
  fputs("</testsuite>\n", out);
}
