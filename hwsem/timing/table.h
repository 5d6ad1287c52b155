/* SPDX-License-Identifier: MIT */
/* Tables of results: rows and columns of numbers, ratios and words, and their
 * writers as aligned text and as CSV.  All numbers are integers; ratios are kept
 * as thousandths. */
#ifndef LITSCOPE_HWSEM_TIMING_TABLE_H
#define LITSCOPE_HWSEM_TIMING_TABLE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/vec.h"

enum cell_kind { CELL_EMPTY, CELL_TEXT, CELL_NUMBER, CELL_MILLI };

struct table_cell {
  enum cell_kind kind;
  int64_t number; /* MILLI: thousandths */
  const char *text;
};

struct table_column {
  const char *name, *unit; /* unit: NULL when there is none */
};

struct table {
  struct arena *arena;
  const char *title;
  VEC(struct table_column) columns;
  VEC(struct table_cell) cells; /* row after row */
};

void table_column(struct table *table, const char *name, const char *unit);

/* Several, ended by NULL; a unit is after a bar: "end|cycles". */
__attribute__((sentinel)) void table_columns(struct table *table, ...);

/* Cells are put from left to right, row after row. */
void table_put_text(struct table *table, const char *text);
void table_put_number(struct table *table, int64_t number);
#define table_put_numbers(table, ...) \
  table_put_all(table, (const int64_t[]){__VA_ARGS__}, sizeof((const int64_t[]){__VA_ARGS__}) / sizeof(int64_t))
void table_put_all(struct table *table, const int64_t *numbers, size_t count);
void table_put_ratio(struct table *table, int64_t numerator, int64_t denominator); /* rounded; empty when x/0 */
void table_put_milli(struct table *table, int64_t thousandths);
void table_put_empty(struct table *table);
void table_put_number_where(struct table *table, bool known, int64_t number); /* else empty */

/* numerator / denominator in thousandths, rounded to the nearest. */
int64_t table_milli(int64_t numerator, int64_t denominator);

/* The geometric mean of ratios in thousandths, rounded down; of none, the largest. */
int64_t table_geometric_mean(const int64_t *milli, size_t count);

size_t table_row_count(const struct table *table);
const struct table_cell *table_cell(const struct table *table, size_t row, size_t column);

void table_print_text(const struct table *table, FILE *out);
void table_print_csv(const struct table *table, FILE *out); /* a header and rows, nothing else */

/* Several as one: the first column, `table`, has their titles, and there is a
 * column for each name that one of theirs has, empty in the rows of the others. */
void tables_print_csv(const struct table *const *tables, size_t count, FILE *out);

#endif
