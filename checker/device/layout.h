/* SPDX-License-Identifier: MIT */
/* How a test sits on a device: the intermediate that every emitter reads.
 *
 * A *part* is one work-group of the test with its threads, the *members*.  One
 * launch runs many *instances* of the test: its work-groups are dealt parts, and
 * an instance's parts lie in different work-groups as the scope tree says.  Side
 * by side in one work-group run as many instances as there are *lanes*.  Each
 * instance has cells of its own for the test's global locations and one more, at
 * which its parts meet; local locations are copied for each lane.
 *
 * Threads are cut into *phases* at their barriers, since a barrier of a device
 * must be one statement that all work-items come to.
 */
#ifndef LITSCOPE_DEVICE_LAYOUT_H
#define LITSCOPE_DEVICE_LAYOUT_H

#include "checker/program/outcome.h"
#include "checker/program/program.h"

/* Where a thread sits. */
struct layout_thread {
  unsigned part, member; /* member: index among the part's threads */
  unsigned cluster;      /* sub-group within the part */
  unsigned *barriers;    /* instruction indices, ascending */
  unsigned barrier_count;
  bool conditional; /* its only barrier is under a condition: the thread comes to it all the same */
};

struct layout_part {
  unsigned members;
};

/* A register whose last value is reported. */
struct layout_result {
  unsigned thread, reg;
};

/* Is it the low 32 bits of a register, `a->a`, with their sign?  Of one of 32 bits that is the register itself. */
static inline bool expr_is_low_word(const struct expr *e) {
  const struct expr *left = e->kind == EXPR_SHR ? e->a : NULL;
  return left && left->kind == EXPR_SHL && left->a->kind == EXPR_REG && e->b->kind == EXPR_CONST && e->b->value == 32 &&
         left->b->kind == EXPR_CONST && left->b->value == 32;
}

struct layout {
  const struct program *program;
  struct layout_thread *threads;
  struct layout_part *parts;
  unsigned part_count;
  unsigned members;              /* of the largest part */
  unsigned barrier_count;        /* most of any thread */
  const struct instr **barriers; /* those of all threads, joined */
  bool clustered;                /* some two threads share a sub-group: placed so on devices that have them */
  bool apart;                    /* some two threads of a part are to be in different sub-groups */
  const char *wide;              /* what needs values of 64 bits at first, or the thread that does; NULL: nothing */
  const struct instr *widens;    /* the instruction of the thread */
  bool worded;                   /* operations have tags, which the dialect has words for (layout_keep_words) */
  int *cell;                     /* by location: index among the global cells, or -1 */
  int *local;                    /* by location: index among a lane's local cells, or -1 */
  unsigned cell_count, local_count;
  struct layout_result *results; /* by thread, then register */
  unsigned result_count;
  /* What the device must offer, one bit for each enum order and enum scope. */
  unsigned orders, scopes, fence_orders, fence_scopes;
  bool narrowest; /* some atomic operation has work-item scope, which languages of devices do not have */
};

/* Plans a program of the OpenCL, C or HSA front end.  What cannot run on a
 * device (remote operations, several devices, local memory shared between
 * work-groups, barriers under conditions) adds errors, and NULL is returned; so do
 * operations with tags, unless `worded`.  All lives in `arena`. */
struct layout *layout_new(struct arena *arena, const struct program *program, bool worded, struct diags *diags);

/* Whose words operations keep: none but orders and scopes, Vulkan's in GLSL, PTX's in CUDA. */
enum layout_words { WORDS_NONE, WORDS_VULKAN, WORDS_PTX };

/* A program of the front end of Vulkan or of PTX as in kernels, each operation with its words as tags: barriers
 * are work-groups', and in Vulkan a location's region is the storage class by which it is accessed.  What kernels
 * cannot say adds errors, and NULL is returned. */
struct program *layout_keep_words(struct arena *arena, const struct program *program, enum layout_words words,
                                  struct diags *diags);

/* The program with remote operations made ordinary ones (-drop-remote);
 * `dropped` becomes their number. */
struct program *layout_drop_remote(struct arena *arena, const struct program *program, unsigned *dropped);

/* The program with all its work-groups on one device (-one-device), whose scopes
 * then include more; `moved` becomes the number of threads that were on other
 * devices than the first. */
struct program *layout_one_device(struct arena *arena, const struct program *program, unsigned *moved);

/* The program with every atomic operation relaxed and without fences: a fault
 * that running must find (-mutate relaxed). */
struct program *layout_relax(struct arena *arena, const struct program *program);

/* An order that an operation of this kind can have: an acquire store is a
 * relaxed one, consume is acquire. */
enum order layout_load_order(enum order order);
enum order layout_store_order(enum order order);

/* The first fence, or else the first atomic operation, with one of these orders there, a bit each; NULL: none. */
const struct instr *layout_ordered(const struct layout *layout, bool fence, unsigned orders);

/* The first thread that may access the location; thread_count: none does, which the condition may name all the same. */
unsigned layout_first_user(const struct program *program, unsigned location);

/* Where an observable of the test is among the values that an instance leaves:
 * results, then local cells, then global ones. */
unsigned layout_place(const struct layout *layout, struct observable what);

#endif
