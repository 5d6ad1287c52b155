/* SPDX-License-Identifier: MIT */
/* How strong the forms of an operation are (repair_moves.h), compared and weighed. */
#ifndef LITSCOPE_LITMUS_OPERATION_STRENGTH_H
#define LITSCOPE_LITMUS_OPERATION_STRENGTH_H

#include "checker/program/program.h"

/* Of different kinds, neither is stronger. */
enum strength_kind {
  STRENGTH_PLAIN,
  STRENGTH_WAITS, /* a barrier */
  STRENGTH_BOTH,  /* a read-modify-write in place of a load or a store: what else it does may race */
  STRENGTH_UPDATE /* what a load and a store did, at once */
};

/* How strong an instruction is: its order's parts, its scope, its tags, its regions. */
struct form_strength {
  uint64_t parts, tags;
  enum scope scope;
  unsigned regions;
  enum strength_kind kind;
};

/* Is it a barrier, which also waits? */
static inline bool strength_waits(const struct instr *instr) {
  return instr->kind == INSTR_BARRIER || instr->kind == INSTR_MEET;
}

struct form_strength strength_of_instr(const struct instr *instr);

/* The tags of semantics that name a storage class which no access of the program has: nothing is stronger for them. */
tag_set strength_idle_tags(const struct program *program);

/* The parts of an order, and of that of a compare-and-swap that fails. */
uint64_t strength_parts(enum order order, enum order failure);

/* Is `a` at most as strong as `b` in everything? */
bool strength_within(const struct form_strength *a, const struct form_strength *b);

/* Is each as strong as the other? */
bool strength_equal(const struct form_strength *a, const struct form_strength *b);

/* A measure that grows with it, to choose among changes that are equally many. */
unsigned strength_weight(const struct form_strength *strength);

/* What `b` has more than `a`, in the same measure. */
unsigned strength_added(const struct form_strength *a, const struct form_strength *b);

/* In how many respects they differ: order, tags, scope, regions. */
unsigned strength_differences(const struct form_strength *a, const struct form_strength *b);

#endif
