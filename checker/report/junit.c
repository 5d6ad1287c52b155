/* SPDX-License-Identifier: MIT */
/* JUnit by libxml2's writer. */
#include "checker/report/junit.h"

#include <errno.h>
#include <libxml/parserInternals.h>
#include <libxml/xmlwriter.h>
#include <stdio.h>
#include <string.h>

#include "checker/base/escape.h"

static size_t count_of(const struct records *records, enum record_kind kind) {
  size_t count = 0;
  for (size_t i = 0; i < records->count; i++) count += records->at[i].kind == kind;
  return count;
}

static double seconds_of(const struct records *records) {
  double sum = 0;
  for (size_t i = 0; i < records->count; i++) sum += records->at[i].seconds;
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

static void write_outcome(xmlTextWriter *w, const struct record *record) {
  static const char *const elements[] = {
      [RECORD_DIFFERS] = "failure", [RECORD_BAD] = "error", [RECORD_LIMIT] = "skipped"};
  if (record->kind == RECORD_DONE) return;
  xmlTextWriterStartElement(w, BAD_CAST elements[record->kind]);
  write_attribute(w, "message", record->message ? record->message : "");
  xmlTextWriterEndElement(w);
}

static void write_case(xmlTextWriter *w, const struct record *record) {
  xmlTextWriterStartElement(w, BAD_CAST "testcase");
  write_attribute(w, "classname", *record->subject ? record->subject : "litscope");
  write_attribute(w, "name", record->test);
  write_attribute(w, "file", record->file);
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", record->seconds);
  write_outcome(w, record);
  if (*record->verdict) {
    xmlTextWriterStartElement(w, BAD_CAST "system-out");
    xmlTextWriterWriteFormatString(w, "%s%s", record->verdict, record->racy ? ", racy" : "");
    xmlTextWriterEndElement(w);
  }
  xmlTextWriterEndElement(w);
}

static void write_suite(xmlTextWriter *w, const char *suite, const struct records *records) {
  xmlTextWriterSetIndent(w, 1);
  xmlTextWriterStartDocument(w, NULL, "UTF-8", NULL);
  xmlTextWriterStartElement(w, BAD_CAST "testsuite");
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "name", "litscope %s", suite);
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "tests", "%zu", records->count);
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "failures", "%zu", count_of(records, RECORD_DIFFERS));
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "errors", "%zu", count_of(records, RECORD_BAD));
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "skipped", "%zu", count_of(records, RECORD_LIMIT));
  xmlTextWriterWriteFormatAttribute(w, BAD_CAST "time", "%.3f", seconds_of(records));
  for (size_t i = 0; i < records->count; i++) write_case(w, &records->at[i]);
  xmlTextWriterEndDocument(w);
}

bool junit_write(const char *path, const char *suite, const struct records *records) {
  xmlBuffer *buffer = xmlBufferCreate();
  xmlTextWriter *w = buffer ? xmlNewTextWriterMemory(buffer, 0) : NULL;
  if (!w) {
    xmlBufferFree(buffer);
    return false;
  }
  write_suite(w, suite, records);
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
