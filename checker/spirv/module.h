/* SPDX-License-Identifier: MIT */
/* A module of SPIR-V as SPIRV-Tools reads it: text to words, words validated,
 * words to instructions, each with its place in the user's text.
 *
 * Grammar and rules are SPIRV-Tools' own (libspirv.h); nothing here knows what an
 * opcode takes.  Everything lives in the arena and is read-only once read.
 */
#ifndef LITSCOPE_SPIRV_MODULE_H
#define LITSCOPE_SPIRV_MODULE_H

#include "checker/base/diag.h"
#include "checker/base/vec.h"

/* The set of an OpExtInst. */
enum inst_set { SET_OTHER, SET_OPENCL, SET_GLSL, SET_CLSPV };

/* One instruction.  Operands are the words after the type and the result. */
struct inst {
  uint16_t opcode;
  enum inst_set set;
  uint32_t type, result;
  const uint32_t *operands;
  unsigned operand_count;
  struct span span; /* in the user's text; empty where it is not known */
};

struct module {
  struct arena *arena;
  const struct source *source;
  uint32_t version; /* word 1 of the binary of which the source is the text; 0: it is not */
  struct diags *diags;
  bool failed;           /* an error was added: the first is the only one */
  struct span here;      /* the place of what is done, for errors at instructions that have none */
  const uint32_t *words; /* all of it */
  size_t word_count;
  const struct inst *insts;
  unsigned inst_count;
  unsigned bound;           /* ids are below */
  const struct inst **defs; /* by id; NULL: none */
  const char **names;       /* by id: the text's name, or OpName's; NULL: none */
  const char *kernel;       /* the entry point that is read; NULL: the first */
};

/* A compiled module may call a function of this name: what follows stands at that line and column of the source. */
#define MODULE_LINE "__litscope_line"

/* Functions that compile.c has in place of OpenCL C's; calls of them become OpGroupAsyncCopy, whose operands they have
 * and after these the size of an element, and OpGroupWaitEvents. */
#define MODULE_COPY "litscope_copy"
#define MODULE_WAIT "litscope_wait"

/* The entry point that is read; NULL: there is none. */
const struct inst *module_entry(const struct module *module);

/* Is the text, or file of this name, a module of SPIR-V, in text or in words? */
bool module_is_spirv(const struct source *source);

/* Reads a module: `words` of `size` bytes where a compiler made it from `source`,
 * NULL where `source` is it.  False: an error was added. */
bool module_read(struct module *module, const char *words, size_t size);

/* The text of a module in words, as spirv-dis writes it; other sources as they are.  NULL: an error was added. */
const struct source *module_text(struct arena *arena, const struct source *source, struct diags *diags);

/* Adds an error at an instruction (NULL: at none), unless there was one. */
bool module_fail(struct module *module, const struct inst *at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* "OpLoad" */
const char *module_opcode_name(const struct inst *inst);

/* Of an OpExtInst, its function's name: "vload_half" */
const char *module_function_name(const struct module *module, const struct inst *inst);

/* The text of a literal string among the operands, from operand `index` on. */
const char *module_string(const struct inst *inst, unsigned index);

/* The name of an id as messages and states show it: `flag`, or `%17` where it has none. */
const char *module_name(const struct module *module, uint32_t id);

/* The same of a variable, by OpName where the text of a binary adds a number to that; NULL: it has none. */
const char *module_variable_name(const struct module *module, uint32_t id);

/* The id of this name, without %, or 0. */
uint32_t module_find(const struct module *module, const char *name);

#endif
