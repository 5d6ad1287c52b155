/* SPDX-License-Identifier: MIT */
/* The code of single memory operations, as in LLVM's legalizer tests, in
 * contexts: is each block right, and what of it is needed?
 *
 * A context is a small program in the families' notation (small_program.h) with one
 * operation left out, which the block is put in for.  The others are strong code
 * of the machine's own (every wait, write-back and invalidate that there is), so
 * that nothing but the block can be at fault; a context in which such code in the
 * block's place goes wrong too is not used.  The model says what the program may
 * show.  A block is sound where it shows no more in any context; then each wait,
 * invalidate and write-back is taken out of it, alone, and all that are not needed
 * together.
 *
 * Contexts (legalizer_blocks_contexts.c) have one to four threads and no loops.
 */
#ifndef LITSCOPE_VERIFY_LEGALIZER_BLOCKS_H
#define LITSCOPE_VERIFY_LEGALIZER_BLOCKS_H

#include "checker/compiler/legalizer_tests.h"
#include "checker/verdict/verdict.h"
#include "hwsem/amd/machine.h"
#include "hwsem/explore.h"

/* What a block is for. */
struct block_operation {
  const struct legalizer_function *function;
  bool local;         /* its flat pointer points at local memory, where it could point at either */
  bool scalar;        /* reads through the scalar cache: what no thread writes */
  bool alone;         /* its work-group is one wave: no other thread of a context is in it */
  unsigned arguments; /* where they begin in memory */
};

enum block_answer { BLOCK_SOUND, BLOCK_UNSOUND, BLOCK_VACUOUS /* no program has it */, BLOCK_UNREAD };
const char *block_answer_name(enum block_answer answer);

enum block_need {
  BLOCK_NEEDED,
  BLOCK_NEEDED_BY_VALUE, /* a register is read too early without it; if that is waited for, nothing goes wrong */
  BLOCK_NOT_NEEDED,      /* in any context tried */
  BLOCK_NOTHING          /* waits for what the machine has not */
};
const char *block_need_name(enum block_need need);

/* A wait for one counter, an invalidate or a write-back of a block. */
struct block_element {
  unsigned instr;   /* in its code */
  int counter;      /* of the target; -1: the whole instruction */
  const char *kind; /* "s_waitcnt vmcnt(0)", "buffer_gl0_inv" */
  bool argument;    /* a wait that may be for an argument too */
  bool before;      /* the operation comes after it */
  enum block_need need;
  const char *context; /* that shows the need, with its work-groups */
};

struct block {
  const struct legalizer_function *function;
  unsigned run; /* of the file */
  enum block_answer answer;
  const char *reason;             /* UNREAD, VACUOUS: why */
  struct span span;               /* UNREAD: of the line, where there is one */
  unsigned contexts;              /* in which it was tried */
  bool scalar;                    /* only of memory that does not change */
  const char *context;            /* UNSOUND: the first in which it goes wrong */
  const char *trace;              /* UNSOUND: the run, and what it shows */
  struct block_element *elements; /* none of an unread one */
  unsigned element_count;
  bool together; /* all that is not needed may go at once */
};

struct blocks_options {
  const struct amd_target *targets;
  unsigned target_count;
  bool (*wanted)(void *context, const char *label); /* are blocks for targets of this name asked?  NULL: all are */
  void *context;
  const struct cat_model *model;
  struct enumerate_options check;
  struct explore_options explore;
  struct amd_knobs knobs;
  unsigned workers;
  const struct llc *llc; /* compiles the functions now; NULL: the file's CHECK lines */
};

struct blocks_result {
  struct block *at; /* in the order of the file's functions, and of its runs */
  size_t count;
  size_t contexts;   /* programs that the model was asked about */
  uint64_t explored; /* times that the machine was asked, often about a program again */
  size_t programs;   /* different ones that it was asked about */
  uint64_t states;   /* of all these */
  bool stopped;
};

/* The machine's name for a GPU of LLVM's that orders memory as it does: "gfx1030"
 * for gfx1010.  NULL: it has none. */
const char *blocks_target_name(const char *processor);

/* Asks all blocks of a file.  Everything lives in `arena`.  Those for which the compiler fails are unread, with a
 * diagnostic.  false, with diagnostics: none could be asked. */
bool blocks_verify(struct arena *arena, const struct legalizer *file, const struct blocks_options *options,
                   struct blocks_result *result, struct diags *diags);

#endif
