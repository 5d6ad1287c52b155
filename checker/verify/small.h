/* SPDX-License-Identifier: MIT */
/* Small programs in a notation of their own, and all of them of a size.
 *
 *     Wxn1 Wyd2|Ryd ! Rxn
 *
 * W store, R load, U fetch_add; then the location; then how far: n ordinary, w
 * work-group, d device, D device remote, s all devices, S all devices remote;
 * then the value stored or added.  Atomic loads acquire, stores release, the
 * others do both.  `|` separates threads, `!` guards the rest of its thread: it
 * runs only if what was read last is not 0 (`=`: is 0).
 */
#ifndef LITSCOPE_VERIFY_SMALL_H
#define LITSCOPE_VERIFY_SMALL_H

#include "checker/litmus/litmus.h"

enum { SMALL_THREADS = 4, SMALL_OPS = 6, SMALL_LOCATIONS = 6 };

struct small_op {
  char kind;  /* 'W', 'R', 'U' */
  char scope; /* 'n', 'w', 'd', 'D', 's', 'S' */
  char guard; /* before it: '!', '=', or 0 */
  uint8_t location;
  int value;
};

struct small_program {
  unsigned threads;
  unsigned count[SMALL_THREADS];
  struct small_op ops[SMALL_THREADS][SMALL_OPS];
  uint8_t wg[SMALL_THREADS]; /* of each thread */
  uint8_t dev[SMALL_THREADS];
};

/* Reads the notation; every thread in its own work-group of one device.  false:
 * it is not well formed. */
bool small_parse(const char *text, struct small_program *program);

void small_print(const struct small_program *program, FILE *out);

/* The placement, as `wg 0,1 dev 0,0`. */
void small_print_place(const struct small_program *program, FILE *out);

unsigned small_size(const struct small_program *program); /* operations */

/* The program as a test that observes every register and location.  Registers
 * that are read under a guard start at -1. */
struct litmus_test *small_test(struct arena *arena, const struct small_program *program);

/* A generated program as an OpenCL test whose condition always holds and that
 * observes every register and every location that is not local. */
struct litmus_test *small_wrap(struct arena *arena, struct program *program, const char *name);

/* Does it use system scope, or several devices? */
bool small_is_wide(const struct small_program *program);

struct small_family {
  unsigned threads, ops; /* each thread has 1 .. ops operations */
  bool guarded;          /* also with everything after a thread's first operation guarded, where that reads */
  unsigned devices;      /* 1 or 2; 2 adds system scope, and threads on two devices */
};

/* Visits every program of the family once up to renaming of threads, locations
 * and values: locations (two at most) in the order of first use; threads of
 * equal length are not told apart; threads share locations; values by reading
 * order; every placement.  `visit` returns false to stop. */
void small_generate(const struct small_family *family,
                    bool (*visit)(void *context, const struct small_program *program), void *context);

#endif
