/* SPDX-License-Identifier: MIT */
/* Operations of a kernel on shared memory, and changes of them.
 *
 * `repair` asks about a kernel with other orders and scopes, with fences put in or
 * left out.  The module is read once; a change says what an instruction is to do in
 * place of what it says, and the program is made again.  An *operation* is an
 * instruction that some work-item comes to and that touches what others may touch too; or a branch.
 */
#ifndef LITSCOPE_SPIRV_OPERATION_CHANGES_H
#define LITSCOPE_SPIRV_OPERATION_CHANGES_H

#include "checker/program/program.h"
#include "checker/spirv/spirv.h"

enum spirv_kind {
  SPIRV_LOAD,
  SPIRV_STORE,
  SPIRV_RMW,
  SPIRV_CAS,
  SPIRV_FENCE,
  SPIRV_BARRIER,
  SPIRV_PLAIN_LOAD, /* these two have no order */
  SPIRV_PLAIN_STORE,
  SPIRV_BRANCH /* the end of a block that goes on, or a copy of a group: nothing but a point before which a barrier may
                  stand */
};

/* Kinds of memory that an order is about, as SPIR-V's semantics have them. */
enum spirv_memory { SPIRV_BUFFERS = 0x40, SPIRV_LOCAL = 0x100, SPIRV_GLOBAL = 0x200 };

/* What an operation says besides what it does. */
struct spirv_words {
  enum order order, failure; /* `failure`: of a compare-and-swap */
  enum scope scope;
  unsigned memory;         /* set of bits as enum spirv_memory; counts for nothing without an order */
  bool available, visible; /* Vulkan */
  bool shared;             /* Vulkan, ordinary accesses: NonPrivatePointer */
};

struct spirv_operation {
  enum spirv_kind kind;
  unsigned inst;    /* which of the module */
  const char *name; /* "OpAtomicStore" */
  struct span span; /* in the text: of text of SPIR-V, all of the instruction; of a source, from it to the line's end */
  unsigned operands;  /* how many words of the text stand before the first operand: its result, `=`, name and type */
  unsigned turn;      /* how many of the operations before it, but for ordinary accesses, have the same place */
  bool may_be_atomic; /* ordinary accesses: of a whole number, which an atomic access may be of too */
  bool is_unsigned;   /* ordinary stores: of a whole number without sign, */
  bool is_converted;  /* to which the value, which may have a sign, is converted */
  unsigned loads;     /* ordinary stores: 1 + the ordinary load that is the operation before; 0: another is */
  struct span loaded; /* that load in the text */
  struct spirv_words words;
};

enum spirv_change_kind {
  CHANGE_WORDS,  /* the operation says these */
  CHANGE_REMOVE, /* a fence or barrier is not there */
  CHANGE_ATOMIC, /* an ordinary access is an atomic one and says these */
  CHANGE_UPDATE, /* an ordinary store is, with the load before it, one atomic operation, which says these */
  CHANGE_FENCE,  /* a fence that says these stands before the instruction, */
  CHANGE_BARRIER /* or a barrier of the work-group */
};

static inline bool change_inserts(enum spirv_change_kind kind) {
  return kind == CHANGE_FENCE || kind == CHANGE_BARRIER;
}

struct spirv_change {
  unsigned inst;
  enum spirv_change_kind kind;
  struct spirv_words words;
};

struct spirv_changes {
  const struct spirv_change *at;
  unsigned count;
};

/* A kernel that has been read. */
struct spirv_code;

/* Reads a kernel, of which programs are to be made.  NULL: an error was added.  It lives in `arena`, and so must the
 * source and the options. */
struct spirv_code *spirv_open(struct arena *arena, const struct source *source, const struct spirv_options *options,
                              struct diags *diags);

/* Makes a program in `arena`.  False: an error was added. */
bool spirv_make(struct arena *arena, const struct spirv_code *code, struct spirv_changes changes,
                struct spirv_test *test, struct diags *diags);

/* The operations of a program made without changes, in the module's order; in `arena`.  *memory: the kinds of shared
 * memory that the kernel has, as a set of enum spirv_memory. */
const struct spirv_operation *spirv_operations(struct arena *arena, const struct spirv_code *code, unsigned *count,
                                               unsigned *memory);

/* Has the module GLSL's own memory model?  It is read as Vulkan's, but no instruction says what is shared, available or
 * visible: declarations do. */
bool spirv_is_glsl450(const struct spirv_code *code);

/* The numbers of SPIR-V for an order with all that belongs to it, and for a scope. */
unsigned spirv_semantics(const struct spirv_words *words, enum order order);
unsigned spirv_scope(enum scope scope);

/* The text of SPIR-V for a module in words, as spirv-dis writes it; other sources as they are.  NULL: an error was
 * added. */
const struct source *spirv_text(struct arena *arena, const struct source *source, struct diags *diags);

/* The name in the text, without %, of a constant of this 32-bit value and of a type that numbers without sign have;
 * NULL: there is none.  *type: the name of such a type, and *line where a line with a new one may stand. */
const char *spirv_constant(const struct spirv_code *code, unsigned value, const char **type, uint32_t *line);

/* Is the kernel a source that a compiler makes a module of?  *glsl: in GLSL. */
bool spirv_is_source(const struct source *source, bool *glsl);

/* Does the text of SPIR-V have this name, without %? */
bool spirv_has_name(const struct spirv_code *code, const char *name);

#endif
