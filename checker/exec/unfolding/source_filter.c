/* SPDX-License-Identifier: MIT */
/* Sources are dropped for what future_writes.c and rmw_exclusion.c know, once for each pair of
 * events; so a branch that a compare-and-swap cannot take is left without a
 * source for its read, and needs no look at the model's bounds.
 */
#include "checker/exec/unfolding/source_filter.h"

#include "checker/exec/search/value_propagation.h"

static bool is_read(const struct frames *all, unsigned event) {
  return all->structure->events[event].kind == EVENT_READ;
}

/* ---- Writes that are to come --------------------------------------------------------- */

void filter_find_open_ended(const struct source_filter *o, const struct frames *all) {
  for (unsigned r = all->structure->init_count; r < all->shape.n; r++)
    if (is_read(all, r) && o->may_feed(o->context, all->structure, r, NULL)) set_add(all->open_ended, r);
}

/* A read whose value is known by now may need a value that no open thread writes. */
static bool close_reads(const struct source_filter *o, const struct frames *all, struct frame *f) {
  bool moved = false;
  SET_EACH (r, all->shape.w, all->open_ended) {
    if (!f->known[r] || o->may_feed(o->context, all->structure, r, &f->value[r])) continue;
    set_drop(all->open_ended, r);
    if (frame_decided(all, f, r)) frame_choose_source(all, f, frame_source(all, f, r), r);
    moved = true;
  }
  return moved;
}

/* ---- Writes that cannot be seen ------------------------------------------------------- */

static bool is_rmw_read(const struct frames *all, unsigned event) {
  return is_read(all, event) &&
         !words_empty(all->shape.w, rel_row_const(all->shape, all->structure->execution.rmw, event));
}

/* Certificates have what the model says of every branch, and no answers from before. */
void filter_find_rmws(const struct frames *all, struct frame *f) {
  for (unsigned r = all->structure->init_count; r < all->shape.n && !all->record; r++)
    if (is_rmw_read(all, r)) set_add(f->contended, r);
}

/* What read-modify-write `a` reads from, others do not.  False: nothing is left for one of them. */
static bool exclude_others(const struct source_filter *o, const struct frames *all, struct frame *f, unsigned a,
                           bool *moved) {
  unsigned write = frame_source(all, f, a);
  SET_EACH (b, all->shape.w, f->contended) {
    if (b == a || !set_has(frame_sources(all, f, b), write)) continue;
    if (!o->exclude(o->context, all->structure, a, b, write)) continue;
    frame_drop_source(all, f, write, b);
    if (frame_lost(all, f, b)) return false;
    *moved = true;
  }
  return true;
}

bool filter_exclude(const struct source_filter *o, const struct frames *all, struct frame *f, bool *moved) {
  SET_EACH (a, all->shape.w, f->contended) {
    if (!frame_decided(all, f, a)) continue;
    set_drop(f->contended, a);
    if (!exclude_others(o, all, f, a, moved)) return false;
  }
  return true;
}

/* Is all that a read could see out of its sight, behind it in its own thread? */
static bool is_lost(const struct source_filter *o, const struct frames *all, const struct frame *f, unsigned read) {
  const struct event *events = all->structure->events;
  if (set_has(all->open_ended, read)) return false;
  SET_EACH (w, all->shape.w, frame_sources(all, f, read))
    if (w < read || events[w].thread != events[read].thread) return false;
  SET_EACH (w, all->shape.w, frame_sources(all, f, read))
    if (!o->hidden(o->context, all->structure, read, w)) return false;
  return true;
}

static bool some_read_lost(const struct source_filter *o, const struct frames *all, const struct frame *f) {
  for (unsigned r = all->structure->init_count; r < all->shape.n; r++)
    if (is_read(all, r) && is_lost(o, all, f, r)) return true;
  return false;
}

bool filter_settle(const struct source_filter *o, const struct frames *all, struct frame *f) {
  for (bool moved = true; moved;) {
    if (!values_settle(all, f)) return false;
    moved = close_reads(o, all, f);
    if (!filter_exclude(o, all, f, &moved)) return false;
    if (!all->record && (some_read_lost(o, all, f) || o->shut_out(o->context, all, f))) return false;
  }
  return true;
}
