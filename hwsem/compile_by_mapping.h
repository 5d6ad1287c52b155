/* SPDX-License-Identifier: MIT */
/* The compiler: a program and a mapping to instructions of the machine.
 *
 * Each operation becomes the steps of its cell; control flow and arithmetic on
 * registers stay as they are.  A compare-and-swap whose expected value is in
 * memory becomes an ordinary load of it, then the operation (and, when the
 * program asks for it, a branch and an ordinary store on failure).
 */
#ifndef LITSCOPE_HWSEM_COMPILE_BY_MAPPING_H
#define LITSCOPE_HWSEM_COMPILE_BY_MAPPING_H

#include "hwsem/mapping.h"

struct hw_instr {
  enum hw_op op;
  enum hw_level level; /* as in struct mapping_step */
  enum hw_target target;
  bool posted;

  unsigned source;          /* instruction of the program's thread that it comes from */
  bool first;               /* the first of its operation */
  bool atomic;              /* the operation has a memory order */
  int reg;                  /* LD, RMW, ASSIGN: destination, or NO_REG */
  struct address address;   /* LD, ST, RMW, LOCK_LINE */
  const struct expr *value; /* ST, RMW (operand), ASSIGN, BRANCH: condition */
  unsigned destination;     /* BRANCH (if value == 0), JUMP: instruction index */

  /* RMW */
  bool cas;               /* else `function` */
  bool weak, returns_old; /* CAS: as in struct instr */
  enum rmw_op function;
  struct width width;          /* of what the function gives */
  const struct expr *expected; /* CAS */
  int old_reg;                 /* CAS: also receives the value read; NO_REG: none */

  int meeting; /* MEET: barrier label, -1: none */
};

struct hw_thread {
  const struct thread *thread; /* name, place, names of registers */
  unsigned instr_count;
  struct hw_instr *instrs;
  unsigned reg_count; /* the thread's own, then temporaries */
  const int64_t *reg_init;
};

struct hw_program {
  const struct program *program;
  const struct mapping *mapping;
  unsigned thread_count;
  struct hw_thread *threads;
  bool system; /* some instruction reaches beyond one device's caches: an L2 must be modelled */
};

/* Compiles.  An operation without a cell, or a program the machine has no
 * instructions for, adds a diagnostic and gives NULL. */
struct hw_program *compile_program(struct arena *arena, const struct program *program, const struct mapping *mapping,
                                   struct diags *diags);

/* What the mapping is asked for an instruction; false: it is not an access,
 * fence or barrier.  A C program's operations have no scope: they are taken for
 * the device's, or the system's when the program has several devices. */
bool compile_key(const struct program *program, const struct instr *instr, struct mapping_key *key);

/* One instruction with operands, such as `LD r0 y` or `FLU_L1 DV`. */
void hw_instr_print(const struct hw_program *program, const struct hw_thread *thread, const struct hw_instr *instr,
                    FILE *out);

/* The whole program as `litscope compile` prints it: a heading for each thread,
 * an instruction a line, the source operation as a comment. */
void hw_program_print(const struct hw_program *program, FILE *out);

/* Has it an invalidation that is posted? */
bool hw_program_posts(const struct hw_program *program);

#endif
