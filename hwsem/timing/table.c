/* SPDX-License-Identifier: MIT */
/* Tables of results and their two plain writers: text with aligned columns,
 * CSV. */
#include "hwsem/timing/table.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <string.h>

#include "checker/base/escape.h"

void table_column(struct table *table, const char *name, const char *unit) {
  *vec_push(table->arena, &table->columns) = (struct table_column){name, unit};
}

void table_columns(struct table *table, ...) {
  va_list names;
  va_start(names, table);
  for (const char *name; (name = va_arg(names, const char *));) {
    size_t length = strcspn(name, "|");
    table_column(table, arena_strndup(table->arena, name, length), name[length] ? name + length + 1 : NULL);
  }
  va_end(names);
}

static void put(struct table *table, struct table_cell cell) {
  *vec_push(table->arena, &table->cells) = cell;
}

void table_put_text(struct table *table, const char *text) {
  put(table, (struct table_cell){.kind = CELL_TEXT, .text = text});
}

void table_put_number(struct table *table, int64_t number) {
  put(table, (struct table_cell){.kind = CELL_NUMBER, .number = number});
}

void table_put_all(struct table *table, const int64_t *numbers, size_t count) {
  for (size_t i = 0; i < count; i++) table_put_number(table, numbers[i]);
}

void table_put_milli(struct table *table, int64_t thousandths) {
  put(table, (struct table_cell){.kind = CELL_MILLI, .number = thousandths});
}

void table_put_empty(struct table *table) {
  put(table, (struct table_cell){0});
}

int64_t table_milli(int64_t numerator, int64_t denominator) {
  __extension__ typedef __int128 wide;
  wide twice = (wide)numerator * 2000 / denominator;
  return (int64_t)((twice + 1) / 2);
}

void table_put_number_where(struct table *table, bool known, int64_t number) {
  put(table, (struct table_cell){.kind = known ? CELL_NUMBER : CELL_EMPTY, .number = known ? number : 0});
}

void table_put_ratio(struct table *table, int64_t numerator, int64_t denominator) {
  if (denominator == 0)
    table_put_empty(table);
  else
    table_put_milli(table, table_milli(numerator, denominator));
}

/* By bisection: the mean is where the product of the ratios to it is 1. */
int64_t table_geometric_mean(const int64_t *milli, size_t count) {
  int64_t low = 1, high = 1000000000;
  while (low < high) {
    int64_t middle = low + (high - low + 1) / 2;
    long double product = 1;
    for (size_t i = 0; i < count; i++) product *= (long double)milli[i] / (long double)middle;
    if (product >= 1)
      low = middle;
    else
      high = middle - 1;
  }
  return low;
}

size_t table_row_count(const struct table *table) {
  return table->columns.count ? table->cells.count / table->columns.count : 0;
}

const struct table_cell *table_cell(const struct table *table, size_t row, size_t column) {
  return &table->cells.at[row * table->columns.count + column];
}

/* A cell as it is printed; one that is empty is a dash in text. */
static const char *cell_text(struct arena *arena, const struct table_cell *cell, const char *empty) {
  switch (cell->kind) {
    case CELL_EMPTY:
      return empty;
    case CELL_TEXT:
      return cell->text;
    case CELL_NUMBER:
      return arena_printf(arena, "%" PRId64, cell->number);
    case CELL_MILLI:
      break;
  }
  return arena_printf(arena, "%" PRId64 ".%03d", cell->number / 1000, (int)(cell->number % 1000));
}

/* ---- text ------------------------------------------------------------------------ */

/* Columns that hold words are set flush left, numbers flush right. */
struct layout {
  int width;
  bool words;
};

static struct layout layout_of(const struct table *table, size_t column) {
  struct layout layout = {(int)strlen(table->columns.at[column].name), false};
  for (size_t row = 0; row < table_row_count(table); row++) {
    const struct table_cell *cell = table_cell(table, row, column);
    int needed = (int)strlen(cell_text(table->arena, cell, "-"));
    if (needed > layout.width) layout.width = needed;
    layout.words |= cell->kind == CELL_TEXT;
  }
  return layout;
}

