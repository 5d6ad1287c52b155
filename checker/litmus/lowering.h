/* SPDX-License-Identifier: MIT */
/* Threads in C's statements on their way to instructions.  From below: lowering.c
 * has instructions, names, cells; linux_lower.c what the kernel's operations add;
 * c_lower_expr.c expressions, and operands of both vocabularies, as they are
 * expressions; c_lower.c statements.
 */
#ifndef LITSCOPE_LITMUS_LOWERING_H
#define LITSCOPE_LITMUS_LOWERING_H

#include "checker/litmus/ast.h"

/* A loop that is being lowered: jumps out of it are patched at its end. */
struct loop {
  struct loop *outer;
  VEC(unsigned) breaks, continues;
};

/* An array of registers: `size` of them from `first` on, named a[0], a[1], ... */
struct array {
  const char *name;
  unsigned first, size;
};

struct lowering;

/* Of a language in which other names are cells, and are read at other times (ADSM): what takes the place of
 * lowering_value() and lowering_effect(), and its own statements. */
struct lowering_own {
  const struct expr *(*value)(struct lowering *l, const struct ast_expr *e);
  void (*effect)(struct lowering *l, const struct ast_expr *e);
  void (*action)(struct lowering *l, const struct adsm_action *action);
};

struct lowering {
  struct draft *draft;
  struct draft_thread *thread;
  const struct ast_thread *tree;
  struct adsm_lowering *adsm;     /* NULL: the language is another */
  const struct lowering_own *own; /* NULL: all expressions are C's */
  struct loop *loop;
  VEC(struct array) arrays;
  VEC(unsigned) returns;
};

/* --- instructions (lowering.c) ------------------------------------------------------------ */

/* The thread's next instruction, as draft_emit() makes it; branches (whose condition is
 * computed from instruction `first` on) and jumps are numbers, to be patched once their
 * target is known. */
struct instr *lowering_emit(struct lowering *l, enum instr_kind kind, struct span span);
unsigned lowering_here(const struct lowering *l);
unsigned lowering_branch(struct lowering *l, const struct expr *condition, unsigned first, struct span span);
unsigned lowering_jump(struct lowering *l, struct span span);
void lowering_patch(struct lowering *l, unsigned at, unsigned target);

/* --- names ----------------------------------------------------------------------------------- */

bool lowering_is_parameter(const struct lowering *l, const char *name);

/* The array of registers, or the location, of that name; NULL: it names none. */
const struct array *lowering_find_array(const struct lowering *l, const char *name);
const struct draft_location *lowering_find_location(const struct lowering *l, const char *name);

/* --- registers ------------------------------------------------------------------------------- */

/* The register that a name stands for, made on first use; fails where it is an
 * array or a location. */
unsigned lowering_use_register(struct lowering *l, const struct ast_expr *e);
void lowering_mark_assigned(struct lowering *l, unsigned reg);
const struct expr *lowering_register_value(struct lowering *l, unsigned reg);

/* A register without a name, in *reg, and its value. */
const struct expr *lowering_temporary(struct lowering *l, unsigned *reg);

/* reg := value, as its type keeps it; and reg := reg, where what it has been loaded
 * with, of type `from`, may not fit its own. */
void lowering_assign(struct lowering *l, unsigned reg, const struct expr *value, struct span span);
void lowering_fit(struct lowering *l, unsigned reg, struct width from, struct span span);

/* An element of an array; a constant index is one of its cells. */
const struct expr *lowering_read_element(struct lowering *l, const struct array *array, const struct expr *index);
void lowering_write_element(struct lowering *l, const struct array *array, const struct expr *index,
                            const struct expr *value, struct span span);

/* --- cells ----------------------------------------------------------------------------------- */

/* Carries out an index that is a constant, so that `a[1]` is a cell; fails where
 * there is no such cell. */
struct address lowering_settle(struct lowering *l, struct address address, struct span span);

/* The type of what is kept there; does it keep addresses?  Of a cell that is only
 * known when the program runs, the text says enough by naming a location. */
struct width lowering_width(const struct lowering *l, const struct address *address);
bool lowering_holds_addresses(const struct lowering *l, const struct address *address);

/* --- the kernel's operations (linux_lower.c) --------------------------------------------- */

/* What becomes of the annotation of a read-modify-write. */
struct linux_strength {
  tag_set read, write, failed;
  tag_set around; /* fences before and after */
};

/* What a call's operands have become; those that it has not are 0. */
struct linux_operands {
  struct linux_strength strength;
  struct address address;
  const struct expr *expected, *value;
};

/* Before the operands: false after an error, a call being one whose value shall go
 * to `reg` and that has none (NO_REG: nobody wants it).  After them: the call's
 * own instructions. */
bool linux_begin(struct lowering *l, const struct ast_expr *e, int reg, struct linux_strength *strength);
void linux_lower(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o);

/* --- expressions (c_lower_expr.c) --------------------------------------------------------- */

/* The value of an expression; what touches memory in it has been done then. */
const struct expr *lowering_value(struct lowering *l, const struct ast_expr *e);

/* A branch on it, as lowering_branch() makes it. */
unsigned lowering_condition(struct lowering *l, const struct ast_expr *e);

/* It into a given register; where that keeps addresses (`pointer`), a location's
 * name means its address. */
void lowering_kept_into(struct lowering *l, const struct ast_expr *e, unsigned reg, bool pointer, struct span span);

/* For its effects only. */
void lowering_effect(struct lowering *l, const struct ast_expr *e);

/* --- statements (c_lower.c) ---------------------------------------------------------------- */

/* A statement and, after it, where its `return` leads. */
void lowering_body(struct lowering *l, const struct ast_stmt *s);

#endif
