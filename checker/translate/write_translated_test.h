/* SPDX-License-Identifier: MIT */
/* Columns as a test: as text, and as what the text is read back as. */
#ifndef LITSCOPE_TRANSLATE_WRITE_TRANSLATED_TEST_H
#define LITSCOPE_TRANSLATE_WRITE_TRANSLATED_TEST_H

#include "checker/litmus/litmus.h"
#include "checker/ptx/column.h"

/* What an observable of the source is in the test. */
struct composed_observable {
  bool constant; /* nothing in the test changes it */
  int64_t value;
  struct observable what;
};

struct composed {
  const char *text;
  const struct litmus_test *test;
  const struct column *columns; /* by thread */
  const char *const *locations; /* their names there, by location of the program */
};

/* Names of the program's locations that columns can have, by location. */
const char *const *compose_names(struct arena *arena, const struct program *program);

/* What is written before and after the columns. */
struct compose_head {
  enum litmus_language language;  /* LANG_PTX or LANG_VULKAN */
  const char *name, *by;          /* `NAME` and `"NAME by MAPPING"` */
  const struct litmus_test *asks; /* the source's test, whose question is asked; NULL: none is */
};

/* Writes the test of columns and names that `composed` has, and reads it back.  Everything lives in `arena`.  false,
 * with diagnostics: the program's threads cannot be placed there, or the text is not in the language (a mapping's words
 * are not). */
bool write_translated_test(struct arena *arena, const struct program *program, const struct compose_head *head,
                           struct composed *composed, struct diags *diags);

/* Observables of the source, in the test. */
const struct composed_observable *compose_observables(struct arena *arena, const struct program *program,
                                                      const struct composed *composed,
                                                      const struct observable *observables, unsigned count);

/* The line of the source that an instruction of the test comes from; 0: none. */
unsigned compose_line(const struct composed *composed, unsigned thread, int instr);

#endif
