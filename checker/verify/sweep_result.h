/* SPDX-License-Identifier: MIT */
/* What a sweep counts of a family's programs on one target.  All counts are rows of one table, from which the printed
 * lines, the JSON and the texts of parts (base/parts.h) are written.
 */
#ifndef LITSCOPE_VERIFY_SWEEP_RESULT_H
#define LITSCOPE_VERIFY_SWEEP_RESULT_H

#include "checker/small_programs/small_family.h"

/* What is swept. */
enum swept { SWEPT_MAPPING = 1, SWEPT_CODE = 2 };

/* X(count, of what, line of text, whether that is left out for none, name in JSON), in the order of reports.  What some
 * program has is told, of whatever it is.
 * Of the race-free programs of code, GUARDED read data only once they have seen a flag, and REFUSED have no code.
 * Of the undecided, UNJUDGED are those of which the model could not say whether they are race-free; they are neither
 * among these nor among the racy ones. */
/* clang-format off */
#define SWEEP_COUNT_LIST(X) \
  X(PROGRAMS, SWEPT_MAPPING | SWEPT_CODE, "Programs", false, "programs") \
  X(RACY, SWEPT_MAPPING, "Racy", false, "racy") \
  X(RACE_FREE, SWEPT_MAPPING | SWEPT_CODE, "Race-free", false, "race_free") \
  X(UNJUDGED, SWEPT_MAPPING, "Racy-or-race-free", true, "racy_or_race_free") \
  X(NO_CELL, SWEPT_MAPPING, "No-cell", true, "no_cell") \
  X(GUARDED, SWEPT_CODE, "Guarded", false, "guarded") \
  X(SOUND, SWEPT_MAPPING, "Sound", false, "sound") \
  X(UNSOUND, SWEPT_MAPPING | SWEPT_CODE, "Unsound", false, "unsound") \
  X(HAZARDS, SWEPT_CODE, "Hazard", false, "hazards") \
  X(DEADLOCKS, SWEPT_MAPPING | SWEPT_CODE, "Deadlock", false, "deadlocks") \
  X(UNDECIDED, SWEPT_MAPPING | SWEPT_CODE, "Undecided", false, "undecided") \
  X(REFUSED, SWEPT_CODE, "Refused", true, "refused") \
  X(STATES, SWEPT_MAPPING | SWEPT_CODE, "States-explored", false, "states_explored") \
  X(THREADS, SWEPT_CODE, "Threads-compiled", true, "threads_compiled")
/* clang-format on */

enum sweep_count {
#define SWEEP_COUNT(id, of, line, rare, key) COUNT_##id,
  SWEEP_COUNT_LIST(SWEEP_COUNT)
#undef SWEEP_COUNT
      COUNTS
};

struct sweep_count_words {
  unsigned of; /* enum swept, as bits */
  const char *line;
  bool rare;
  const char *key;
};
extern const struct sweep_count_words sweep_counts[COUNTS];

enum { SWEEP_KINDS = 16, SWEEP_REFUSALS = 8, REFUSAL_TEXT = 240 };

/* Unsound code, by the kind of the program. */
struct sweep_kind {
  const char *kind; /* NULL: the family has none */
  uint64_t unsound;
  const struct small_listed *smallest;
};

/* Programs that a compiler, or what reads its output, refuses with one message. */
struct sweep_refusal {
  char message[REFUSAL_TEXT];
  uint64_t count;
  const struct small_listed *smallest;
};

struct sweep_result {
  enum swept swept;
  uint64_t counts[COUNTS];
  double seconds; /* what the parts took together */
  bool stopped;   /* set by who stopped it: counts are of what was done */
  /* Of mappings: the simplest program that shows a violation. */
  struct small_program smallest;
  bool found;
  /* Of code. */
  struct sweep_kind kinds[SWEEP_KINDS]; /* more than there are */
  unsigned kind_count;
  struct sweep_refusal refusals[SWEEP_REFUSALS]; /* the first messages; COUNT_REFUSED has all */
  unsigned refusal_count;
};

/* "Unsound", "Hazard", "Deadlock", "Undecided" (a limit, or programs refused) or "Sound". */
const char *sweep_answer(const struct sweep_result *result);

/* The counts and the seconds, for a part's text; and adds what is written so: the rest after it, or NULL, if it is
 * not. */
void sweep_counts_write(const struct sweep_result *result, FILE *out);
const char *sweep_counts_add(struct sweep_result *result, const char *text);

/* Keeps a program that shows a violation, if it is simpler than the one that is kept. */
void sweep_note_violation(struct sweep_result *result, const struct small_program *program);

/* Counts code that is unsound, or was refused. */
void sweep_count_unsound(struct sweep_result *result, const struct small_listed *program);
void sweep_count_refused(struct sweep_result *result, const struct small_listed *program, const char *message);

/* Has the first fewer operations or, of as many, the text that comes first? */
bool sweep_is_simpler(const struct small_listed *a, const struct small_listed *b);

#endif
