/* SPDX-License-Identifier: MIT */
/* Loops that poll one location: executions that differ only in how often a round
 * fails in vain are found once and multiplied.
 *
 * Each round of such a loop is one load without side effects, after or before the
 * condition to leave.  Where a round fails and the next sees the same write, the
 * second is left out, as in spin_leave_out_repeated.h; an execution with m failed rounds that are
 * left stands for the C(n, m) with these m and up to n in all, n being what
 * -unroll allows: each of the m is followed by any number of rounds like it.
 *
 * This counts right where an execution is consistent just if it is with such a
 * round B left out, after A, and raises the same flags.  That a model says no more
 * of E, with B, than of E', without: map B's load to A's.  rf, co and fr of B's are
 * those of A's, and program order from A to B becomes nothing at all.
 *  - `sc`: a cycle of E becomes one of E' (not only from A to B, where nothing goes
 *    back).
 *  - `rc11`: hb of E becomes hb of E', but between A and B.  hb ; eco? that goes
 *    through these two alone would have eco go from B to A, both of which see one
 *    write.  Edges of psc become edges of psc, but from A to B, where they vanish:
 *    a fence before A, and hb from A to B, is a fence before A in sb, or before a write that
 *    A sees, which is hb within the location.  sb | rf as for sc.  What leaves B
 *    leaves along sb, so that it races if A does.
 * And for E' nothing is there that is not in E.  Two loads in a round would not do:
 * the first of B must still see what its first in A saw.  Other models are not asked to be so
 * (an SC fence of one region before a load of the other matters to opencl's), and
 * what users bring can say anything: there every execution is tried. */
#ifndef LITSCOPE_EXEC_LOOPS_SPIN_MULTIPLY_EXECUTIONS_H
#define LITSCOPE_EXEC_LOOPS_SPIN_MULTIPLY_EXECUTIONS_H

#include "checker/base/arena.h"
#include "checker/cat/cat.h"
#include "checker/program/program.h"

/* Is it so for this model? */
bool spin_count_multiplies(const struct cat_model *model);

/* By instruction: does it jump back to the head of such a loop? */
const bool *spin_count_find(struct arena *arena, const struct thread *thread);

/* C(rounds, failed), times what there was; POLLS_TOO_MANY where it is that or more. */
#define POLLS_TOO_MANY ((uint64_t)1 << 62)
uint64_t spin_count_ways(uint64_t ways, unsigned rounds, unsigned failed);
uint64_t spin_count_product(uint64_t a, uint64_t b);

#endif
