/* SPDX-License-Identifier: MIT */
/* Partial candidates and the steps that narrow them.
 *
 * All words of a frame are one block: a child of the search tree is one copy of
 * it, and nothing is allocated but for the first frame of each depth.
 */
#include "checker/exec/frame.h"

#include <assert.h>
#include <string.h>

/* Words of one frame's block. */
static size_t frame_words(const struct frames *all) {
  return rel_words(all->shape) * 5 + all->shape.w * 2 + all->condition_words;
}

struct frame *frame_new(const struct frames *all) {
  struct frame *f = ARENA_NEW(all->arena, struct frame);
  size_t words = rel_words(all->shape);
  word *store = ARENA_ARRAY(all->arena, word, frame_words(all));
  f->p = (struct partial){store, store + words, store + 2 * words, store + 3 * words};
  f->sources = store + 4 * words;
  f->unknown = store + 5 * words;
  f->loose = f->unknown + all->shape.w;
  f->pending = f->loose + all->shape.w;
  f->known = ARENA_ARRAY(all->arena, bool, all->shape.n);
  f->value = ARENA_ARRAY(all->arena, int64_t, all->shape.n);
  return f;
}

struct frame *frame_push(const struct frames *all, struct frame *from) {
  if (!from->next) from->next = frame_new(all);
  struct frame *f = from->next;
  memcpy(f->p.rf_lo, from->p.rf_lo, frame_words(all) * sizeof(word));
  memcpy(f->known, from->known, all->shape.n * sizeof *f->known);
  memcpy(f->value, from->value, all->shape.n * sizeof *f->value);
  return f;
}

void frame_drop_source(const struct frames *all, struct frame *f, unsigned write, unsigned read) {
  set_drop(rel_row(all->shape, f->sources, read), write);
  rel_drop(all->shape, f->p.rf_up, write, read);
  if (frame_decided(all, f, read)) rel_add(all->shape, f->p.rf_lo, frame_source(all, f, read), read);
}

void frame_choose_source(const struct frames *all, struct frame *f, unsigned write, unsigned read) {
  word *sources = rel_row(all->shape, f->sources, read);
  assert(set_has(sources, write));
  SET_EACH (w, all->shape.w, sources)
    if (w != write) rel_drop(all->shape, f->p.rf_up, w, read);
  words_clear(all->shape.w, sources);
  set_add(sources, write);
  rel_add(all->shape, f->p.rf_lo, write, read);
}

void frame_order(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  struct shape shape = all->shape;
  word after[shape.w];
  words_copy(shape.w, after, rel_row_const(shape, f->p.co_lo, b));
  set_add(after, b);
  for (unsigned x = 0; x < shape.n; x++) {
    if (x != a && !rel_has(shape, f->p.co_lo, x, a)) continue;
    words_or(shape.w, rel_row(shape, f->p.co_lo, x), rel_row_const(shape, f->p.co_lo, x), after);
    SET_EACH (y, shape.w, after) rel_drop(shape, f->p.co_up, y, x);
  }
}

/* ---- The invariant ------------------------------------------------------------- */

static bool sources_agree(const struct frames *all, const struct frame *f) {
  for (unsigned r = 0; r < all->shape.n; r++)
    for (unsigned w = 0; w < all->shape.n; w++)
      if (rel_has(all->shape, f->sources, r, w) != rel_has(all->shape, f->p.rf_up, w, r)) return false;
  return true;
}

static bool order_agrees(const struct frames *all, const struct frame *f) {
  struct shape s = all->shape;
  for (unsigned a = 0; a < s.n; a++) {
    const word *after = rel_row_const(s, f->p.co_lo, a);
    SET_EACH (b, s.w, after)
      if (rel_has(s, f->p.co_up, b, a) || !words_within(s.w, rel_row_const(s, f->p.co_lo, b), after)) return false;
  }
  return rel_irreflexive(s, f->p.co_lo);
}

bool frame_check(const struct frames *all, const struct frame *f) {
  size_t words = rel_words(all->shape);
  return words_within(words, f->p.rf_lo, f->p.rf_up) && words_within(words, f->p.co_lo, f->p.co_up) &&
         order_agrees(all, f) && sources_agree(all, f);
}
