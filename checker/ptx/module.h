/* SPDX-License-Identifier: MIT */
/* A module of PTX as compilers and people write it (PTX ISA, "Syntax", "State Spaces, Types, and Variables"): its
 * kernels, what these have as parameters, and the module's variables.
 *
 * What a kernel's block declares is known by its scope: in statements each register has a name that says its type, as
 * LLVM's have (%r, %rd, %rs, %p and a number), whatever the text calls it.
 */
#ifndef LITSCOPE_PTX_MODULE_H
#define LITSCOPE_PTX_MODULE_H

#include "checker/base/vec.h"
#include "checker/ptx/read.h"

enum ptx_space { PTX_GLOBAL, PTX_CONST, PTX_SHARED, PTX_LOCAL, PTX_PARAM };

struct ptx_variable {
  const char *name;
  struct span span;
  enum ptx_space space;
  const char *type; /* "b32" */
  bool array;
  uint64_t count;            /* of elements of that type; 0: not said, as of `extern .shared .b8 x[];` */
  VEC(const char *) initial; /* numbers as written, of the first elements */
  bool initialised;
};

struct ptx_entry {
  const char *name;
  struct span span;
  VEC(struct ptx_variable) parameters;
  VEC(struct ptx_variable) variables; /* of its own */
  VEC(struct ptx_statement) statements;
  unsigned shape[3]; /* of a block, as .reqntid says; 0: none does */
};

struct ptx_function {
  struct ptx_entry entry;
  VEC(struct ptx_variable) results;
  bool read, in_registers; /* its body has been; it has parameters that are registers */
  uint32_t at;             /* where it stands, after its directive */
  unsigned first_register, next_register;
};

struct ptx_module {
  const struct source *source;
  const char *text; /* without comments */
  unsigned target;  /* 80 of `sm_80`; 0: none is named */
  unsigned next_register;
  VEC(struct ptx_entry) entries;
  VEC(struct ptx_function) functions; /* that have bodies */
  VEC(struct ptx_variable) variables;
};

/* Is it a module of PTX, by its name or by its first word? */
bool ptx_is_module(const struct source *source);

/* Reads a module.  false: an error was added. */
bool ptx_module_read(struct arena *arena, const struct source *source, struct ptx_module *module, struct diags *diags);

/* A function of that name, whose body is read now if it has not been.  NULL: there is none, or an error was added. */
const struct ptx_function *ptx_module_function(struct arena *arena, struct ptx_module *module, const char *name,
                                               struct diags *diags);

#endif
