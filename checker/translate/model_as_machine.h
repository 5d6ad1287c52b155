/* SPDX-License-Identifier: MIT */
/* Programs in another language, under that language's model, as a kind of machine
 * (hwsem/machines/kinds.h): what commands run on machines they run on this.
 *
 * A run is one step, an execution that the model allows; so is what is explored
 * each outcome of the model once.  It is no row of the table of kinds, whose rows
 * know no models.
 */
#ifndef LITSCOPE_TRANSLATE_MODEL_AS_MACHINE_H
#define LITSCOPE_TRANSLATE_MODEL_AS_MACHINE_H

#include "checker/translate/language_mapping.h"
#include "checker/translate/write_translated_test.h"
#include "hwsem/machines/kinds.h"

struct cat_model; /* cat.h */

/* How threads become columns: by a mapping, or by a compiler (nvptx.h). */
struct translator {
  void *self;
  const char *name; /* "opencl-ptx" */
  enum litmus_language to;
  /* The program's threads.  `code` is what prepare gave, or NULL.  false, with
   * diagnostics, for a program that has no translation. */
  bool (*columns)(const struct translator *translator, struct arena *arena, const struct program *program,
                  const char *const *locations, struct column *columns, struct diags *diags);
};

/* The settings of such a target. */
struct translated_setup {
  struct translator translator;
  const struct language_mapping *mapping; /* NULL: a compiler translates */
  struct nvptx *nvptx;                    /* that one (nvptx.h) */
  const struct cat_model *model;          /* of the language translated to */
  unsigned unroll;                        /* of its programs */
};

extern const struct machine_kind translated_kind;

/* The translator by a mapping. */
struct translator translator_by_mapping(const struct language_mapping *mapping);

/* Is the test in a language that the target translates from, if it translates?  false: an error was added. */
bool translator_takes(const struct target *target, const struct litmus_test *test, struct diags *diags);

/* A test's program in the other language, with its question where `asks`; in `arena`. */
bool translate(struct arena *arena, const struct translated_setup *setup, const struct litmus_test *test,
               struct composed *composed, struct diags *diags);

/* The test whose executions the runs of a machine of this kind are, asking for the
 * outcome that a step leads to; for pictures. */
const struct litmus_test *translated_test(const struct machine *machine, struct step step, struct arena *arena);

#endif
