/* SPDX-License-Identifier: MIT */
/* Threads that are alike: one execution for all in which they have changed places.
 *
 * Two threads with the same code and initial registers, in places of the scope tree that are
 * exchanged without moving anybody else, and at whose registers nobody looks, can be exchanged in any
 * execution; models know threads by relations among them alone.  Of the executions that come from one another so, one
 * is tried, and counted for all.
 *
 * Which one?  A thread that writes is known by its first write: the location, and among the first writes
 * to one location co, which is total.  A thread that does not is known by its path and by what its reads see, since
 * nobody sees anything of it.  Let the threads that write come first, by location and co, and then the others,
 * by path and sources.  Each execution is brought to this form by some exchange; two exchanges do so only if they
 * differ in threads that do not write and do the same.  So k such threads, of which m1, m2, ... are
 * the same, have k! / (m1! m2! ...) executions (orbit and stabiliser).
 *
 * What is known of a beginning is enough to drop it: first writes stay first.
 *
 * Where no two threads are alike, all may be so in a ring: each has the code of the one before with other
 * locations, such as its own element of an array and its neighbour's, and nobody looks at those. If
 * every path of theirs comes to a write of one location, that of thread 0 is the first of these, which is so for one of
 * as many executions as there are threads.
 */
#ifndef LITSCOPE_EXEC_SEARCH_THREAD_SYMMETRY_H
#define LITSCOPE_EXEC_SEARCH_THREAD_SYMMETRY_H

#include "checker/exec/search/partial_candidate.h"
#include "checker/litmus/litmus.h"

struct symmetry;

/* The classes of a test, or its ring; NULL: there are none. */
const struct symmetry *symmetry_find(struct arena *arena, const struct litmus_test *test);

/* How many classes there are, and the threads of one, ascending. */
unsigned symmetry_classes(const struct symmetry *symmetry);
const unsigned *symmetry_threads(const struct symmetry *symmetry, unsigned class, unsigned *count);

/* The location whose first write is thread 0's, where threads are alike in a ring; -1: they are not. */
int symmetry_turning(const struct symmetry *symmetry);

/* May threads that have run so far be in that order? */
bool symmetry_may_stand(const struct symmetry *symmetry, const struct structure *structure);

/* Takes the order of first writes that it asks for. */
void symmetry_order(const struct symmetry *symmetry, const struct frames *all, struct frame *root);

/* May reads decided so far be in that order? */
bool symmetry_may_see(const struct symmetry *symmetry, const struct frames *all, const struct frame *f);

/* Are there threads that only their sources tell apart? */
bool symmetry_tied(const struct symmetry *symmetry, const struct structure *structure);

/* How many executions a complete candidate stands for: at most POLLS_TOO_MANY. */
uint64_t symmetry_ways(const struct symmetry *symmetry, const struct frames *all, const struct frame *f);

#endif
