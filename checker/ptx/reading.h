/* SPDX-License-Identifier: MIT */
/* What the files that read PTX text share: operands.c (names, addresses,
 * the words of an opcode), accesses.c (accesses and fences), meetings.c (barriers, and what
 * warps do together), read.c (other instructions, and lines).
 */
#ifndef LITSCOPE_PTX_READING_H
#define LITSCOPE_PTX_READING_H

#include "checker/base/vec.h"
#include "checker/ptx/read.h"

enum { PTX_WORDS = 12, PTX_OPERANDS = 6, PTX_APART = 1 << 20 };

/* A register that is assigned several times, to which a register of the test belongs: it holds a value, or how many
 * bytes after the beginning of an array it points; where there are several arrays, they are PTX_APART. */
struct ptx_joined {
  bool value;
  struct ptx_known known;
  VEC(struct ptx_known) arrays;
};

/* Private memory: where the compiler keeps something. */
struct ptx_slot {
  int64_t offset;
  unsigned bits;
};

struct ptx_named {
  const char *from, *to;
  struct span span; /* of the first statement that names it */
  bool defined;     /* a label: it stands somewhere */
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
  VEC(struct ptx_joined) joined;
  VEC(struct ptx_slot) slots;
  VEC(struct ptx_named) registers, labels;
  VEC(struct ptx_table) tables;
  bool listing; /* the last of them */
  unsigned next, barriers, line;
  const char *end; /* label of the end, once something jumps there */
  struct span span;
  const char *words[PTX_WORDS]; /* the opcode's, between points */
  const char *operands[PTX_OPERANDS];
  unsigned word_count, operand_count;
  const char *predicate; /* of `%r1|%p1`, the first operand; NULL: there is none */
  bool failed, again;    /* what follows from one more register in `joined` is to be read anew */
};

enum place_kind { PLACE_CELL, PLACE_RESULT };

struct ptx_candidate {
  const char *name;
  int64_t address;
};

struct ptx_place {
  enum place_kind kind;
  const char *name;    /* of the location, or of the result's register */
  unsigned bits;       /* of the location */
  const char *address; /* a register of the test, which says which location it is; NULL: it is known */
  VEC(struct ptx_candidate) all;
};

/* The order and the scope, which an access has after its name. */
struct ptx_strength {
  const char *order, *scope, *op, *type;
  bool noncoherent;
};

/* Tells what is wrong with the instruction at hand; of several faults, the first. */
bool nvptx_fail(struct ptx_reading *r, const char *what);

/* Adds an instruction, or a label, to the column. */
void nvptx_cell(struct ptx_reading *r, bool label, const char *text);

#define CELL(r, ...) nvptx_cell(r, false, arena_printf((r)->arena, __VA_ARGS__))

/* The test's register, or label, for one of the text; a new one where it has none yet. */
const char *nvptx_new_register(struct ptx_reading *r);
const char *nvptx_register(struct ptx_reading *r, const char *name);
const char *nvptx_label(struct ptx_reading *r, const char *name);

/* What a register is known to be, or NULL. */
const struct ptx_known *nvptx_known(const struct ptx_reading *r, const char *reg);

/* Notes it. Where several assignments of a register differ, it is followed in a run. */
void nvptx_know(struct ptx_reading *r, const char *reg, struct ptx_known known);

/* `lds`, or clang's `t0_$_lds`. */
bool nvptx_is_shared(const char *operand);

/* A register, number or shared variable whose value is known. */
bool nvptx_known_value(struct ptx_reading *r, const char *operand, struct ptx_known *known);

/* `[%rd1+4]`, `[lds+1204]`, `[t0_param_1]`: the part before the sign, and the number.
 * NULL: the operand is no address. */
const char *nvptx_split_address(struct ptx_reading *r, const char *operand, int64_t *offset);

/* Adds what is undefined when a thread comes to it: a division by 0. */
void nvptx_undefined(struct ptx_reading *r);

/* Which location, or result, an address is of.  Fails where that is not known. */
bool nvptx_find_place(struct ptx_reading *r, const char *operand, struct ptx_place *place);

/* Of the opcode: has it this word, its type (the last word) and the first of several, and what that says. */
bool nvptx_has(const struct ptx_reading *r, const char *wanted);
const char *nvptx_type(const struct ptx_reading *r);
const char *nvptx_first_type(const struct ptx_reading *r);
bool nvptx_is_unsigned(const struct ptx_reading *r);
bool nvptx_is_wide(const struct ptx_reading *r);

void nvptx_refuse_word(struct ptx_reading *r, const char *text);

/* The words of an access.  Those that mean something else are refused: false. */
bool nvptx_take_strength(struct ptx_reading *r, bool atomic, struct ptx_strength *s);

/* Are there so many operands?  Otherwise fails. */
bool nvptx_operands_are(struct ptx_reading *r, unsigned count);

/* A register or a number, in the test; of an address, fails. */
const char *nvptx_value(struct ptx_reading *r, const char *operand);

/* ---- accesses.c ---- */

void nvptx_read_load(struct ptx_reading *r);
void nvptx_read_store(struct ptx_reading *r);

/* atom, red */
void nvptx_read_atomic(struct ptx_reading *r);

void nvptx_read_fence(struct ptx_reading *r);
void nvptx_read_membar(struct ptx_reading *r);

/* `[param0+8]`: is it of a variable that calls pass values in? */
bool nvptx_is_passed(struct ptx_reading *r, const char *operand);

/* ---- meetings.c ---- */

void nvptx_read_barrier(struct ptx_reading *r);

/* What the threads of a warp do together: shfl, vote, match, redux. */
void nvptx_read_gathering(struct ptx_reading *r);

/* elect, activemask. */
void nvptx_read_open(struct ptx_reading *r);

#endif
