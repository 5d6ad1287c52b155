/* SPDX-License-Identifier: MIT */
/* What the parts of legalizer_blocks.h share: contexts, strong code, and cases for the machine. */
#ifndef LITSCOPE_VERIFY_LEGALIZER_BLOCKS_INTERNAL_H
#define LITSCOPE_VERIFY_LEGALIZER_BLOCKS_INTERNAL_H

#include "checker/base/vec.h"
#include "checker/compiler/amd_code.h"
#include "checker/litmus/litmus.h"
#include "checker/program/outcome.h"
#include "checker/verify/legalizer_blocks.h"

enum { BLOCK_TARGETS = 32, STANDS_YES = 1, STANDS_NO };

/* A program with a hole. */
struct block_context {
  const char *text; /* of the program, with what the hole is for */
  const char *name; /* of the pattern */
  unsigned hole;    /* which operation, in the order of the text */
  bool succeeds;    /* a compare-exchange expects what the others write to its location, else 0 */
  const struct legalizer_function *function; /* one that the hole is for */
  const struct litmus_test *test;
  const struct instr *operation; /* the hole's */
  struct outcomes allowed;
  bool usable;                                 /* the model gives it a meaning */
  _Atomic unsigned char stands[BLOCK_TARGETS]; /* whether strong code is right there, once it was asked: by target */
};

/* Contexts by operation; two operations may share some. */
struct block_contexts {
  struct arena *arena;
  VEC(struct block_context *) all;
};

typedef VEC(struct block_context *) block_context_list;

/* Adds those for an operation to `list`; `has_local`: where there is local memory. */
void block_contexts_for(struct block_contexts *contexts, const struct block_operation *op, bool has_local,
                        block_context_list *list);

/* Asks the model about all. */
void block_contexts_judge(struct block_contexts *contexts, const struct blocks_options *options);

/* Strong code of a target for the operations of contexts, on locations of 1, 2, 4 or 8 bytes; read-modify-writes are
 * exchanges, additions and `op`. */
struct strong_code;
struct strong_code *strong_code_new(struct arena *arena, const struct amd_target *target, const struct amd_knobs *knobs,
                                    unsigned bytes, enum rmw_op op, struct diags *diags);

/* Is it such code? */
bool strong_code_is(const struct strong_code *code, unsigned bytes, enum rmw_op op);

/* Code for an instruction on a location of a region (private: loads and stores); `waits`: for what it
 * reads.  Its location is in s[0:1], or v0 where it is not global; its value in v6; a compare-exchange has the new
 * value in v2 and the expected one in v3.  Those of 64 bits are in v[6:7], v[2:3] and v[4:5]. */
const struct amd_code *strong_code_for(const struct strong_code *code, const struct instr *instr, enum region region,
                                       bool waits);

/* What the machine has shown of programs: a block without an instruction often is the program that another one, or the
 * block itself, was in the same context.  Workers share it. */
struct block_memo;
struct block_memo *block_memo_new(void);
void block_memo_free(struct block_memo *memo);
/* How many programs these are, and the states of all. */
uint64_t block_memo_states(const struct block_memo *memo, size_t *programs);

/* A block in a context. */
struct block_case {
  struct arena *arena;
  const struct block_operation *op;
  const struct amd_target *target;
  const struct strong_code *strong, *own; /* own: for the block's location */
  const struct block_context *context;
  const struct amd_code *code;      /* in the hole; NULL: strong code there too */
  bool waits_for_values;            /* what the code reads is waited for where it is used, if not before */
  struct block_memo *memo;          /* NULL: the machine is asked in any case */
  const struct location *locations; /* of the machine's program, once that is made */
  unsigned location_count;
};

enum run_answer { RUN_FINE, RUN_BEYOND, RUN_HAZARD, RUN_REFUSED };

struct block_run {
  enum run_answer answer;
  const char *message; /* REFUSED */
  bool cut;            /* REFUSED: by a limit, or an interrupt */
  struct span span;
  const char *trace; /* wanted, and BEYOND or HAZARD */
};

/* Asks the machine: with one L2, and where there may be two, with two.  What is said lives in
 * `kept`; the run is described where that is the case's own arena. */
void block_run(struct block_case *b, const struct blocks_options *options, struct explorer *explorer,
               struct arena *kept, struct block_run *run);

#endif
