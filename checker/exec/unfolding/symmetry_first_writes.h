/* SPDX-License-Identifier: MIT */
/* Of threads that are alike, the earlier writes first: what this rules out while it has not written yet.
 *
 * Executions in which alike threads have changed places are tried once, in the form in which those that write come
 * first, in the order of their first writes (search/thread_symmetry.h).  Where these are to one location, x, whatever
 * path they take, let A come before B.  A's first write W is before all of B's to x in co, so that
 *  - no read of x that A does before W sees what B writes: W would come after that read in po, before what it sees in
 *    co;
 *  - if B's first write is half of a read-modify-write that reads from S, W is before S, as no write stands between
 *    the two.  Where S is another read-modify-write's, it goes on from there, and where it is the initial write, W has
 * no place. That the model says so is asked of it, on these events alone: what it rejects of them, it rejects whatever
 * else there is (BOUNDS_PREFIX).  If A never writes, B does not either, in that form. */
#ifndef LITSCOPE_EXEC_UNFOLDING_SYMMETRY_FIRST_WRITES_H
#define LITSCOPE_EXEC_UNFOLDING_SYMMETRY_FIRST_WRITES_H

#include "checker/exec/search/search.h"

struct first_writes;

/* Of a test under a model; lives in `arena`, as long as `control`.  NULL: no threads that are alike write to one
 * location first. */
struct first_writes *first_writes_new(struct arena *arena, const struct litmus_test *test,
                                      const struct cat_model *model, struct search_control *control);

/* Does a read not see what a thread writes, as its own thread is yet to write before?  `first` may be NULL. */
bool first_writes_hide(struct first_writes *first, const struct structure *structure, unsigned read, unsigned thread);

/* Is there a thread that has not written, and no place left for its first write?  `first` may be NULL. */
bool first_writes_shut_out(struct first_writes *first, const struct frames *all, const struct frame *f);

#endif
