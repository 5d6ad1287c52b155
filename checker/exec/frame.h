/* SPDX-License-Identifier: MIT */
/* Partial candidates: for each read the writes that it may still read from, for
 * each pair of writes whether it is ordered, and the values known so far. */
#ifndef LITSCOPE_EXEC_FRAME_H
#define LITSCOPE_EXEC_FRAME_H

#include "checker/exec/bounds.h"
#include "checker/exec/structure.h"

/* What the frames of one search have in common. */
struct frames {
  struct arena *arena;
  const struct structure *structure;
  struct shape shape;
  unsigned condition_words; /* of a set of the structure's conditions */
  word *open_ended;         /* reads that may see writes which are not there yet */
};

struct frame {
  struct partial p;
  word *sources; /* row r: the writes that read r may read from */
  word *unknown; /* events that have a value, not known yet */
  word *loose;   /* reads whose source, or whose value against it, is still to be settled */
  word *pending; /* conditions of control flow not known to hold yet */
  bool *known;   /* by event: its value is known */
  int64_t *value;
  struct level *level; /* the model's bounds, kept by the search */
  struct frame *next;  /* one deeper, for reuse */
};

/* A frame in which nothing is possible yet. */
struct frame *frame_new(const struct frames *all);

/* A copy to go on from, one deeper.  Frames are reused: there is one of each depth. */
struct frame *frame_push(const struct frames *all, struct frame *from);

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

/* Adds (a, b) to co with what transitivity makes of it. */
void frame_order(const struct frames *all, struct frame *f, unsigned a, unsigned b);

/* The invariant, for assertions: rf_lo lies within rf_up, and co_lo within
 * co_up; co_lo is transitive; co_up holds nothing against it; sources are the
 * columns of rf_up. */
bool frame_check(const struct frames *all, const struct frame *f);

#endif
