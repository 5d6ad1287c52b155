/* SPDX-License-Identifier: MIT */
/* JUnit by libxml2's writer.  The format has no standard; the document is valid
 * under the two schemas that readers check: Ant's (as windyroad wrote it down)
 * and that of Jenkins's xUnit plugin.  tests/schema/junit.rng is what is common
 * to both. */
#include "checker/report/junit.h"

#include <errno.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "checker/base/escape.h"

#ifndef LITSCOPE_VERSION
#define LITSCOPE_VERSION "0"
#endif

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

/* The text without what XML cannot hold: bytes that are no UTF-8, and those of
 * control characters, surrogates and the like, become `?`. */
static xmlChar *clean(const char *text) {
  xmlChar *copy = xmlStrdup((const xmlChar *)text);
  for (xmlChar *p = copy; p && *p;) {
    int length = utf8_length((const char *)p);
    int size = length, c = length > 0 ? xmlGetUTF8Char(p, &size) : -1;
    if (c < 0 || !xmlIsCharQ((unsigned)c)) memset(p, '?', length > 0 ? (size_t)length : 1);
    p += length > 0 ? length : 1;
  }
  return copy;
}

static void write_attribute(xmlTextWriter *w, const char *name, const char *text) {
  xmlChar *value = clean(text);
  xmlTextWriterWriteAttribute(w, BAD_CAST name, value);
  xmlFree(value);
}

static void write_text(xmlTextWriter *w, const char *text) {
  xmlChar *value = clean(text);
  xmlTextWriterWriteString(w, value);
  xmlFree(value);
}

static void write_outcome(xmlTextWriter *w, const struct result *result) {
  static const struct {
    const char *element, *type;
  } outcomes[] = {[RESULT_DIFFERS] = {"failure", "differs"},
                  [RESULT_BAD] = {"error", "input"},
                  [RESULT_LIMIT] = {"skipped", "limit"}};
  if (result->kind == RESULT_DONE) return;
  xmlTextWriterStartElement(w, BAD_CAST outcomes[result->kind].element);
  write_attribute(w, "message", result->message ? result->message : "");
  write_attribute(w, "type", outcomes[result->kind].type);
  if (*result->file) write_text(w, result->file);
  if (result->detail) {
    write_text(w, "\n");
    write_text(w, result->detail);
  }
  xmlTextWriterEndElement(w);
}

static void write_case(xmlTextWriter *w, const struct result *result) {
  xmlTextWriterStartElement(w, BAD_CAST "testcase");
  write_attribute(w, "classname", *result->subject ? result->subject : "litscope");
  write_attribute(w, "name", result->test);
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", result->seconds);
  write_outcome(w, result);
  xmlTextWriterEndElement(w);
}

/* What each test case answered: the suite's output, as only that may be there in all readers' schemas. */
static void write_answers(xmlTextWriter *w, const struct results *results) {
  xmlTextWriterStartElement(w, BAD_CAST "system-out");
  for (size_t i = 0; i < results->count; i++) {
    const struct result *result = &results->at[i];
    if (!*result->verdict) continue;
    write_text(w, result->test);
    write_text(w, " ");
    write_text(w, result->subject);
    xmlTextWriterWriteFormatString(w, " %s%s\n", result->verdict, result->undefined ? ", racy" : "");
  }
  xmlTextWriterEndElement(w);
  xmlTextWriterWriteElement(w, BAD_CAST "system-err", BAD_CAST "");
}

static void write_properties(xmlTextWriter *w) {
  xmlTextWriterStartElement(w, BAD_CAST "properties");
  xmlTextWriterStartElement(w, BAD_CAST "property");
  write_attribute(w, "name", "litscope");
  write_attribute(w, "value", LITSCOPE_VERSION);
  xmlTextWriterEndElement(w);
  xmlTextWriterEndElement(w);
}

/* When and where; the time is UTC, as the schemas have no zone. */
static void write_occasion(xmlTextWriter *w) {
  char host[256] = "", moment[sizeof "2000-01-01T00:00:00"];
  time_t now = time(NULL);
  struct tm utc;
  if (gethostname(host, sizeof host - 1) || !*host) strcpy(host, "localhost");
  if (!gmtime_r(&now, &utc) || !strftime(moment, sizeof moment, "%Y-%m-%dT%H:%M:%S", &utc))
    strcpy(moment, "1970-01-01T00:00:00");
  write_attribute(w, "timestamp", moment);
  write_attribute(w, "hostname", host);
}

static void write_suite(xmlTextWriter *w, const char *suite, const struct results *results) {
  xmlTextWriterSetIndent(w, 1);
  xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
  xmlTextWriterStartElement(w, BAD_CAST "testsuite");
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "name", "litscope %s", suite);
  write_occasion(w);
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "tests", "%zu", results->count);
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "failures", "%zu", count_of(results, RESULT_DIFFERS));
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "errors", "%zu", count_of(results, RESULT_BAD));
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "skipped", "%zu", count_of(results, RESULT_LIMIT));
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", seconds_of(results));
  write_properties(w);
  for (size_t i = 0; i < results->count; i++) write_case(w, &results->at[i]);
  write_answers(w, results);
  xmlTextWriterEndDocument(w);
}

bool junit_write(const char *path, const char *suite, const struct results *results) {
  xmlBuffer *buffer = xmlBufferCreate();
  xmlTextWriter *w = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
  if (!w) {
    xmlBufferFree(buffer);
    return false;
  }
  write_suite(w, suite, results);
  xmlFreeTextWriter(w);
  FILE *out = fopen(path, "w");
  bool written = out && fputs((const char *)xmlBufferContent(buffer), out) >= 0;
  int error = errno;
  if (out && fclose(out) != 0 && written) {
    error = errno;
    written = false;
  }
  xmlBufferFree(buffer);
  errno = error;
  return written;
}
