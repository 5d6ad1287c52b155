/* SPDX-License-Identifier: MIT */
/* What names mean where the model does not bind them: the predefined sets and
 * relations of builtin_table.h, primitive functions, and definitions written in cat
 * itself (herd's standard library among them). */
#ifndef LITSCOPE_CAT_BUILTINS_H
#define LITSCOPE_CAT_BUILTINS_H

#include "checker/cat/builtin_table.h"
#include "checker/cat/syntax.h"

/* clang-format off */
#define CAT_PRIMITIVES(X)                                                                                           \
  X(DOMAIN, "domain")                                                                                               \
  X(RANGE, "range") X(LINEARISATIONS, "linearisations") /* all total orders of a set that extend a relation */      \
      X(CLASSES_LOC, "classes-loc partition")           /* a set cut up by location */                              \
      X(CLASSES, "classes")                             /* the classes of an equivalence */                         \
      X(CO_LOCS, "co_locs") X(CROSS, "cross")           /* herd's library: orders location by location, combined */ \
      X(FIRSTS, "") /* of each class of an equivalence one event before the others: known by its definition */     \
      X(FAIL, "fail") /* an error, for `try` to catch */                                                          \
      X(TAG2EVENTS, "tag2events tag2set tag2instrs") X(TAG2SCOPE, "tag2scope tag2level")
/* clang-format on */

enum primitive {
#define CAT_PRIMITIVE_ENUM(id, names) PRIM_##id,
  CAT_PRIMITIVES(CAT_PRIMITIVE_ENUM)
#undef CAT_PRIMITIVE_ENUM
      PRIMITIVE_COUNT
};

enum builtin_kind { BUILTIN_BASE, BUILTIN_PRIMITIVE, BUILTIN_DEFINED, BUILTIN_PROCEDURE };

struct builtin {
  enum builtin_kind kind;
  bool adsm;                /* seen only by models for ADSM programs */
  enum cat_base base;       /* BASE */
  const char *tag;          /* BASE that is BASE_TAG: its name */
  enum primitive primitive; /* PRIMITIVE */
  const char *text;         /* DEFINED, PROCEDURE: cat text */
  unsigned index;           /* DEFINED: counts from 0 */
};

/* Interns every predefined name. */
void builtins_add(struct arena *arena, struct symbols *symbols, bool adsm);

unsigned builtins_defined_count(void);

/* The text that stands for an included file, whatever file there is of that name;
 * NULL: none.  herd's lock.cat chooses what events of locks read and how they are
 * ordered, which are reads and writes of the execution here. */
const char *builtins_file_text(const char *path);

/* Is it one of those in which herd7's library has `with co from generate_cos(...)`: each order of the writes is an
 * execution, even of those at which the model does not look? */
bool builtins_file_chooses_co(const char *path);

/* Built-in stand-ins for herd's library files; false for other names. */
bool builtins_have_file(const char *path);

#endif
