/* SPDX-License-Identifier: MIT */
/* Mappings from language to language: for each operation of a program (kind,
 * scope, order) the instructions of another language.
 *
 * They are data: mappings/NAME.xml with the root element `translation`, checked
 * against mappings/translation.rng, which is the reference for the format.
 * translate_thread.h turns threads into instructions, write_translated_test.h instructions into a test.
 */
#ifndef LITSCOPE_TRANSLATE_LANGUAGE_MAPPING_H
#define LITSCOPE_TRANSLATE_LANGUAGE_MAPPING_H

#include "checker/litmus/litmus.h"
#include "hwsem/mapping.h"

/* What an instruction is there for, which says what operands it takes. */
enum language_step_kind {
  LANGUAGE_FENCE,  /* next to the operation; no operands */
  LANGUAGE_ACCESS, /* the load, the store or the read-modify-write itself */
  LANGUAGE_MEET    /* a barrier: where threads meet */
};

/* `words` may hold `{scope}`, and of read-modify-writes `{op}`. */
struct language_step {
  enum language_step_kind kind;
  const char *words;
};

struct language_cell {
  struct mapping_cell serves; /* without steps of its own */
  unsigned step_count;
  struct language_step *steps;
};

/* What a compare-and-swap says of its order where it fails, after `{op}`. */
struct language_failure {
  struct mapping_cell serves;
  const char *words;
};

struct language_mapping {
  const char *name, *title;
  const struct source *source;
  enum litmus_language to;
  bool from[LANGUAGES];
  const char *scopes[SCOPE_SYS + 1]; /* `{scope}` by the operation's; NULL: it has none */
  const char *updates[RMW_OPS];      /* `{op}`; NULL: it has none */
  const char *swap;                  /* of compare-and-swap; NULL */
  unsigned failure_count;
  struct language_failure *failures; /* the first that matches is used */
  unsigned cell_count;
  struct language_cell *cells; /* the first that matches is used */
};

/* Reads a mapping by name or path.  Adds diagnostics and returns NULL on failure.
 * Lives in `arena`. */
struct language_mapping *language_load(struct arena *arena, const char *name, const struct xml_folders *search,
                                       struct diags *diags);

/* The cell for an operation, or NULL: the mapping does not know it. */
const struct language_cell *language_find(const struct language_mapping *mapping, struct mapping_key key);

/* The words for the order of a compare-and-swap where it fails, likewise. */
const char *language_find_failure(const struct language_mapping *mapping, struct mapping_key key);

#endif
