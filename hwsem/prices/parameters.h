/* SPDX-License-Identifier: MIT */
/* Parameters of the timed machines: read from a machine description, changed by
 * the user, checked, and handed to a machine's own struct.
 *
 * A description (mappings/timing-*.xml; mappings/timing.rng is the reference for
 * the format) lists parameters, each with unit, default, range and source, and
 * rows: named settings of some of them, from which the tables are made.  What a
 * parameter is worth in a row is what the user gave, else what the row sets,
 * else the default.
 */
#ifndef LITSCOPE_HWSEM_PRICES_PARAMETERS_H
#define LITSCOPE_HWSEM_PRICES_PARAMETERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "checker/base/vec.h"
#include "hwsem/xml_folders.h"

enum parameter_kind { PARAMETER_NUMBER, PARAMETER_WORD, PARAMETER_TEXT };

struct parameter {
  const char *name, *unit, *source, *meaning;
  enum parameter_kind kind;
  int64_t low, high;        /* NUMBER */
  const char *const *words; /* WORD: the values allowed, ending in NULL; its number is the index */
  bool each;                /* NUMBER: `q3=5` sets it for compute unit 3 alone */
  const char *initial;      /* the default as written */
  int64_t value;            /* the default */
  int from;                 /* the default is the value of an earlier parameter ... */
  int64_t divisor;          /* ... divided by this; from < 0: it is `value` */
};

/* One `name=value`. */
struct assignment {
  unsigned parameter;
  int64_t unit;     /* of a parameter that may be set for each unit; -1: all */
  int64_t number;   /* NUMBER, WORD */
  const char *text; /* as written */
  struct span span; /* in the text that it was read from */
};

struct assignments {
  const struct source *source;
  VEC(struct assignment) list;
};

/* A named row of a table. */
struct parameter_row {
  const char *table, *name;
  struct assignments set;
};

struct description {
  const char *name, *title, *about;
  const struct source *source;
  VEC(struct parameter) parameters;
  VEC(struct parameter_row) rows;
};

/* Reads a description by name or path.  On failure adds diagnostics and returns
 * NULL.  Lives in `arena`. */
struct description *description_load(struct arena *arena, const char *name, const struct xml_folders *search,
                                     struct diags *diags);

/* A line: name, default, unit or words, meaning, source. */
void parameter_print(const struct parameter *parameter, FILE *out);

/* What parameters are worth. */
struct setting {
  const struct description *description;
  const struct assignments *user, *row;
  const char *name;    /* the row's, or "given" when the user sets all that the row would */
  bool *used;          /* by parameter: has it been asked for? */
  struct diags *diags; /* where errors about it go */
};

/* Which rows of a description make a table. */
struct row_choice {
  const char *table;
  const char *alone;  /* when the user gives this parameter: one row, of the defaults and the user's values; or NULL */
  const char *filter; /* when the user gives this parameter: only rows that set it so; or NULL */
};

/* The settings of a table's rows, each with different values once, under what is given without a
 * row (setting_given).  Never none when the choice names a parameter. */
struct settings {
  VEC(struct setting) list;
};
struct settings settings_of_table(struct arena *arena, const struct setting *given, const struct row_choice *choice);

/* The value of a parameter by name, as a number or as written.  A description
 * without it is an error (0, or ""). */
int64_t setting_number(const struct setting *setting, const char *name);
const char *setting_text(const struct setting *setting, const char *name);

/* Its value for one unit: what was set for that unit, else for all. */
int64_t setting_number_of_unit(const struct setting *setting, const char *name, int64_t unit);

/* False with an error when something is set for a unit from `count` on; `name` is
 * the parameter that is the count. */
bool setting_check_units(const struct setting *setting, const char *name, int64_t count);

/* Did the user give it? */
bool setting_is_given(const struct setting *setting, const char *name);

/* Did the user change what the row sets? */
bool setting_is_changed(const struct setting *setting);

/* A member of a machine's parameter struct, an int64_t. */
struct parameter_field {
  const char *name;
  size_t offset;
};

/* Fills a machine's parameter struct.  False with diagnostics on failure. */
bool setting_fill(const struct setting *setting, const struct parameter_field *fields, size_t count, void *parameters);

/* Adds an error about a parameter's value: where the user gave it, else where
 * the row sets it, else about the description. */
bool setting_error(const struct setting *setting, const char *parameter, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* A timed machine with what the text of -params gives it (NULL: nothing).  On failure adds errors and returns false. */
bool setting_given(struct arena *arena, const char *machine, const char *params, const struct xml_folders *search,
                   struct setting *setting, struct diags *diags);

#endif
