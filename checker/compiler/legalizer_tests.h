/* SPDX-License-Identifier: MIT */
/* LLVM's tests of how memory operations become code of AMD GPUs
 * (llvm/test/CodeGen/AMDGPU/memory-legalizer-*.ll): functions of one operation
 * each, and for each GPU the whole code that llc must emit, as CHECK lines.
 *
 * Any file of that form is read: RUN lines with -mcpu (or a triple that names the GPU),
 * -mattr and -check-prefix, kernels or functions of LLVM IR, and `; PREFIX-LABEL: name` with lines after it.
 * A RUN line with -stop-after has no assembly: it only says what to compile for.  So does who has a file without any.
 */
#ifndef LITSCOPE_COMPILER_LEGALIZER_TESTS_H
#define LITSCOPE_COMPILER_LEGALIZER_TESTS_H

#include "checker/compiler/llc.h"
#include "checker/program/program.h"

/* A run of llc: whose code the lines with its prefixes are. */
struct legalizer_run {
  const char *processor; /* "gfx1010" */
  const char *mode;      /* "cumode", "tgsplit" or NULL */
  const char *features;  /* "+cumode,+wavefrontsize64", or NULL */
  unsigned lanes;        /* of a wave */
  const char *option;    /* "-amdgcn-skip-cache-invalidations", or NULL */
  const char *label;     /* "gfx1010:cumode" */
  unsigned arguments;    /* where in memory they begin, after the base register's address */
  bool assembly;         /* the lines are */
  const char *const *prefixes;
  unsigned prefix_count;
};

/* A parameter of a kernel, and where it is among the arguments. */
struct legalizer_parameter {
  const char *name;
  bool pointer;
  unsigned space, offset; /* of a pointer: 0 flat, 1 global, 3 local, 5 private */
  unsigned bytes;
};

/* What an operation writes or expects: a parameter, or a number. */
struct legalizer_value {
  int parameter; /* -1: none */
  bool constant;
  int64_t number;
};

enum { LEGALIZER_PARAMETERS = 8 };

struct legalizer_function {
  const char *name;
  struct span span;
  struct legalizer_parameter parameters[LEGALIZER_PARAMETERS];
  unsigned parameter_count;
  bool called;         /* no kernel: its parameters are in vector registers, four bytes of `offset` in each */
  unsigned most_items; /* of a work-group */

  const char *refusal;       /* why it has no operation that is understood; NULL: it has */
  enum instr_kind kind;      /* LOAD, STORE, RMW, CAS, FENCE; BARRIER: a work-group's, and the fences around it */
  enum rmw_op op;            /* RMW */
  unsigned bytes;            /* that it accesses: 1, 2, 4 or 8 */
  enum order order, failure; /* NA: ordinary, volatile, nontemporal and unordered ones */
  bool releases, acquires;   /* BARRIER: by a fence before it, and after it; `order` is that of the fences alone */
  enum scope scope;          /* SCOPE_SG: no more than a wave */
  bool cluster;              /* that of a cluster of work-groups, where there are such */
  bool unknown_scope;
  bool one_as;              /* orders accesses of each address space by themselves */
  unsigned regions;         /* FENCE, BARRIER: of what it speaks, a set of enum region; 0: of all */
  unsigned space;           /* as of a parameter */
  unsigned pointer, before; /* the parameter that points at the location, and how many bytes before it */
  struct legalizer_value value, expected;
  int source;             /* the parameter that points at the value that a store writes, or -1 */
  unsigned source_before; /* as `before` */
};

/* Has it a location? */
static inline bool legalizer_accesses(const struct legalizer_function *f) {
  return f->kind != INSTR_FENCE && f->kind != INSTR_BARRIER;
}

struct legalizer {
  const struct source *source;
  struct legalizer_run *runs;
  unsigned run_count;
  struct legalizer_function *functions;
  unsigned function_count;
  struct legalizer_lines *lines; /* by prefix and function */
  size_t line_count;
};

/* Reads a file; everything lives in `arena`.  One without RUN lines is to be compiled for `targets`, such as
 * "gfx1030:cumode", to a NULL; NULL: it must have them.  false, with diagnostics: it is none. */
bool legalizer_read(struct arena *arena, const struct source *source, const char *const *targets,
                    struct legalizer *file, struct diags *diags);

/* The code that a run must emit for a function, as lines of the file; none: it says nothing. */
const struct span *legalizer_code(struct arena *arena, const struct legalizer *file, unsigned run, unsigned function,
                                  size_t *count);

/* What a compiler makes of the file's functions now, at -O0 as the tests do, with
 * a run's features and option: its assembly.  NULL, with diagnostics, when it fails. */
const struct source *legalizer_compile(struct arena *arena, const struct legalizer *file, const struct llc *llc,
                                       const char *processor, const struct legalizer_run *run, struct diags *diags);

/* A function's lines in such assembly. */
const struct span *legalizer_compiled(struct arena *arena, const struct source *assembly, const char *function,
                                      size_t *count);

#endif
