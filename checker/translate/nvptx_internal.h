/* SPDX-License-Identifier: MIT */
/* What the two files that read PTX text share: nvptx_operands.c (names, addresses,
 * the words of an opcode), nvptx_read.c (instructions and lines).
 */
#ifndef LITSCOPE_TRANSLATE_NVPTX_INTERNAL_H
#define LITSCOPE_TRANSLATE_NVPTX_INTERNAL_H

#include "checker/base/vec.h"
#include "checker/translate/nvptx_read.h"

enum { PTX_WORDS = 12, PTX_OPERANDS = 6, PTX_SHARED_STRIDE = 4 * 301 };

/* What an address register is known to be: a number, or so many bytes after where a parameter points to, and so on; and
 * `scale` times what a register of the test holds after that. */
enum known_kind { KNOWN_NUMBER, KNOWN_PARAMETER, KNOWN_SHARED, KNOWN_PRIVATE };

struct ptx_known {
  const char *reg;
  enum known_kind kind;
  unsigned parameter;
  int64_t offset;
  const char *index; /* NULL: none */
  int64_t scale;
};

struct ptx_named {
  const char *from, *to;
};

/* Labels that a jump chooses from by number. */
struct ptx_table {
  const char *name;
  VEC(const char *) labels;
};

struct ptx_reading {
  struct arena *arena;
  const struct ptx_kernel *kernel;
  struct column *column;
  struct diags *diags;
  VEC(struct ptx_known) known;
  VEC(struct ptx_named) registers, labels;
  VEC(struct ptx_table) tables;
  bool listing; /* the last of them */
  unsigned next, barriers, line;
  const char *end; /* label of the end, once something jumps there */
  struct span span;
  const char *words[PTX_WORDS]; /* the opcode's, between points */
  const char *operands[PTX_OPERANDS];
  unsigned word_count, operand_count;
  bool failed;
};

enum place_kind { PLACE_CELL, PLACE_RESULT };

struct ptx_place {
  enum place_kind kind;
  const char *name; /* of the location, or of the result's register */
};

/* The order and the scope, which an access has after its name. */
struct ptx_strength {
  const char *order, *scope, *op;
};

/* Tells what is wrong with the instruction at hand; of several faults, the first. */
void nvptx_fail(struct ptx_reading *r, const char *what);

/* Adds an instruction, or a label, to the column. */
void nvptx_cell(struct ptx_reading *r, bool label, const char *text);

#define CELL(r, ...) nvptx_cell(r, false, arena_printf((r)->arena, __VA_ARGS__))

/* The test's register, or label, for one of the text; a new one where it has none yet. */
const char *nvptx_new_register(struct ptx_reading *r);
const char *nvptx_register(struct ptx_reading *r, const char *name);
const char *nvptx_label(struct ptx_reading *r, const char *name);

/* What a register is known to be, or NULL. */
const struct ptx_known *nvptx_known(const struct ptx_reading *r, const char *reg);

/* Notes it; fails where something else was known. */
void nvptx_know(struct ptx_reading *r, const char *reg, struct ptx_known known);

/* `lds`, or clang's `t0_$_lds`. */
bool nvptx_is_shared(const char *operand);

/* A register, number or shared variable whose value is known. */
bool nvptx_known_value(struct ptx_reading *r, const char *operand, struct ptx_known *known);

/* `[%rd1+4]`, `[lds+1204]`, `[t0_param_1]`: the part before the sign, and the number.
 * NULL: the operand is no address. */
const char *nvptx_split_address(struct ptx_reading *r, const char *operand, int64_t *offset);

/* Which location, or result, an address is of.  Fails where that is not known. */
bool nvptx_find_place(struct ptx_reading *r, const char *operand, struct ptx_place *place);

/* Of the opcode: has it this word, its type (the last word), and what that says. */
bool nvptx_has(const struct ptx_reading *r, const char *wanted);
const char *nvptx_type(const struct ptx_reading *r);
bool nvptx_is_unsigned(const struct ptx_reading *r);
bool nvptx_is_wide(const struct ptx_reading *r);

void nvptx_refuse_word(struct ptx_reading *r, const char *text);

/* The words of an access.  Those that mean something else are refused: false. */
bool nvptx_take_strength(struct ptx_reading *r, bool atomic, struct ptx_strength *s);

/* Are there so many operands?  Otherwise fails. */
bool nvptx_operands_are(struct ptx_reading *r, unsigned count);

/* A register or a number, in the test; of an address, fails. */
const char *nvptx_value(struct ptx_reading *r, const char *operand);

#endif
