/* SPDX-License-Identifier: MIT */
/* Threads in C's statements on their way to instructions: what clower.c and
 * linux_lower.c share.
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

struct lowering {
  struct draft *draft;
  struct draft_thread *thread;
  const struct ast_thread *tree;
  struct loop *loop;
  VEC(struct array) arrays;
  VEC(unsigned) returns;
};

struct instr *lowering_emit(struct lowering *l, enum instr_kind kind, struct span span);

/* A register without a name, in *reg, and its value. */
const struct expr *lowering_temporary(struct lowering *l, unsigned *reg);

/* reg := value, as its type keeps it. */
void lowering_assign(struct lowering *l, unsigned reg, const struct expr *value, struct span span);

/* The value of an expression; what touches memory in it has been done then.
 * `kept`: where addresses are kept (`pointer`), a location's name means its address. */
const struct expr *lowering_value(struct lowering *l, const struct ast_expr *e);
const struct expr *lowering_kept(struct lowering *l, const struct ast_expr *e, bool pointer);

/* The cell that a pointer points to, and the one that `*e` or `a[i]` stands for. */
struct address lowering_address(struct lowering *l, const struct ast_expr *e);
struct address lowering_cell(struct lowering *l, const struct ast_expr *e);

/* The type of what is kept there; does it keep addresses? */
struct width lowering_width(const struct lowering *l, const struct address *address);
bool lowering_holds_addresses(const struct lowering *l, const struct address *address);

/* linux_lower.c: a call of one of the kernel's operations; its value goes to `reg`, unless that is NO_REG. */
void linux_lower(struct lowering *l, const struct ast_expr *e, int reg);

#endif
