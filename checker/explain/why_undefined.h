/* SPDX-License-Identifier: MIT */
/* Why a program is undefined, in a sentence. */
#ifndef LITSCOPE_EXPLAIN_WHY_UNDEFINED_H
#define LITSCOPE_EXPLAIN_WHY_UNDEFINED_H

#include "checker/explain/missing_synchronization.h"
#include "checker/verdict/verdict.h"

struct undefined {
  const char *sentence;      /* NULL: there is none to tell */
  enum missing_kind missing; /* of a race: what would end it */
  bool cut;                  /* a limit ended the search */
};

/* `P0 line 5 and P1 line 9 race on data; any outcome is possible`: of an execution that
 * raises one of the verdict's flags, the pair of events (or the event) that says most,
 * where the model's text tells which; else the flags' names.  None: the verdict has no
 * flag of undefined behaviour, or is not complete.  `v` is the verdict of the same
 * model and options; the sentence lives in the arena. */
struct undefined undefined_explain(struct arena *arena, const struct verdict *v, const struct cat_model *model,
                                   const struct enumerate_options *options);

/* How much a pair of events (or one event twice) that makes a check fail says: less is
 * more.  Ordinary accesses first, of initial writes last. */
unsigned undefined_rank(const struct event *a, const struct event *b);

#endif
