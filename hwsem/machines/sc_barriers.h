/* SPDX-License-Identifier: MIT */
/* Control barriers of one event (INSTR_MEET) on machine sc: what has been reached,
 * and who may pass.  Each such instruction of the program has a slot of two words
 * in the state: whether it has been reached, and the value that its resource had
 * then (of the last time, in a loop).
 */
#ifndef LITSCOPE_HWSEM_MACHINES_SC_BARRIERS_H
#define LITSCOPE_HWSEM_MACHINES_SC_BARRIERS_H

#include "checker/base/arena.h"
#include "checker/program/program.h"

enum { MEET_WORDS = 2 };

struct meet_slot {
  unsigned thread, instr;
};

struct meets {
  const struct program *program;
  struct meet_slot *slots;
  unsigned count;
};

/* The slots of a program's instructions, in `arena`. */
struct meets meets_of(struct arena *arena, const struct program *program);

/* Notes in the slots' words that a thread has reached an instruction whose
 * resource has a value (0 where it has none). */
void meets_reach(const struct meets *meets, int64_t *words, unsigned thread, unsigned instr, int64_t resource);

/* May a thread that has reached an instruction pass?  `quorum`: its value, where
 * the instruction has one. */
bool meets_pass(const struct meets *meets, const int64_t *words, unsigned thread, unsigned instr, int64_t quorum);

/* The instruction's slot has been reached. */
bool meets_reached(const struct meets *meets, const int64_t *words, unsigned thread, unsigned instr);

#endif
