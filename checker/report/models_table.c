/* SPDX-License-Identifier: MIT */
/* The table that ends a run over several models: tests by models, a star
 * where they differ. */
#include "checker/report/models_table.h"

#include <string.h>

static void cell_text(const struct result *result, char *text, size_t size) {
  snprintf(text, size, "%s%s", result_answer(result), result->undefined ? " racy" : "");
}

/* The results of one test follow each other: the end of the group at `first`. */
static size_t group_end(const struct results *results, size_t first) {
  size_t end = first + 1;
  while (end < results->count && !strcmp(results->at[end].file, results->at[first].file)) end++;
  return end;
}

static const struct result *find(const struct results *results, size_t first, size_t end, const char *subject) {
  for (size_t i = first; i < end; i++)
    if (!strcmp(results->at[i].subject, subject)) return &results->at[i];
  return NULL;
}

static bool rows_differ(const struct results *results, size_t first, size_t end) {
  char text[64], other[64];
  cell_text(&results->at[first], text, sizeof text);
  for (size_t i = first + 1; i < end; i++) {
    cell_text(&results->at[i], other, sizeof other);
    if (strcmp(text, other) != 0) return true;
  }
  return false;
}

static int widest_name(const struct results *results) {
  size_t width = strlen("Verdicts");
  for (size_t i = 0; i < results->count; i++)
    if (strlen(results->at[i].test) >= width) width = strlen(results->at[i].test) + 1; /* a blank before the star */
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

void models_table_write(FILE *out, const struct results *results, const char *const *subjects, size_t subject_count) {
  int width = widest_name(results);
  fprintf(out, "%-*s ", width, "Verdicts");
  for (size_t i = 0; i < subject_count; i++) write_cell(out, subjects[i], subjects[i], i + 1 == subject_count);
  for (size_t first = 0; first < results->count;) {
    size_t end = group_end(results, first);
    fprintf(out, "%-*s%c", width, results->at[first].test, rows_differ(results, first, end) ? '*' : ' ');
    for (size_t i = 0; i < subject_count; i++) {
      char text[64] = "-";
      const struct result *result = find(results, first, end, subjects[i]);
      if (result) cell_text(result, text, sizeof text);
      write_cell(out, subjects[i], text, i + 1 == subject_count);
    }
    first = end;
  }
}
