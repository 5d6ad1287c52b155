/* SPDX-License-Identifier: MIT */
/* Control flow of a piece of a thread, as a tree of statements again.
 *
 * A program's flat instructions came from if, while, do and the like; languages
 * of devices have no goto (GLSL, WGSL) or had better not use it.  The tree is
 * found by recursive descent over jump targets; where jumps nest in no such way,
 * there is none, and the emitter falls back on a loop over numbered blocks.
 */
#ifndef LITSCOPE_DEVICE_STRUCTURED_FLOW_H
#define LITSCOPE_DEVICE_STRUCTURED_FLOW_H

#include "checker/base/arena.h"
#include "checker/program/program.h"

enum flow_kind {
  FLOW_INSTR,   /* `instr` */
  FLOW_IF,      /* if (instr->value) body else other (NULL: none) */
  FLOW_LOOP,    /* for ever: body */
  FLOW_BREAK,   /* leave the loop, if instr->value is 0 where instr is a BRANCH */
  FLOW_CONTINUE /* on to the next round */
};

struct flow {
  enum flow_kind kind;
  const struct instr *instr;
  const struct flow *body, *other;
  const struct flow *next;
};

/* The statements of instructions first .. end - 1, which no jump enters; `*good`
 * becomes false where their jumps are no nesting of ifs and loops.  NULL: empty. */
const struct flow *flow_of(struct arena *arena, const struct thread *thread, unsigned first, unsigned end, bool *good);

#endif
