/* SPDX-License-Identifier: MIT */
/* What open threads may still write: can a read that is there be read from a
 * write that is not?
 *
 * Four things can rule it out: no open thread gets to a store to the location;
 * the stores that they get to all store constants, and none is the value that the
 * read is known to return; they are after the read in its own thread, and
 * the model lets no read see such a write (it is asked, on the two alone); or their thread
 * is like the read's, which is to write before it (symmetry_first_writes.h).
 */
#ifndef LITSCOPE_EXEC_UNFOLDING_FUTURE_WRITES_H
#define LITSCOPE_EXEC_UNFOLDING_FUTURE_WRITES_H

#include "checker/exec/unfolding/rf_source_filter.h"
#include "checker/exec/unfolding/symmetry_first_writes.h"

struct future_writes;

/* Of a program under a model; lives in `arena`, as long as `control`. */
struct future_writes *future_writes_new(struct arena *arena, const struct litmus_test *test,
                                        const struct cat_model *model, struct search_control *control,
                                        struct first_writes *first);

/* May a read of the structure yet be fed?  `threads`: where each thread is;
 * `value`: what the read returns, NULL where that is not known; `done`: only threads
 * of which all events are among these make it, NULL: all threads. */
bool future_writes_may_feed(struct future_writes *future, struct thread_state *const *threads,
                            const struct structure *structure, unsigned read, const int64_t *value, const word *done);

/* The values that what feeds it may have, and their number, COMING at most; or more: they are not known, or,
 * where it `waits`, of several threads. */
unsigned future_writes_values(struct future_writes *future, struct thread_state *const *threads,
                              const struct structure *structure, unsigned read, bool waits, int64_t *values);

/* May this thread, where it is, yet feed it? */
bool future_writes_may_come(struct future_writes *future, const struct thread_state *state, unsigned thread,
                            const struct structure *structure, unsigned read, const int64_t *value);

/* Can a read of the structure not see a write that its own thread makes later? */
bool future_writes_hidden(struct future_writes *future, const struct structure *structure, unsigned read,
                          unsigned write);

#endif
