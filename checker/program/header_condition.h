/* SPDX-License-Identifier: MIT */
/* @Output and @Filter of a kernel (header_comments.h) as propositions. */
#ifndef LITSCOPE_PROGRAM_HEADER_CONDITION_H
#define LITSCOPE_PROGRAM_HEADER_CONDITION_H

#include "checker/base/vec.h"
#include "checker/program/outcome.h"

struct header; /* header_comments.h */
struct header_operand;
struct initial;

struct kernel_question {
  enum quantifier quantifier;
  const struct prop *condition, *filter; /* filter: NULL: none */
  const char *condition_text;
  unsigned observable_count;
  struct observable *observables;
};

/* Names looked up, in the kernel that knows them. */
struct header_lookup {
  struct arena *arena;
  struct diags *diags;
  /* What the operand, which has a name, stands for, and its type.  A failure is told by header_fail. */
  struct operand (*find)(struct header_lookup *lookup, const struct header_operand *from, struct width *type);
  void *kernel;
  const struct source *source; /* in which the operand stands */
  VEC(struct observable) seen; /* of all conditions so far */
  bool failed;
};

/* Adds an error, the first one. */
void header_fail(struct header_lookup *lookup, struct span span, const char *message, const char *name);

/* Why the number is none of the type: too large for its bits, with a sign or without, or a fraction where the type has
 * none; NULL: it is one. */
const char *header_misfit(struct arena *arena, struct width type, const struct initial *from);

/* A number of the header as a value of the type. */
int64_t header_number(struct width type, const struct initial *from);

/* Asks what the header asks, all lines as one: what the question shows is for header_observe.  False: an error was
 * added. */
bool header_ask(struct header_lookup *lookup, const struct header *header, struct kernel_question *question);

/* Has the question show all that was seen, each once. */
void header_observe(struct header_lookup *lookup, const struct program *program, struct kernel_question *question);

#endif
