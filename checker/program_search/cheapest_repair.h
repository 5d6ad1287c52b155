/* SPDX-License-Identifier: MIT */
/* The cheapest change that makes a program right, and what a right one can spare.
 *
 * A program has places, each with several forms (litmus/repair_moves.h), the first of which
 * it has.  A *choice* is a form for each place, and its price the sum of the forms'.
 * Whoever asks judges a choice: is the program right then?
 *
 * The cheapest choice that nothing speaks against is asked.  If it is wrong, its forms
 * are made stronger, place by place, as long as it stays wrong: this *conflict* speaks
 * against every choice that is nowhere stronger.  So few are asked of very many.  That
 * a stronger form never allows more holds of most models, not of all; so with `every`
 * each cheaper choice is then asked itself, up to that many, and one that is
 * right after all is the answer.  What speaks against a choice is an execution, most
 * often, and whether that is one of a stronger choice too is a quicker question than whether any is.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_CHEAPEST_REPAIR_H
#define LITSCOPE_PROGRAM_SEARCH_CHEAPEST_REPAIR_H

#include <stdbool.h>
#include <stdint.h>

#include "checker/base/arena.h"

enum repair_answer { REPAIR_RIGHT, REPAIR_WRONG, REPAIR_UNDECIDED };

struct repair_form {
  int64_t price; /* not negative */
  bool rare;     /* a choice has at most `most_rare` such forms */
};

struct repair_place {
  const struct repair_form *forms;
  size_t form_count;
  const bool *within; /* within[a * form_count + b]: form a is at most as strong as b */
};

struct repair_problem {
  const struct repair_place *places;
  size_t place_count;
  bool all;       /* every choice that is right and none of whose forms can be weaker; else the cheapest ones alone */
  uint64_t every; /* cheaper choices that are asked one by one at the end; 0: none */
  size_t answers; /* as many at most */
  size_t most_rare;
  void *context;
  bool (*stopped)(void *context); /* is time up? */
  /* Is the program right with these forms?  Sets *why where it is wrong; it lives as long as the problem.  `soon`: what
   * cannot soon be known to be wrong may be called undecided. */
  enum repair_answer (*ask)(void *context, const unsigned *choice, bool soon, const void **why);
  /* Does what spoke against one choice speak against this one?  REPAIR_WRONG: it does; REPAIR_RIGHT: it does not,
   * though something else may; REPAIR_UNDECIDED: that has to be asked. */
  enum repair_answer (*recheck)(void *context, const void *why, const unsigned *choice);
};

struct repair_choice {
  const unsigned *forms; /* by place */
  int64_t price;
};

/* A wrong choice that cannot be made stronger anywhere without becoming right. */
struct repair_conflict {
  const unsigned *forms;
  const void *why; /* NULL: undecided, and skipped */
};

struct repair_result {
  struct repair_choice *found; /* cheapest first */
  size_t found_count;
  struct repair_conflict *conflicts;
  size_t conflict_count;
  uint64_t asked;
  uint64_t cheaper, confirmed; /* choices cheaper than the answer (no more are counted than `every` and one), and how
                                  many of them were asked */
  uint64_t undecided;          /* choices that a limit left so */
  bool complete;               /* `answers` did not cut it, and nothing was undecided */
  bool few_rare;               /* choices with more rare forms were left out */
};

struct repair_result repair_search(struct arena *arena, const struct repair_problem *problem);

#endif
