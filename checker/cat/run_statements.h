/* SPDX-License-Identifier: MIT */
/* Statements: one machine runs a model when it is loaded and, from the first
 * statement that only a candidate can decide, when the interpreter goes on.
 *
 * What is left to run is a chain of immutable frames, so that `with x from S`
 * can run it once for every x.
 */
#ifndef LITSCOPE_CAT_RUN_STATEMENTS_H
#define LITSCOPE_CAT_RUN_STATEMENTS_H

#include "checker/cat/evaluate_expressions.h"

/* The files being included, innermost first. */
struct chain {
  const struct file *file;
  const char *path;
  const struct chain *parent;
};

struct run_frame {
  const struct statement *const *at;
  unsigned remaining;
  const struct chain *chain;
  const struct binding *env; /* what is in sight in this frame, if `sets_env` */
  bool sets_env;
  unsigned depth;
  const struct statement *call; /* what runs until here is a procedure's, called by this; NULL: it is none's */
  const struct run_frame *below;
};

/* Names raised on the way, newest first. */
struct run_raised {
  const char *name;
  bool undefined;
  const struct run_raised *next;
};

struct run_state {
  const struct statement *const *at;
  unsigned remaining;
  const struct chain *chain;
  const struct binding *env;
  const struct run_frame *below;
  const struct run_raised *raised;
};

/* What the loader keeps for the interpreter. */
struct cat_ast {
  struct symbols symbols;
  struct graph graph;
  const struct value **defined;
  uint32_t *views;
  const char *const *variants;
  unsigned variant_count;
  struct run_state resume; /* dynamic models: where the interpreter goes on */
  struct cat_check *early; /* the checks before that, or all: nodes in the full graph */
  unsigned early_count;
};

/* How the two users of the machine differ. */
struct runner {
  struct eval *eval;
  void *context;
  /* A check whose value may be known; false ends this way of running. */
  bool (*check)(struct runner *runner, struct run_state *state, const struct cat_check *check, bool known);
  /* `with x from value`: returns the value to go on with, or NULL to stop here
   * (after it has run the rest itself, or an error). */
  const struct value *(*choose)(struct runner *runner, struct run_state *state, const struct statement *statement,
                                const struct value *value);
  /* A statement that cannot be decided now: true to go on after it. */
  bool (*undecided)(struct runner *runner, const struct run_state *state, const struct statement *statement,
                    bool *stop);
  /* A let bound a value that is not known yet; NULL: nobody asks. */
  void (*later)(struct runner *runner, const struct run_state *state);
  /* The file of an include; NULL after an error or, with *skip, when it stands for nothing new. */
  const struct file *(*include)(struct runner *runner, const struct run_state *state, const struct statement *statement,
                                bool *skip);
  void (*show)(struct runner *runner, const struct run_state *state, const struct statement *statement, unsigned name,
               const struct value *value);
  void (*finish)(struct runner *runner, const struct run_state *state);
  bool failed; /* an error was reported */
};

/* Runs a state to its end. */
void run_from(struct runner *runner, struct run_state state);

#endif
