/* SPDX-License-Identifier: MIT */
/* A question that the search is asked, and the solver whenever the search has taken long for it. */
#ifndef LITSCOPE_VERDICT_ENGINE_TURNS_H
#define LITSCOPE_VERDICT_ENGINE_TURNS_H

#include "checker/verdict/verdict.h"

/* enumerate_options.most_work of about half a second. */
enum { WORK_OF_COUNTING = 120000000 };

/* GAVE_UP: after as much as was asked for; CANNOT: however much more were. */
enum engine_end { ENGINE_GAVE_UP, ENGINE_ANSWERED, ENGINE_CANNOT };

struct engine_turns {
  void *context;
  bool (*counts)(void *context); /* is it worth some time to count executions?  NULL: it is not */
  enum engine_end (*solve)(void *context, uint64_t conflicts); /* enumerate_options.conflicts */
  unsigned most; /* of the solver's turns, after which the search gives up; 0: it goes on for good */
  unsigned turns;
  uint64_t conflicts; /* of the last */
  enum engine_end end;
};

/* The solver is asked after a twentieth of a second's work, or after half a second's where counts are worth that.  If
 * it answers, the search gives up; else it goes on where it was, for longer, and so on.  What takes long does not
 * depend on workers or time. */
void engines_take_turns(struct enumerate_options *search, struct engine_turns *turns);

/* What the solver says, asked with options.solve, conflicts and, but under -speedcheck, the states that are told. */
typedef struct verdict *solver_verdict(struct arena *arena, const struct litmus_test *test,
                                       const struct cat_model *model, const struct enumerate_options *options);

/* As verdict_run, or, where that takes long and the solver has the answer, what that says.  With several workers all
 * count, after some turns that one has had. */
struct verdict *verdict_in_turns(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                                 const struct enumerate_options *options, solver_verdict *solved);

/* What is left of a time limit since the monotonic clock was `start`; 0, which is none, stays so. */
double engine_time_left(double limit, double start);

#endif
