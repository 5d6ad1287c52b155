/* SPDX-License-Identifier: MIT */
/* Models as text: .cat files, read once and compiled to cat/ir.h.
 *
 * The language is herd7's with the 2015 herd's words (`withoutsc`,
 * `undefined_unless`, bare or quoted title) and Dat3M's spellings of names.
 * lex.c, parse*.c (grammar above each function), evaluate_expressions.c, bind.c, apply.c,
 * match_if_try.c (expressions), run_statements.c (statements), operation_graph.c (nodes shared and
 * simplified), one_event_rmw.c (read-modify-writes as one event), load.c (files; what
 * the ir needs), node_values_on_candidate.c, interpret_candidate.c (what needs a candidate).
 */
#ifndef LITSCOPE_CAT_CAT_H
#define LITSCOPE_CAT_CAT_H

#include <stdio.h>

#include "checker/base/arena.h"
#include "checker/base/diag.h"
#include "checker/base/rel.h"
#include "checker/cat/ir.h"

/* Where models and includes are looked for, in this order: the folder of the
 * including file, then `folders`.  An absolute path or one that opens from the
 * working folder is taken as it is. */
struct cat_search {
  const char *const *folders;
  unsigned folder_count;
  const char *const *variants; /* words of -variant */
  unsigned variant_count;
  const char *bell; /* a file whose statements come before the model's (-bell); NULL: none */
};

/* `instructions R[A, B]`: the annotations that instructions of a class may have. */
struct cat_instruction {
  const char *class;       /* "R", "W", "RMW", "F", ... */
  unsigned slots;          /* how many annotations one has */
  const char *const *tags; /* that any of them may be, ends in NULL */
};

struct cat_model;
struct cat_outcome;
struct execution; /* a complete candidate (exec/execution.h): only passed on here */

/* Somebody other than the text with the last word on a model's complete
 * candidates: code in C (models_in_c/models_in_c.h). */
struct cat_judge {
  /* Calls `each` once for every way in which a candidate that the checks accept
   * is an execution of the model, and returns how many.  `skip` (by index of
   * model->ir.checks; may be NULL) leaves axioms out.  `scratch` is used freely. */
  unsigned (*interpret)(const struct cat_model *model, const struct execution *execution, const bool *skip,
                        struct arena *scratch, void (*each)(void *context, const struct cat_outcome *outcome),
                        void *context);
  /* The axiom that such a candidate fails: of the first choice, if it leaves some.  NULL: it is an execution. */
  const char *(*failed)(const struct cat_model *model, const struct execution *execution, const bool *skip);
  /* Writes, a line each, what it has to say of a candidate: for every choice it
   * leaves, what is chosen, the axiom that fails, the races. */
  void (*explain)(const struct cat_model *model, const struct execution *execution, FILE *out);
};

/* A model: its compiled form and, for the interpreter, its syntax. */
struct cat_model {
  struct cat_ir ir;
  const struct cat_ast *ast;
  const char *path;
  const char *const *variants; /* as asked for, for models that C has a part in */
  unsigned variant_count;
  const char *const *known_variants;          /* words that the model has a use for, ends in NULL */
  const struct cat_instruction *instructions; /* declared by it or its Bell file */
  size_t instruction_count;
  const struct cat_judge *judge; /* set by whoever loads the model; NULL: its text says all */
  /* The same model for programs without annotations (struct event's tags), where
   * it then need not be dynamic: what a remote operation promotes, say, is no
   * choice without remote operations.  NULL: the model itself serves. */
  const struct cat_model *plain;
  /* A dynamic model as a graph with everything that it chooses and checks, for those
   * who do not ask the interpreter; NULL: it is not dynamic, or cannot be told so. */
  const struct cat_model *told;
  bool strict; /* see cat_model_strict */
  /* What a comment `(* languages: C OpenCL *)` next to the title of the model's own
   * file says: whose tests it is for, by the words that their headers begin with.  NULL: nothing (cat_model_is_for). */
  const char *languages;
};

/* The graph of all that the model says; NULL: there is none, since C has the last word, or since it chooses what no
 * graph can tell. */
static inline const struct cat_ir *cat_graph(const struct cat_model *model) {
  if (model->judge) return NULL;
  if (!model->ir.dynamic) return &model->ir;
  return model->told ? &model->told->ir : NULL;
}

/* Is the model for tests whose header begins with this word, or does it not say? */
bool cat_model_is_for(const struct cat_model *model, const char *language);

/* The languages of a model that says them: "OpenCL, C and HSA". */
const char *cat_model_languages(struct arena *arena, const struct cat_model *model);

/* Loads and compiles a model by name (`opencl-rsp`) or path (`x/y.cat`).  On
 * error adds diagnostics (file, line, caret) and returns NULL.  The model lives
 * in `arena` and is read-only afterwards: threads may share it. */
struct cat_model *cat_load(struct arena *arena, const char *name, const struct cat_search *search, struct diags *diags);

/* The model whose executions are those that pass all its checks but the ones that
 * `skip` leaves out, and fail each of these (herd's -strictskip).  `skip` is to
 * go on leaving them out, and to have room for as many more checks, which the
 * compiled form has at its end: the same ones turned round.  Not for models with
 * a judge in C. */
struct cat_model *cat_model_strict(struct arena *arena, const struct cat_model *model, const bool *skip);

/* A complete candidate, as the interpreter asks for it. */
struct cat_env {
  struct shape shape;
  /* Value of a predefined name: w words for a set, n * w for a relation. */
  const word *(*base)(void *context, const struct cat_node *node);
  bool through; /* no axiom rejects */
  /* Is the check of this name to be left out? NULL: none is. */
  bool (*skip)(void *context, const char *name);
  /* Told of each axiom that fails and each flag that is raised, with the value
   * that says so (w words for a set, n * w for a relation); may be NULL. */
  void (*told)(void *context, const struct cat_check *check, const word *value, bool set);
  /* Asked now and then: true ends the run. NULL: never. */
  bool (*stop)(void *context);
  void *context;
  /* Where type errors go that show only on a candidate (they end the run, and
   * the ways found so far count for nothing); may be NULL. */
  struct diags *diags;
};

/* One way in which a complete candidate satisfies a model with `with x from S`
 * (one way exactly, if it has none). */
struct cat_outcome {
  const char *const *raised; /* names of undefined_unless checks that failed and flags raised, each once */
  const bool *undefined;     /* for each: is it of undefined_unless? */
  unsigned raised_count;
};

/* Runs a whole model on one complete candidate.  Calls `each` (which may be
 * NULL) once for every way in which all its axioms hold; returns how many.
 * What base() returns must stay as it is during the call.  `scratch` is used
 * freely and can be dropped afterwards.  When no way passes and `failed` is
 * not NULL, *failed is the name of the first axiom that failed. */
unsigned cat_interpret(const struct cat_model *model, const struct cat_env *env, struct arena *scratch,
                       void (*each)(void *context, const struct cat_outcome *outcome), void *context,
                       const char **failed);

#endif
