/* SPDX-License-Identifier: MIT */
/* Partial candidates: for each read the writes that it may still read from, for
 * each pair of writes whether it is ordered, the values known so far; and, where
 * the program has them, the order of fences and the barriers that synchronise. */
#ifndef LITSCOPE_EXEC_SEARCH_PARTIAL_CANDIDATE_H
#define LITSCOPE_EXEC_SEARCH_PARTIAL_CANDIDATE_H

#include "checker/exec/deductions/bounds.h"
#include "checker/exec/paths/event_structure.h"
#include "checker/exec/search/record_decision_tree.h"

/* What the frames of one search have in common. */
struct frames {
  struct arena *arena;
  struct record *record; /* enumerate_options.record, or NULL */
  const struct structure *structure;
  struct shape shape;
  unsigned condition_words; /* of a set of the structure's conditions */
  word *reads;              /* all of them */
  word *open_ended;         /* reads that may see writes which are not there yet */
  unsigned chosen;          /* the choices that there are: choice_bit; and PLAN_ORDERS_OPEN */
  bool whole;               /* all threads have ended: no event will come */
  bool partial;             /* co is a partial order */
  const word *inclusive;    /* CHOICE_FENCES: scopes that include each other's thread (sr) */
  const word *meetings;     /* CHOICE_MEETINGS: what a barrier synchronises with if it does */
};

struct frame {
  struct partial p;
  word *sources;   /* row r: the writes that read r may read from */
  word *unknown;   /* events that have a value, not known yet */
  word *loose;     /* reads whose source, or whose value against it, is still to be settled */
  word *pending;   /* conditions of control flow not known to hold yet */
  word *idle;      /* CHOICE_MEETINGS: barriers with a quorum of which it is open whether they synchronise */
  word *absent;    /* and those that do not */
  word *contended; /* read halves of read-modify-writes that others may still compete with: filter_exclude */
  bool *known;     /* by event: its value is known */
  int64_t *value;
  bool guessed;               /* some value was (values_guess) */
  bool settled;               /* values_settle has nothing to add */
  word *block;                /* the words of all of these */
  struct bounds_level *level; /* the model's bounds, kept by the search */
  struct frame *next;         /* one deeper, for reuse */
};

/* A frame in which nothing is possible yet. */
struct frame *frame_new(const struct frames *all);

/* A copy on its own, in all->arena. */
struct frame *frame_copy(const struct frames *all, const struct frame *from);

/* A copy to go on from, one deeper.  Frames are reused: there is one of each depth. */
struct frame *frame_push(const struct frames *all, struct frame *from);

/* ---- Reads ---- */

static inline const word *frame_sources(const struct frames *all, const struct frame *f, unsigned read) {
  return rel_row_const(all->shape, f->sources, read);
}

/* Only one source is left, and no other will come. */
static inline bool frame_decided(const struct frames *all, const struct frame *f, unsigned read) {
  return set_single(all->shape.w, frame_sources(all, f, read)) && !set_has(all->open_ended, read);
}

/* The one source of a decided read. */
static inline unsigned frame_source(const struct frames *all, const struct frame *f, unsigned read) {
  return set_first(all->shape.w, frame_sources(all, f, read));
}

/* No source is left, and none will come. */
static inline bool frame_lost(const struct frames *all, const struct frame *f, unsigned read) {
  return words_empty(all->shape.w, frame_sources(all, f, read)) && !set_has(all->open_ended, read);
}

/* Rules a source out; the last one left is taken. */
void frame_drop_source(const struct frames *all, struct frame *f, unsigned write, unsigned read);

/* Rules all others out. */
void frame_choose_source(const struct frames *all, struct frame *f, unsigned write, unsigned read);

/* ---- Orders ---- */

/* Of a choice, the pairs (a, b) that are neither chosen nor ruled out: row a. */
static inline void frame_open(const struct frames *all, const struct frame *f, enum choice choice, unsigned a,
                              word *out) {
  words_minus(all->shape.w, out, rel_row_const(all->shape, f->p.up[choice], a),
              rel_row_const(all->shape, f->p.lo[choice], a));
}

/* Adds a possible pair (a, b) to co with what transitivity makes of it. */
void frame_order(const struct frames *all, struct frame *f, unsigned a, unsigned b);

/* Rules an open pair (a, b) out: where co is total, b then precedes a. */
void frame_leave_out(const struct frames *all, struct frame *f, unsigned a, unsigned b);

/* The invariant, for assertions: what is chosen is possible; co is transitive,
 * and nothing against it possible; so much of what may be chosen is left that
 * any open pair can be; sources are the columns of what rf may be. */
bool frame_check(const struct frames *all, const struct frame *f);

#endif
