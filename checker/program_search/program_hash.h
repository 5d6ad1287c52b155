/* SPDX-License-Identifier: MIT */
/* Programs that are equal up to the names of threads, locations, registers and places. */
#ifndef LITSCOPE_PROGRAM_SEARCH_PROGRAM_HASH_H
#define LITSCOPE_PROGRAM_SEARCH_PROGRAM_HASH_H

#include "checker/program/program.h"

/* The same for such programs; of more than four threads the order counts, and of more than 64 it is 0. */
uint64_t program_hash(const struct program *program);

enum { MOST_ORDERED = 4 };

/* Gives every order of `count` threads, at most MOST_ORDERED; `order` goes up to that, with the other numbers after.
 */
void thread_orders_visit(unsigned count, void (*take)(void *context, const unsigned *order), void *context);

/* Of what an instruction says, but for its names and values. */
uint64_t instruction_hash(const struct instr *instr);

#endif
