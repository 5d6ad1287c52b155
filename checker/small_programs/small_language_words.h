/* SPDX-License-Identifier: MIT */
/* What small programs are in a language: what their operations can be, how they are written,
 * and what they are as instructions.
 *
 * A language is one file with a `struct small_language`, small_language_NAME.c, and its name in
 * SMALL_LANGUAGES (small_language_list.h). Everything else asks this table. What a language does not
 * have is refused, with a message that names it or those that have it.
 */
#ifndef LITSCOPE_SMALL_PROGRAMS_SMALL_LANGUAGE_WORDS_H
#define LITSCOPE_SMALL_PROGRAMS_SMALL_LANGUAGE_WORDS_H

#include "checker/program/program.h"
#include "checker/small_programs/small_program.h"

/* A letter of the notation, as a language writes it. */
struct small_word {
  char letter;
  const char *word;
};

/* Which tests are read from their text. The others are built from the program, which is quicker. */
enum small_reading {
  SMALL_READ_DEPENDENT, /* those with dependencies */
  SMALL_READ_SPECIAL,   /* also those that no family of a size has */
  SMALL_READ_ALL
};

struct small_language {
  const char *name;                   /* language=NAME */
  const char *called;                 /* in messages */
  enum litmus_language tests;         /* of what language its tests are */
  const char *const *models;          /* what names of models of its programs begin with; ends in NULL */
  const struct small_language *wider; /* has all of its programs; NULL: none has */
  bool lists;                         /* G2 and M3 are of its programs */

  /* Operations. */
  const char *kinds;               /* of SMALL_KINDS, but for barriers, which the front end says (struct move_words) */
  bool local;                      /* some locations may be in local memory */
  bool addresses;                  /* they may depend on what was read */
  bool families;                   /* devices are queue families */
  const struct small_word *scopes; /* of atomic operations and fences; ends with letter 0 */
  const struct small_word *orders; /* likewise, each spelled out, and 'n' of ordinary accesses */
  const char *fence_orders;        /* of these, those that only fences have */

  /* Text: functions of C, or columns of instructions. */
  bool functions;
  const char *regions[2];          /* functions: before the type of a parameter in global, in local memory */
  const char *atomic;              /* functions: the type of a location with atomic accesses */
  const char *dependency_register; /* columns: a register of a name that no operation has, for dependencies */
  const char *condition;           /* columns: the register on which it branches; NULL: it compares while branching */
  const char *tree[2];             /* words of a scope tree for devices and work-groups; NULL: there is none */
  /* Columns: the head of a thread. */
  void (*head)(const struct small_program *program, unsigned thread, FILE *out);
  /* Columns: an operation without words of its own and operands, other than a barrier. Functions: a barrier, fence or
   * atomic access as a statement; `last` is the register that was read last, on which it may depend. */
  void (*operation)(const struct small_program *program, const struct small_op *op, unsigned last, FILE *out);

  /* Instructions. */
  enum small_reading reading;
  unsigned ordered;   /* regions that fences and barriers order */
  bool names_ordered; /* they name them, and of these only those that are used */
  /* Adds what its front end says of an instruction besides order and scope; NULL: nothing. */
  void (*mark)(struct instr *instr);
};

/* The word for a letter; NULL: it has none. */
const char *small_word_for(const struct small_word *words, char letter);

/* Has a language scopes at all? Threads are placed where it has. */
bool small_is_scoped(const struct small_language *language);

/* Has it this scope, 'n' for all; or this order of operations of this kind? */
bool small_has_scope(const struct small_language *language, char scope);
bool small_has_clusters(const struct small_language *language);

/* How it writes storage classes, but for their numbers; NULL: it has none. */
const char *small_class_word(const struct small_language *language);
bool small_has_order(const struct small_language *language, char kind, char order);

/* Have its operations other words than those for orders and scopes, in braces? */
bool small_has_words(const struct small_language *language);

/* The order of an operation, also the usual one; 'n' of ordinary accesses. */
char small_order(const struct small_op *op);

bool small_is_remote(const struct small_op *op);

/* The words for an operation's order and scope. */
const char *small_order_word(const struct small_program *program, const struct small_op *op);
const char *small_scope_word(const struct small_program *program, const struct small_op *op);

/* Functions: an atomic access by C11's functions, with a scope where the language has them; the rest of such a call,
 * from the order on. */
void small_write_atomic(const struct small_program *program, const struct small_op *op, unsigned last, FILE *out);
void small_write_order(const struct small_program *program, const struct small_op *op, FILE *out);

/* Functions: `x`, or `x + (r0 & 128)`; `1`, or `1 + (r0 & 128)`. */
void small_write_place(const struct small_program *program, const struct small_op *op, unsigned last, FILE *out);
void small_write_value(const struct small_program *program, const struct small_op *op, unsigned last, FILE *out);

#endif
