/* SPDX-License-Identifier: MIT */
/* A test's kernel as text, in any language of devices.
 *
 * kernel_writer.c writes what all languages share: the loop over the steps of a launch,
 * who plays which part of which instance, meeting, registers, control flow,
 * expressions, results.  A dialect says how the rest is spelt.  Its prelude
 * declares, for kernel_writer.c to use,
 *
 *     cells[], locals[]        locations, by index; in a C these are atomic
 *     plain[], plain_locals[]  the same for ordinary accesses
 *     results[], deal[], places[], params[]      results and tables: hosts/tables.h
 *     gather(item)                               all testing groups wait a while until all of them have begun
 *     meet(at, parts, patience)                  the spin barrier of an instance's parts; the next one's patience
 *     warm(seed, count)                          stress before an instance
 *     strain(group), finish(item)                what stressing groups do, and when a testing group is through
 *     within(index, size), quotient(), rest(), shift_left(), shift_right()    operators that must not trap
 *
 * and opens the kernel.
 */
#ifndef LITSCOPE_DEVICE_KERNEL_WRITER_H
#define LITSCOPE_DEVICE_KERNEL_WRITER_H

#include "checker/device/layout.h"

struct kernel_options {
  const char *name;           /* the test's, for comments */
  unsigned lanes;             /* instances side by side in a work-group */
  unsigned cluster;           /* work-items of a sub-group, where threads are to be placed in them; else 0 */
  bool narrow, narrow_fences; /* all-devices scope is written as device scope, of operations, of fences and barriers */
};

/* An access ready to be spelt. */
struct kernel_access {
  const struct instr *instr;
  const char *cell;  /* `cells[at_x]` */
  const char *value; /* text of the operand */
  const char *type;  /* of the cell */
  bool local;
  bool wide;
  enum order order, failure; /* as operations of this kind have them */
  enum scope scope;
};

struct dialect {
  const char *name;         /* "opencl" */
  const char *value[2];     /* type of values: of 32 bits, of 64 */
  const char *index;        /* type of indices */
  const char *opaque;       /* the same, of a variable whose value the compiler is not to follow; NULL: as `index` */
  const char *truth;        /* makes a number of a comparison; "": it is one */
  bool typed_names;         /* WGSL: `var x: i32 = 0;` and `select(b, a, c)` */
  const char *group, *item; /* number of the work-group, of the work-item in it */

  /* Adds errors for what the language cannot say; NULL: it has words for all. */
  void (*refuse)(const struct layout *layout, struct diags *diags);
  void (*prelude)(const struct layout *layout, const struct kernel_options *options, FILE *out);
  /* How an atomic operation begins: a load or a store, up to its cell, and, up to its operands' end, a
   * read-modify-write, whose value is the old one; and how all end, with their orders and scopes. */
  const char *load, *store;
  void (*rmw)(const struct kernel_access *access, FILE *out);
  void (*strength)(const struct kernel_access *access, FILE *out);
  /* Statements that compare with the variable `wanted` and declare `old`, the
   * value read, and `done`, whether it was exchanged. */
  void (*swap)(const struct kernel_access *access, const char *indent, FILE *out);
  void (*fence)(const struct kernel_access *access, FILE *out);                /* a statement, without `;` */
  void (*barrier)(const struct instr *barrier, const char *indent, FILE *out); /* statements */
  const char *join; /* statements: the items of a group meet, and see each other's writes to local memory */
  bool mixed;       /* ordinary accesses to atomic locations are possible */
  bool spelled;     /* ordinary accesses are spelt as atomic ones are, with a word of their own */
};

/* The kernel's text.  NULL, with errors, where the language has no words for it. */
const char *kernel_write(struct arena *arena, const struct layout *layout, const struct dialect *dialect,
                         const struct kernel_options *options, struct diags *diags);

/* Work-items of a work-group. */
unsigned kernel_items(const struct layout *layout, const struct kernel_options *options);

/* Lanes where nobody chose them: 32, or as many as a work-group of so many work-items has room for. */
unsigned kernel_lanes(const struct layout *layout, unsigned most_items);

/* Is a location touched by some atomic operation? */
bool kernel_atomic(const struct layout *layout, unsigned location);

/* "relaxed", "acquire", ... as most languages write them. */
const char *kernel_order(enum order order);

/* "device", "work_item", ...: words that macros of preludes paste. */
const char *kernel_scope(enum scope scope);

extern const struct dialect dialect_opencl, dialect_cuda, dialect_ptx, dialect_hip, dialect_vulkan, dialect_webgpu,
    dialect_c;

#endif
