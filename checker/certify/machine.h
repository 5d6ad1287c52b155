/* SPDX-License-Identifier: MIT */
/* Machines, a small step at a time, without a reduction of any kind: sc (machine_sc.c), in
 * which threads take turns on one memory, and gpu (machine_gpu.c), with its caches, queues
 * and locks.  A state is a row of words.  What is asked of them (check_machine.c): can a run
 * be followed step by step, and which states are reached at all?
 */
#ifndef LITSCOPE_CERTIFY_MACHINE_H
#define LITSCOPE_CERTIFY_MACHINE_H

#include "checker/certify/certificate.h"

enum { MOST_WORDS = 600 };

/* A step by its name: who does it, and what to. */
enum step_word { S_THREAD, S_FAIL, S_MEET, S_WB1, S_WB2, S_FETCH1, S_FETCH2 };
struct step {
  enum step_word word;
  unsigned agent, detail;
  mask movers; /* sc: threads that it moves */
};

struct machine;

/* Receives successors. */
struct steps {
  void (*take)(struct steps *steps, struct step step, const int64_t *next);
};

struct machine {
  const char *name;
  const struct program *program;
  unsigned words; /* of a state */
  void (*initial)(const struct machine *m, int64_t *state);
  void (*successors)(const struct machine *m, const int64_t *state, struct steps *steps);
  /* Threads that have not ended; and is all done, with nothing pending? */
  mask (*running)(const struct machine *m, const int64_t *state);
  bool (*final)(const struct machine *m, const int64_t *state);
  int64_t (*observe)(const struct machine *m, const int64_t *state, const struct observed *what);
};

/* (machine sc NAME) | (machine gpu NAME ...): machine_gpu.c has its grammar. */
const struct machine *sc_machine(const struct program *program);
const struct machine *gpu_machine(const struct program *program, const struct item *list);

/* The value of an expression over registers. */
int64_t value_of_registers(const struct expr *e, const int64_t *registers);

/* The cell of an access; -1: it lies outside its array. */
int cell_at(const struct program *p, const struct cell *cell, const int64_t *registers);

/* What a read-modify-write that is no compare-and-swap writes. */
int64_t updated(const struct instr *in, int64_t old, int64_t operand);

/* Checks what a certificate claims of a machine; false: it claims nothing. */
bool check_machine(struct certificate *c, const struct item *items);

#endif
