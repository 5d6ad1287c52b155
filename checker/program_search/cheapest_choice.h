/* SPDX-License-Identifier: MIT */
/* The cheapest choice of a form for each of some places that has one of each of some sets
 * of forms: a hitting set with prices.
 *
 * Whoever asks for it learns the sets by trying choices: what refutes one refutes all that
 * have none of a set (an implicit hitting set).  The first choice that nothing refutes is
 * a cheapest one of all, and the sets are the proof that none is cheaper.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_CHEAPEST_CHOICE_H
#define LITSCOPE_PROGRAM_SEARCH_CHEAPEST_CHOICE_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/vec.h"

struct choice_form {
  unsigned place, number; /* `number`: among those of the place */
  int64_t price;          /* not negative */
  bool rare;
};

struct choices {
  struct arena *arena;
  size_t place_count, set_count;
  VEC(struct choice_form) forms;  /* by place; there may be a million */
  VEC(uint64_t *) in;             /* by 64 sets: by form, of which of them it is one, as bits */
  size_t most_rare;               /* places with rare forms */
  bool (*stopped)(void *context); /* NULL: never */
  void *context;
};

/* All forms are added before the first set, those of the first place first. */
void choices_add_form(struct choices *choices, unsigned place, int64_t price, bool rare);

/* A choice is to have one of a set: by form. */
void choices_add_set(struct choices *choices, const bool *in);

struct choice_result {
  int64_t price; /* -1: there is none */
  bool few_rare; /* some were not looked at for their rare forms */
  bool stopped;
};

/* The cheapest: by place the number of its form, the first being 0. */
struct choice_result choices_cheapest(const struct choices *choices, unsigned *chosen);

#endif
