/* SPDX-License-Identifier: MIT */
/* The table that ends a run over several models: tests by models, a star
 * where they differ. */
#include "checker/report/models_table.h"

#include <string.h>

#include "checker/base/text.h"

bool models_table_racy(const struct result *result) {
  return result->undefined && strcmp(result_answer(result), "Undefined") != 0;
}

size_t models_table_row_end(const struct results *results, size_t first) {
  const struct result *result = &results->at[first], *end = result + 1;
  while (end < results->at + results->count && !strcmp(end->file, result->file) && !strcmp(end->label, result->label))
    end++;
  return (size_t)(end - results->at);
}

bool models_table_differs(const struct results *results, size_t first, size_t end) {
  const struct result *seen = NULL;
  for (size_t i = first; i < end; i++) {
    const struct result *result = &results->at[i];
    const char *verdict = result->verdict;
    if (strcmp(verdict, "Never") != 0 && strcmp(verdict, "Sometimes") != 0 && strcmp(verdict, "Always") != 0) continue;
    if (seen && (strcmp(result_answer(seen), result_answer(result)) != 0 ||
                 models_table_racy(seen) != models_table_racy(result)))
      return true;
    seen = result;
  }
  return false;
}

static void cell_text(const struct result *result, char *text, size_t size) {
  snprintf(text, size, "%s%s", result_answer(result), models_table_racy(result) ? " racy" : "");
}

static const struct result *find(const struct results *results, size_t first, size_t end, const char *subject) {
  return FIND_ROW(results->at + first, end - first, subject, subject);
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
    size_t end = models_table_row_end(results, first);
    fprintf(out, "%-*s%c", width, results->at[first].test, models_table_differs(results, first, end) ? '*' : ' ');
    for (size_t i = 0; i < subject_count; i++) {
      char text[64] = "-";
      const struct result *result = find(results, first, end, subjects[i]);
      if (result) cell_text(result, text, sizeof text);
      write_cell(out, subjects[i], text, i + 1 == subject_count);
    }
    first = end;
  }
}
