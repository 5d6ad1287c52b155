/* SPDX-License-Identifier: MIT */
/* Families of small programs for compilers, in the notation of notation.h.
 *
 *   2x2   two threads of one or two operations W R U, orders by the operation;
 *         both placements
 *   G2    guarded message passing: A1 A2 | F ! G
 *   M3    chains of three threads and the classic shapes, with mixed scopes,
 *         fences, barriers, local memory
 *   guarded  G2 and M3
 *   FILE  a line for each program: work-groups, TAB, program
 *
 * Names may be joined by commas: 2x2,G2.  In 2x2 no program reads data only once
 * it has seen a flag: what would show a missing invalidate is racy there.
 */
#ifndef LITSCOPE_VERIFY_FAMILIES_H
#define LITSCOPE_VERIFY_FAMILIES_H

#include "checker/base/arena.h"
#include "checker/base/diag.h"

struct family_program {
  const char *kind;   /* of M3; NULL */
  const char *groups; /* "0,0,1" */
  const char *text;
};

struct family {
  const char *name;
  bool from_file;
  struct family_program *at;
  size_t count, room;
};

/* Is this the name of one, or of a file of programs? */
bool family_known(const char *name);

/* The family's programs.  false, with diagnostics, for a file that cannot be
 * read or a line that is no program. */
bool family_load(struct arena *arena, const char *name, struct family *family, struct diags *diags);

/* Does a program do something only where it has read a value, so that accesses to
 * ordinary memory behind a flag have no race? */
bool family_is_guarded(const struct family_program *program);

/* Which of two programs is smaller: fewer operations, then the order of their
 * texts; as qsort's. */
int family_compare(const struct family_program *a, const struct family_program *b);

#endif
