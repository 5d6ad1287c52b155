/* SPDX-License-Identifier: MIT */
/* An execution of a program that is changed a little: is it one still?
 *
 * What speaks against a program (an outcome, a race) is an execution; where its
 * orders and scopes are others, or fences have come or gone, the same reads and
 * writes may be an execution all the same, and then speak against that program too.
 * This asks the model about one execution, where `enumerate` searches for any.
 */
#ifndef LITSCOPE_EXEC_RECHECK_EXECUTION_H
#define LITSCOPE_EXEC_RECHECK_EXECUTION_H

#include "checker/cat/cat.h"
#include "checker/exec/execution.h"

enum recheck_answer {
  RECHECK_POSSIBLE,
  RECHECK_IMPOSSIBLE,
  RECHECK_UNKNOWN /* the programs differ in more than labels and fences, or the model cannot be asked so */
};

struct kept_execution;

/* Keeps an execution for later: all of it lives in `arena`. */
const struct kept_execution *recheck_keep(struct arena *arena, const struct execution *execution);

/* What an execution has to pass. */
struct recheck_rules {
  const struct cat_ir *ir;
  const bool *skip; /* checks that are left out */
  /* Must it fail this undefined_unless, or raise this flag, or one of the others for which this holds?  NULL: none. */
  bool (*raises)(const void *context, const struct cat_check *check);
  const void *context;
};

/* Is the execution one of the changed program under the model?  `placed`: equal instructions begin at
 * the same place of the text. */
enum recheck_answer recheck(const struct kept_execution *kept, const struct program *changed, bool placed,
                            const struct recheck_rules *rules);

/* The kept execution's events as the changed program has them, one a line, then what each read reads from; where it is
 * possible, else nothing. */
void recheck_print(const struct kept_execution *kept, const struct program *changed, bool placed, FILE *out);

#endif
