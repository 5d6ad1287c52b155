/* SPDX-License-Identifier: MIT */
/* Where do two models part on the variations of a test?
 *
 * A variation is the test's text with some of its operations in another form
 * (litmus/repair_moves.h): all orders, scopes and further words that the language has, fences
 * put in and taken out.  They are gone through by the number of changes, and among as
 * many changes the rarest words first, those that the fewest forms have: what few
 * programs say is what a model's author has thought of least.  Programs that are equal
 * up to the names of threads, locations, registers and places are asked about once.
 */
#ifndef LITSCOPE_PROGRAM_SEARCH_VARIATIONS_H
#define LITSCOPE_PROGRAM_SEARCH_VARIATIONS_H

#include "checker/litmus/litmus.h"
#include "checker/program_search/judge_program.h"

enum { VARIATION_CHANGES = 6 };

struct variations_options {
  struct judge_model a, b;
  struct enumerate_options limits;
  struct litmus_options reading;
  unsigned changes; /* at most so many, up to VARIATION_CHANGES */
  uint64_t budget;  /* programs to ask about; 0: any number */
  const atomic_int *cancel;
};

/* The first variation of a class, less all operations that it does not need for that. */
struct variation {
  bool found;
  unsigned changes;
  const char *text;
  const struct litmus_test *test; /* with everything observed */
  const int64_t *outcome;         /* that one model has and the other has not; NULL: one of them calls it undefined */
};

struct variations {
  size_t places, forms;
  uint64_t counts[VARIATION_CHANGES + 1][CLASSES];
  uint64_t asked;
  bool whole; /* all variations of up to `changes` changes were asked about */
  struct variation first[CLASSES];
};

/* How the variations of a test are gone through. */
struct variations_walk {
  struct litmus_options reading;
  unsigned changes;
  uint64_t budget;
  bool remote; /* also put in remote operations: not for models that do not see them, nor on to devices, which have none
                */
  const atomic_int *cancel;
  void *context;
  /* A program that has not been met: its text, and the test with everything observed; in `arena`, which goes then. */
  void (*take)(void *context, struct arena *arena, const struct source *source, const struct litmus_test *test,
               unsigned changes);
};

/* Gives each variation to `take`; false: not all, for the budget or since it was cancelled. */
bool variations_visit(struct arena *arena, const struct litmus_test *test, const struct variations_walk *walk);

/* A text as a test with everything observed; NULL: it is none. */
struct litmus_test *variations_read(struct arena *arena, const struct source *source,
                                    const struct litmus_options *reading);

/* What a text must keep that operations are taken out of. */
struct variations_reduction {
  const struct litmus_options *reading;
  const atomic_int *cancel;
  void *context;
  bool (*keeps)(void *context, struct arena *arena, const struct litmus_test *test);
};

/* The text less the operations, taken out one by one, without which it keeps that; in `arena`. */
const struct source *variations_reduce(struct arena *arena, const struct source *source,
                                       const struct variations_reduction *how);

/* Compares two models on the variations of a test; results live in `arena`. */
void variations_run(struct arena *arena, const struct litmus_test *test, const struct variations_options *options,
                    struct variations *result);

#endif
