/* SPDX-License-Identifier: MIT */
/* The table that ends a run over several models: tests by models, a star
 * where they differ. */
#include "checker/report/table.h"

#include <stdlib.h>
#include <string.h>

static void cell_text(const struct record *record, char *text, size_t size) {
  const char *verdict = record->verdict;
  if (record->kind == RECORD_LIMIT) verdict = "limit";
  if (record->kind == RECORD_BAD) verdict = "error";
  snprintf(text, size, "%s%s", verdict, record->racy ? " racy" : "");
}

/* The records of one test follow each other: the end of the group at `first`. */
static size_t group_end(const struct records *records, size_t first) {
  size_t end = first + 1;
  while (end < records->count && !strcmp(records->at[end].file, records->at[first].file)) end++;
  return end;
}

static const struct record *find(const struct records *records, size_t first, size_t end, const char *subject) {
  for (size_t i = first; i < end; i++)
    if (!strcmp(records->at[i].subject, subject)) return &records->at[i];
  return NULL;
}

static bool rows_differ(const struct records *records, size_t first, size_t end) {
  char text[64], other[64];
  cell_text(&records->at[first], text, sizeof text);
  for (size_t i = first + 1; i < end; i++) {
    cell_text(&records->at[i], other, sizeof other);
    if (strcmp(text, other) != 0) return true;
  }
  return false;
}

static int widest_name(const struct records *records) {
  size_t width = strlen("Verdicts");
  for (size_t i = 0; i < records->count; i++)
    if (strlen(records->at[i].test) >= width) width = strlen(records->at[i].test) + 1; /* a blank before the star */
  return width < 60 ? (int)width : 60;
}

static int column_width(const char *subject) {
  int width = (int)strlen(subject);
  return width > 14 ? width : 14;
}

/* One cell, and the end of the line after the last one. */
static void write_cell(FILE *out, const char *subject, const char *text, bool last) {
  if (last)
    fprintf(out, "  %s\n", text);
  else
    fprintf(out, "  %-*s", column_width(subject), text);
}

void table_write(FILE *out, const struct records *records, const char *const *subjects, size_t subject_count) {
  int width = widest_name(records);
  fprintf(out, "%-*s ", width, "Verdicts");
  for (size_t i = 0; i < subject_count; i++) write_cell(out, subjects[i], subjects[i], i + 1 == subject_count);
  for (size_t first = 0; first < records->count;) {
    size_t end = group_end(records, first);
    fprintf(out, "%-*s%c", width, records->at[first].test, rows_differ(records, first, end) ? '*' : ' ');
    for (size_t i = 0; i < subject_count; i++) {
      char text[64] = "-";
      const struct record *record = find(records, first, end, subjects[i]);
      if (record) cell_text(record, text, sizeof text);
      write_cell(out, subjects[i], text, i + 1 == subject_count);
    }
    first = end;
  }
}
