/* SPDX-License-Identifier: MIT */
/* Partial candidates and the steps that narrow them.
 *
 * All words of a frame are one block: a child of the search tree is one copy of
 * it, and nothing is allocated but for the first frame of each depth.
 */
#include "checker/exec/search/partial_candidate.h"

#include <assert.h>
#include <string.h>

/* Relations that a frame has: both bounds of each choice, and sources. */
static size_t relation_count(const struct frames *all) {
  size_t count = 1;
  for (int c = 0; c < CHOICES; c++)
    if (all->chosen & choice_bit((enum choice)c)) count += 2;
  return count;
}

/* Words of one frame's block. */
static size_t frame_words(const struct frames *all) {
  return rel_words(all->shape) * relation_count(all) + all->shape.w * 5 + all->condition_words;
}

/* Its words are for the caller to set. */
static struct frame *allocate(const struct frames *all) {
  struct frame *f = ARENA_NEW(all->arena, struct frame);
  size_t words = rel_words(all->shape);
  word *next = f->block = ARENA_RAW(all->arena, word, frame_words(all));
  for (int c = 0; c < CHOICES; c++) {
    if (!(all->chosen & choice_bit((enum choice)c))) continue;
    f->p.lo[c] = next;
    f->p.up[c] = next + words;
    next += 2 * words;
  }
  f->sources = next;
  f->unknown = next + words;
  f->loose = f->unknown + all->shape.w;
  f->idle = f->loose + all->shape.w;
  f->absent = f->idle + all->shape.w;
  f->contended = f->absent + all->shape.w;
  f->pending = f->contended + all->shape.w;
  f->known = ARENA_ARRAY(all->arena, bool, all->shape.n);
  f->value = ARENA_ARRAY(all->arena, int64_t, all->shape.n);
  return f;
}

struct frame *frame_new(const struct frames *all) {
  struct frame *f = allocate(all);
  memset(f->block, 0, frame_words(all) * sizeof(word));
  return f;
}

static struct frame *fill(const struct frames *all, struct frame *f, const struct frame *from) {
  memcpy(f->block, from->block, frame_words(all) * sizeof(word));
  f->guessed = from->guessed;
  f->settled = from->settled;
  memcpy(f->known, from->known, all->shape.n * sizeof *f->known);
  memcpy(f->value, from->value, all->shape.n * sizeof *f->value);
  return f;
}

struct frame *frame_copy(const struct frames *all, const struct frame *from) {
  return fill(all, allocate(all), from);
}

struct frame *frame_push(const struct frames *all, struct frame *from) {
  if (!from->next) from->next = allocate(all);
  return fill(all, from->next, from);
}

void frame_drop_source(const struct frames *all, struct frame *f, unsigned write, unsigned read) {
  f->settled = false;
  set_drop(rel_row(all->shape, f->sources, read), write);
  rel_drop(all->shape, f->p.up[CHOICE_RF], write, read);
  if (frame_decided(all, f, read)) rel_add(all->shape, f->p.lo[CHOICE_RF], frame_source(all, f, read), read);
}

void frame_choose_source(const struct frames *all, struct frame *f, unsigned write, unsigned read) {
  word *sources = rel_row(all->shape, f->sources, read);
  assert(set_has(sources, write));
  f->settled = false;
  SET_EACH (w, all->shape.w, sources)
    if (w != write) rel_drop(all->shape, f->p.up[CHOICE_RF], w, read);
  words_clear(all->shape.w, sources);
  set_add(sources, write);
  rel_add(all->shape, f->p.lo[CHOICE_RF], write, read);
}

/* ---- Orders -------------------------------------------------------------------- */

/* Adds (a, b) with what transitivity makes of it, and drops what is against it. */
static void close_order(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  struct shape shape = all->shape;
  word *co = f->p.lo[CHOICE_CO], after[shape.w];
  words_copy(shape.w, after, rel_row_const(shape, co, b));
  set_add(after, b);
  for (unsigned x = 0; x < shape.n; x++) {
    if (x != a && !rel_has(shape, co, x, a)) continue;
    word *row = rel_row(shape, co, x);
    for (unsigned i = 0; i < shape.w; i++) row[i] |= after[i];
    SET_EACH (y, shape.w, after) rel_drop(shape, f->p.up[CHOICE_CO], y, x);
  }
}

/* Rules out, once, what transitivity could not bear: if c follows p, all that may
 * follow c may follow p; and if q follows c, q may follow whatever c may follow. */
static bool rule_out(const struct frames *all, struct frame *f) {
  struct shape s = all->shape;
  const word *lo = f->p.lo[CHOICE_CO];
  word *up = f->p.up[CHOICE_CO];
  bool moved = false;
  for (unsigned p = 0; p < s.n; p++) {
    word *may = rel_row(s, up, p);
    SET_EACH (c, s.w, rel_row_const(s, lo, p)) {
      word *later = rel_row(s, up, c);
      moved |= !words_within(s.w, later, may);
      words_and(s.w, later, later, may);
    }
    SET_EACH (c, s.w, may) {
      if (words_within(s.w, rel_row_const(s, lo, c), may)) continue;
      set_drop(may, c);
      moved = true;
    }
  }
  return moved;
}

void frame_order(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  close_order(all, f, a, b);
  while (all->partial && rule_out(all, f)) continue;
}

void frame_leave_out(const struct frames *all, struct frame *f, unsigned a, unsigned b) {
  if (!all->partial) {
    frame_order(all, f, b, a);
    return;
  }
  rel_drop(all->shape, f->p.up[CHOICE_CO], a, b);
  while (rule_out(all, f)) continue;
}

/* ---- The invariant ------------------------------------------------------------- */

static bool sources_agree(const struct frames *all, const struct frame *f) {
  struct shape s = all->shape;
  const word *rf = f->p.up[CHOICE_RF];
  for (unsigned e = 0; e < s.n; e++) {
    SET_EACH (w, s.w, rel_row_const(s, f->sources, e))
      if (!rel_has(s, rf, w, e)) return false;
    SET_EACH (r, s.w, rel_row_const(s, rf, e))
      if (!rel_has(s, f->sources, r, e)) return false;
  }
  return true;
}

static bool order_agrees(const struct frames *all, const struct frame *f) {
  struct shape s = all->shape;
  const word *lo = f->p.lo[CHOICE_CO], *up = f->p.up[CHOICE_CO];
  for (unsigned a = 0; a < s.n; a++) {
    const word *after = rel_row_const(s, lo, a), *may = rel_row_const(s, up, a);
    SET_EACH (b, s.w, after) {
      if (rel_has(s, up, b, a) || !words_within(s.w, rel_row_const(s, lo, b), after)) return false;
      if (!words_within(s.w, rel_row_const(s, up, b), may)) return false;
    }
    SET_EACH (b, s.w, may)
      if (!words_within(s.w, rel_row_const(s, lo, b), may)) return false;
  }
  return rel_irreflexive(s, lo);
}

bool frame_check(const struct frames *all, const struct frame *f) {
  for (int c = 0; c < CHOICES; c++)
    if (f->p.lo[c] && !words_within(rel_words(all->shape), f->p.lo[c], f->p.up[c])) return false;
  return order_agrees(all, f) && sources_agree(all, f);
}
