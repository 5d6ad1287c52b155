/* SPDX-License-Identifier: MIT */
/* A thread's instructions as statements of a language of devices: what kernels
 * that run many instances (kernel_writer.c) share with those that only compile one
 * thread (checker/compiler/clang_source.c).
 */
#ifndef LITSCOPE_DEVICE_STATEMENTS_H
#define LITSCOPE_DEVICE_STATEMENTS_H

#include "checker/device/kernel_writer.h"

struct statements {
  struct arena *arena;
  const struct program *program;
  const struct dialect *dialect;
  /* A location as something to access: `cells[at_x]`.  `plain`: without atomics,
   * in languages in which atomic locations are of another type. */
  const char *(*cell)(const struct statements *w, const struct address *address, bool plain);
  const char *(*cell_type)(const struct statements *w, const struct address *address); /* NULL: all are values */
  const struct layout *layout; /* of the launch; NULL: of a thread alone */
  const struct kernel_options *options;
  bool wide, narrow, narrow_fences; /* struct layout, struct kernel_options */
  bool jumps;                       /* the language has goto, for those that do not nest */
  bool lines;                       /* tell the compiler each statement's line in the test */
  const struct thread *thread;      /* the one being written */
  unsigned index;                   /* its number */
  unsigned line;                    /* of the statement, where `lines` */
  struct counted counted;           /* up to it */
  unsigned depth;
  FILE *out;
};

/* Instructions first .. end - 1, which no jump enters. */
void statements_write(struct statements *w, unsigned first, unsigned end);

/* The same as blocks by number, for jumps that do not nest; `block` is the
 * variable of the next one (statements_block). */
void statements_blocks(struct statements *w, unsigned first, unsigned end, const char *block);
const char *statements_block(const struct statements *w, unsigned thread);
const char *statements_block_type(const struct statements *w);

void statements_store(const struct statements *w, const struct instr *instr);
void statements_barrier(const struct statements *w, const struct instr *instr);

/* An ordinary load, and an expression, as text. */
const char *statements_plain_load(const struct statements *w, const struct address *address);
const char *statements_expression(const struct statements *w, const struct expr *e);

/* Begins a line. */
FILE *statements_line(const struct statements *w);

/* `int name = `, or what the language has for it. */
void statements_declare(const struct statements *w, const char *type, const char *name);
const char *statements_value_type(const struct statements *w);
const char *statements_register(const struct statements *w, unsigned thread, unsigned reg);
const char *statements_location(const struct statements *w, unsigned location);

bool statements_local(const struct statements *w, const struct address *address);

/* Is a location touched by some atomic operation? */
bool statements_atomic(const struct program *program, unsigned location);

#endif
