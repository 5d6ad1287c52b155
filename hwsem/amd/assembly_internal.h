/* SPDX-License-Identifier: MIT */
/* What the parts of the assembler share: where it is on a line, and what they take from there.
 *
 * Functions that take something return false where it is not there, and those that parse, with an error.
 */
#ifndef LITSCOPE_HWSEM_AMD_ASSEMBLY_INTERNAL_H
#define LITSCOPE_HWSEM_AMD_ASSEMBLY_INTERNAL_H

#include "checker/base/vec.h"
#include "hwsem/amd/assembly.h"

struct label {
  const char *name;
  unsigned at;
  struct span span;
};

struct assembler {
  struct arena *arena;
  const struct amd_target *target;
  const struct source *source;
  struct diags *diags;
  VEC(struct amd_instr) instrs;
  VEC(struct label) labels;
  unsigned private_segment, dispatch, queue, kernarg; /* directives about user registers */
  unsigned user_registers;
  bool has_kernarg;
  unsigned source_line; /* of the last .loc */
  const char *symbol;   /* the last that an operand named */
  unsigned since;       /* bytes of code after the last s_getpc_b64 */
  const char *at, *end; /* of the line */
  bool failed;
};

#define ASSEMBLER_FAIL(a, span, ...) ((a)->failed = true, diag_error((a)->diags, (a)->source, span, __VA_ARGS__))

/* ---- words and numbers (assembly_operands.c) ---- */

struct span assembler_span(const struct assembler *a, const char *from, size_t length);
void assembler_skip_space(struct assembler *a);

/* The length of the word here; 0: none. */
size_t assembler_word_length(const struct assembler *a);
bool assembler_take(struct assembler *a, const char *text);
bool assembler_take_number(struct assembler *a, int64_t *value);
bool assembler_at_end(struct assembler *a);

/* What comes here is no operand of the instruction, or there is none: an error; always false. */
bool assembler_fail_operand(struct assembler *a, const struct amd_instr *instr);

/* ---- operands and modifiers ---- */

/* Fails where it takes none. */
bool assembler_take_operand(struct assembler *a, struct amd_instr *instr, struct amd_operand *operand);
bool assembler_parse_operands(struct assembler *a, struct amd_instr *instr);

/* A sum or difference of the lanes' words, or of their halves? */
bool assembler_is_sum(const struct amd_instr *instr);

/* `global_load_lds_dword`, and `buffer_load_dword ... lds`. */
void assembler_fail_copy(struct assembler *a, const char *name, struct span span);

/* ---- waits, and instructions that do nothing here (assembly_waits.c) ---- */

bool assembler_parse_wait(struct assembler *a, struct amd_instr *instr);

/* What follows the name of an instruction that does nothing here; *known is false for one with operands as others
 * have them. */
bool assembler_parse_idle(struct assembler *a, struct amd_instr *instr, bool *known);

#endif
