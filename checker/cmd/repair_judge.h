/* SPDX-License-Identifier: MIT */
/* `repair`'s question: with these changes, is a test or kernel what is wanted? */
#ifndef LITSCOPE_CMD_REPAIR_JUDGE_H
#define LITSCOPE_CMD_REPAIR_JUDGE_H

#include "checker/base/vec.h"
#include "checker/cat/cat.h"
#include "checker/exec/enumerate.h"
#include "checker/exec/recheck_execution.h"
#include "checker/explain/why_undefined.h"
#include "checker/litmus/repair_moves.h"
#include "checker/program_search/cheapest_repair.h"

struct repair_judge {
  struct arena *arena; /* what it says lives there */
  const struct litmus_test *test;
  const struct cat_model *model;
  struct litmus_options reading;
  struct enumerate_options limits;
  struct places places;
  bool ends;           /* every run ends, besides */
  bool race_free_only; /* the condition does not matter */
  bool soon;           /* what cannot soon be known to be wrong is undecided */
  bool given;          /* the condition is not the test's own, and says what must be */
  uint32_t last;       /* of a kernel: the question that was answered badly last is asked first */
  const char *limit;   /* why something was undecided, at first; NULL: nothing was */
  bool cut;            /* that is the bound on loops */
  double until;        /* on the monotonic clock; 0: there is no limit */
  VEC(struct reason *) known;
  bool afresh;        /* nothing is answered by what is known */
  uint64_t rechecked; /* choices that an execution known already speaks against */
};

/* Why a choice is wrong. */
struct reason {
  const char *text;                  /* a line */
  const char *flag;                  /* of undefined behaviour, which it raises; NULL: it is another fault */
  const struct kept_execution *kept; /* an execution that speaks against it; NULL: none is known */
  bool race;                         /* it is undefined, whatever it ends with */
};

/* For struct repair_problem; `context` is a struct repair_judge, *why a struct reason. */
enum repair_answer repair_judge_ask(void *context, const unsigned *choice, bool soon, const void **why);

/* Is time up?  The limit is then that. */
bool repair_judge_stopped(void *context);

/* Does what speaks against one choice speak against another too? */
enum repair_answer repair_judge_recheck(void *context, const void *why, const unsigned *choice);

/* Writes the execution that speaks against a choice; nothing where none is known. */
void repair_judge_print(const struct repair_judge *judge, const struct reason *why, const unsigned *choice, FILE *out);

/* What a kernel does that is undefined; the sentence lives in the arena. */
struct undefined repair_judge_undefined(struct repair_judge *judge, const unsigned *choice, struct arena *arena);

/* repair_judge_ask() of a text, as its front end reads it. */
enum repair_answer repair_judge_text(struct repair_judge *judge, const struct source *text, const struct reason **why);

#endif
