/* SPDX-License-Identifier: MIT */
/* What may still come of a prefix: questions that are asked while threads are unfolded,
 * and what follows from the answers before the model looks at the prefix itself. */
#ifndef LITSCOPE_EXEC_UNFOLDING_RF_SOURCE_FILTER_H
#define LITSCOPE_EXEC_UNFOLDING_RF_SOURCE_FILTER_H

#include "checker/exec/search/partial_candidate.h"

enum { COMING = 63 };

struct source_filter {
  void *context;
  /* May open threads still make a write that a read can read from?  `value`: what the
   * read returns, NULL where that is not known.  `done`: only threads of
   * which all events are among these, NULL: all threads. */
  bool (*may_feed)(void *context, const struct structure *structure, unsigned read, const int64_t *value,
                   const word *done);
  bool causal; /* the model allows no cycles in po and rf */
  /* The values that writes to come may have which a read can read from: at most COMING of them, and their number; or
   * more, where they are not known.  `waits`: so it is, too, where several threads may make them. */
  unsigned (*coming)(void *context, const struct structure *structure, unsigned read, bool waits, int64_t *values);
  /* Can a read not see a write that comes after it in its thread? */
  bool (*hidden)(void *context, const struct structure *structure, unsigned read, unsigned write);
  /* Can two read-modify-writes, by their read halves, not both read from a write? */
  bool (*exclude)(void *context, const struct structure *structure, unsigned a, unsigned b, unsigned write);
  /* The read of a compare-and-swap on which its thread forks: would it succeed on this write, whose value is known,
   * and could `other_rmw`, the read half of a read-modify-write, then not read from it too? */
  bool (*swaps_in_vain)(void *context, const struct frames *all, const struct frame *f, unsigned read, unsigned write,
                        unsigned other_rmw);
  const word *swaps; /* such reads */
  /* Is there no place left for what some thread is yet to write? */
  bool (*shut_out)(void *context, const struct frames *all, const struct frame *f);
};

/* Notes the reads that may see writes which are not there yet. */
void filter_find_open_ended(const struct source_filter *filter, const struct frames *all);

/* Notes the read-modify-writes that may compete with each other. */
void filter_find_rmws(const struct frames *all, struct frame *f);

/* What a read-modify-write is by now known to read from is dropped where others cannot read
 * from it too; *moved then becomes true.  False when a read has nothing left to read from. */
bool filter_exclude(const struct source_filter *filter, const struct frames *all, struct frame *f, bool *moved);

/* Draws all conclusions at the root of a search: about values (values_settle), about
 * reads to which no write can come any more, about what reads cannot see.  False when
 * the candidate cannot be completed. */
bool filter_settle(const struct source_filter *filter, const struct frames *all, struct frame *f);

#endif