static void print_row(const struct table *table, const struct table_cell *cells, const struct layout *layout,
                      FILE *out) {
  for (size_t column = 0; column < table->columns.count; column++) {
    const char *text = cell_text(table->arena, &cells[column], "-");
    bool last = column + 1 == table->columns.count;
    if (column) fputs("  ", out);
    if (layout[column].words)
      fprintf(out, "%-*s", last ? 0 : layout[column].width, text);
    else
      fprintf(out, "%*s", layout[column].width, text);
  }
  fputc('\n', out);
}

/* The units, in words, under the title: "cycles: T base, T scope; lines: ...". */
static void print_units(const struct table *table, FILE *out) {
  bool any = false;
  for (size_t i = 0; i < table->columns.count; i++) {
    const char *unit = table->columns.at[i].unit;
    bool seen = !unit;
    for (size_t j = 0; j < i && !seen; j++)
      seen = table->columns.at[j].unit && !strcmp(table->columns.at[j].unit, unit);
    if (seen) continue;
    fprintf(out, "%s%s:", any ? "; " : "  ", unit);
    any = true;
    const char *comma = " ";
    for (size_t j = i; j < table->columns.count; j++) {
      if (!table->columns.at[j].unit || strcmp(table->columns.at[j].unit, unit) != 0) continue;
      fprintf(out, "%s%s", comma, table->columns.at[j].name);
      comma = ", ";
    }
  }
  if (any) fputc('\n', out);
}

void table_print_text(const struct table *table, FILE *out) {
  size_t count = table->columns.count;
  struct layout *layout = ARENA_ARRAY(table->arena, struct layout, count);
  struct table_cell *names = ARENA_ARRAY(table->arena, struct table_cell, count);
  for (size_t i = 0; i < count; i++) {
    layout[i] = layout_of(table, i);
    names[i] = (struct table_cell){.kind = CELL_TEXT, .text = table->columns.at[i].name};
  }
  fprintf(out, "%s\n", table->title);
  print_units(table, out);
  print_row(table, names, layout, out);
  for (size_t row = 0; row < table_row_count(table); row++) print_row(table, table_cell(table, row, 0), layout, out);
}

/* ---- CSV (RFC 4180, lines ended by \n) ---------------------------------------------- */

/* The column of this name, or how many there are. */
static size_t find_column(const struct table *table, const char *name) {
  size_t i = 0;
  while (i < table->columns.count && strcmp(table->columns.at[i].name, name) != 0) i++;
  return i;
}

/* Is this the first of the tables with the column? */
static bool is_first(const struct table *const *tables, size_t table, const char *name) {
  for (size_t i = 0; i < table; i++)
    if (find_column(tables[i], name) < tables[i]->columns.count) return false;
  return true;
}

static void print_csv(const struct table *const *tables, size_t count, bool titled, FILE *out) {
  VEC(const char *) names = {0};
  if (titled) fputs("table", out);
  for (size_t t = 0; t < count; t++)
    for (size_t i = 0; i < tables[t]->columns.count; i++) {
      const char *name = tables[t]->columns.at[i].name;
      if (!is_first(tables, t, name)) continue;
      if (titled || names.count) fputc(',', out);
      *vec_push(tables[t]->arena, &names) = name;
      csv_print(name, out);
    }
  fputc('\n', out);
  for (size_t t = 0; t < count; t++)
    for (size_t row = 0; row < table_row_count(tables[t]); row++) {
      if (titled) csv_print(tables[t]->title, out);
      for (size_t i = 0; i < names.count; i++) {
        size_t column = find_column(tables[t], names.at[i]);
        if (titled || i) fputc(',', out);
        if (column == tables[t]->columns.count) continue;
        csv_print(cell_text(tables[t]->arena, table_cell(tables[t], row, column), ""), out);
      }
      fputc('\n', out);
    }
}

void table_print_csv(const struct table *table, FILE *out) {
  print_csv(&table, 1, false, out);
}

void tables_print_csv(const struct table *const *tables, size_t count, FILE *out) {
  print_csv(tables, count, true, out);
}
