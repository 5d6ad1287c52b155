/* SPDX-License-Identifier: MIT */
/* The interpreter of threads, for machines whose registers hold numbers: expressions, addresses, jumps, and what each
 * access of an instruction does to a cell and to registers.
 *
 * Memory is the machine's own.  It asks which location a thread's next access is of, finds the location's cell wherever
 * it keeps that (a word, a line of a cache, the home of a line), and has the access made there.  Between accesses a
 * thread stands at a place, in a stage of its instruction, with the value that it holds: machines keep the three in
 * their states.
 *
 * exec/paths/ goes over the same instructions with symbolic values, and certify/ by itself.
 */
#ifndef LITSCOPE_PROGRAM_INTERPRETER_H
#define LITSCOPE_PROGRAM_INTERPRETER_H

#include "checker/program/program.h"

/* The value of an expression; `get` reads a register. */
typedef int64_t register_get(const void *registers, unsigned reg);
int64_t expr_evaluate(const struct expr *e, register_get *get, const void *registers);

/* The location that an address names where its index has this value (of any, if it has none); -1: outside its array. */
int address_locate(const struct address *address, int64_t index);

/* Accesses of a compare-and-swap that keeps what it expects in memory: its read, the operation, and the write of what
 * was found, where it failed.  Other instructions are in the first stage; a machine has a thread in STAGE_WAITING at a
 * barrier that it has reached. */
enum thread_stage { STAGE_FIRST, STAGE_OPERATION, STAGE_WRITE_BACK, THREAD_STAGES, STAGE_WAITING = STAGE_OPERATION };

/* A thread between two accesses. */
struct thread_run {
  const struct program *program;
  const struct thread *thread;
  int64_t *registers;
  unsigned place; /* its instruction; instr_count: it has ended */
  enum thread_stage stage;
  int64_t held; /* between the accesses of an instruction; else 0 */
};

int64_t thread_evaluate(const struct thread_run *t, const struct expr *e);

/* The instruction that the thread is at; NULL: it has ended. */
const struct instr *thread_instr(const struct thread_run *t);

/* Its next access, of what is written and read at once where it is ATOMIC; NONE: the instruction is no access. */
enum access_kind { ACCESS_NONE, ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };
struct thread_access {
  enum access_kind kind;
  int location; /* no alias; -1: outside its array */
};
struct thread_access thread_access(const struct thread_run *t);

/* Makes the next access at its cell (NULL: outside, so that nothing is read or written) and goes on.  `fails`: a weak
 * compare-and-swap fails though equal. */
void thread_perform(struct thread_run *t, int64_t *cell, bool fails);

/* An ATOMIC access in two: what it writes over `old`, and what the thread does once it has read that. */
int64_t thread_written(const struct thread_run *t, int64_t old, bool fails);
void thread_deliver(struct thread_run *t, int64_t old, bool fails);

/* Goes past an instruction that is no access, or whose accesses others make: sets a register, jumps (over a kernel's
 * body, at a CALL), or goes on to the next. */
void thread_pass(struct thread_run *t);

#endif
