/* SPDX-License-Identifier: MIT */
/* Sweeps through a family of small programs, cut into parts (base/parts.h).
 *
 * A part is a run of the family's programs, in the order in which they are generated, for one subject: a target, or
 * whatever the programs are tried on.  Every worker goes through the whole family, which is cheap, once for each
 * subject of which it has parts, and tries the programs of the parts that it claims.  How many programs there are is
 * seen at the family's end: a subject has parts for about as many, of which the last may be empty, and the very last
 * has what is left.
 */
#ifndef LITSCOPE_VERIFY_SWEEP_PARTS_H
#define LITSCOPE_VERIFY_SWEEP_PARTS_H

#include <stdio.h>

#include "checker/base/limit.h"
#include "checker/base/parts.h"
#include "checker/small_programs/small_family.h"

struct sweep_cut {
  uint64_t programs; /* of a part */
  uint64_t parts;    /* of a subject */
};

/* Of a family of about so many programs, at least 1; `least`: programs of the smallest part, of a family that is not
 * large.  The same for all who divide the work. */
struct sweep_cut sweep_cut(uint64_t programs, uint64_t least);

struct sweep_work {
  const struct small_family *family;
  /* small_generate, or small_generate_by_shape */
  void (*generate)(const struct small_family *family, bool (*visit)(void *context, const struct small_program *program),
                   void *context);
  struct sweep_cut cut;
  size_t subjects;
  unsigned workers;
  const atomic_int *cancel; /* becomes non-zero to stop soon; NULL: nobody cancels */
  bool whole;               /* a part that was cut is dropped */
  void *context;
  /* What a worker needs, from its thread, and the end of it. */
  void *(*open)(void *context);
  void (*close)(void *worker);
  /* Begins a part; tries a program, with its number in the family; ends the part, and writes what was found. */
  void (*begin)(void *worker);
  void (*try_program)(void *worker, size_t subject, uint64_t index, const struct small_program *program);
  void (*end)(void *worker, FILE *out);
};

/* Does what is to be done here: first all parts of the first subject.  false: it was cancelled; parts that were begun
 * by then are handed in as cut, or dropped. */
bool sweep_parts_run(struct parts *parts, const struct sweep_work *work);

#endif
