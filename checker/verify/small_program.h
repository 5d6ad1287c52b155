/* SPDX-License-Identifier: MIT */
/* Small programs in a notation of their own, and the tests that they are.
 *
 *     Wxn1 Wyd2|Ryd ! Rxn
 *
 * W store, R load, U fetch_add, F fence; then the location, but for a fence; then
 * how far: n ordinary, w work-group, q queue family (Vulkan), d device, D device
 * remote, s all devices, S all devices remote, a atomic in a language without
 * scopes; then the order where it is not the usual one: r relaxed, c seq_cst; then
 * the value stored or added.  Usually atomic loads acquire, stores release, the
 * others do both.  `|` separates threads, `!` guards the rest of its thread: it
 * runs only if what was read last is not 0 (`=`: is 0).  `&` before an operation: its
 * address depends on what was read last; `^`: the value stored does.
 */
#ifndef LITSCOPE_VERIFY_SMALL_PROGRAM_H
#define LITSCOPE_VERIFY_SMALL_PROGRAM_H

#include "checker/litmus/litmus.h"

enum { SMALL_THREADS = 4, SMALL_OPS = 6, SMALL_LOCATIONS = 6 };

struct small_op {
  char kind;       /* 'W', 'R', 'U', 'F' */
  char scope;      /* of SMALL_SCOPES */
  char order;      /* 'r', 'c', or 0: the usual one */
  char guard;      /* before it: '!', '=', or 0 */
  char dependency; /* on what was read last: '&', '^', or 0; families have none */
  uint8_t location;
  int value;
};

/* Letters of scopes, inner to outer, each remote one behind its plain one. */
#define SMALL_SCOPES "nawqdDsS"

struct small_program {
  enum litmus_language language;
  unsigned threads;
  unsigned count[SMALL_THREADS];
  struct small_op ops[SMALL_THREADS][SMALL_OPS];
  uint8_t wg[SMALL_THREADS];  /* of each thread */
  uint8_t dev[SMALL_THREADS]; /* in Vulkan its queue family */
};

/* Reads the notation; every thread in its own work-group of one device.  false:
 * it is not well formed. */
bool small_parse(const char *text, struct small_program *program);

void small_print(const struct small_program *program, FILE *out);

/* The placement, as `wg 0,1 dev 0,0`. */
void small_print_place(const struct small_program *program, FILE *out);

/* Reads what that printed, for a program that has its threads; what follows is not
 * looked at. */
bool small_parse_place(const char *text, struct small_program *program);

unsigned small_size(const struct small_program *program); /* operations */

/* Does an operation's address or value depend on what was read? */
bool small_has_dependencies(const struct small_program *program);

/* The program as a test of its language that observes every register and
 * location.  Registers that are read under a guard start at -1. */
struct litmus_test *small_test(struct arena *arena, const struct small_program *program);

extern const char *const small_location_names[SMALL_LOCATIONS];

/* A generated program as an OpenCL test whose condition always holds and that
 * observes every register and every location that is not local. */
struct litmus_test *small_wrap(struct arena *arena, struct program *program, const char *name);

/* Does it use system scope, or several devices? */
bool small_is_wide(const struct small_program *program);

#endif
