/* SPDX-License-Identifier: MIT */
/* What unfolding asks before it lets threads go on: which branches of a fork are
 * possible, and which read stands between it and the answer.  Nothing here
 * changes the prefix.
 */
#include "checker/exec/unfolding/prefix.h"

#include "checker/exec/search/value_propagation.h"

bool prefix_known(const struct prefix *p, unsigned event) {
  return p->frame->known[event];
}

bool prefix_open_ended(const struct prefix *p, unsigned read) {
  return set_has(p->frames->open_ended, read);
}

const word *prefix_sources(const struct prefix *p, unsigned read) {
  return frame_sources(p->frames, p->frame, read);
}

static unsigned undecided_in(const struct prefix *p, const struct expr *e, unsigned offset, word *seen);

/* `seen`: events on the way here, to notice values that hang on themselves. */
static unsigned undecided_before(const struct prefix *p, unsigned event, word *seen) {
  const struct structure *structure = p->frames->structure;
  if (set_has(seen, event)) return p->frames->shape.n;
  set_add(seen, event);
  if (value_is_variable(p->frames, event)) {
    if (!frame_decided(p->frames, p->frame, event)) return event;
    return undecided_before(p, frame_source(p->frames, p->frame, event), seen);
  }
  return undecided_in(p, structure->value[event], structure->offset[structure->events[event].thread], seen);
}

static unsigned undecided_in(const struct prefix *p, const struct expr *e, unsigned offset, word *seen) {
  unsigned none = p->frames->shape.n;
  if (!e || e->kind == EXPR_CONST) return none;
  if (e->kind == EXPR_REG) return prefix_known(p, offset + e->reg) ? none : undecided_before(p, offset + e->reg, seen);
  const struct expr *parts[] = {e->a, e->b, e->c};
  for (unsigned i = 0; i < 3; i++) {
    unsigned read = undecided_in(p, parts[i], offset, seen);
    if (read < none) return read;
  }
  return none;
}

unsigned prefix_undecided(const struct prefix *p, unsigned event) {
  word seen[p->frames->shape.w];
  words_clear(p->frames->shape.w, seen);
  return undecided_before(p, event, seen);
}

bool prefix_value(const struct prefix *p, unsigned thread, const struct expr *e, int64_t *value) {
  unsigned offset = p->frames->structure->offset[thread];
  return path_value(e, p->frame->known + offset, p->frame->value + offset, value);
}

unsigned prefix_undecided_in(const struct prefix *p, unsigned thread, const struct expr *e) {
  word seen[p->frames->shape.w];
  words_clear(p->frames->shape.w, seen);
  return undecided_in(p, e, p->frames->structure->offset[thread], seen);
}

/* Is every read of the expression among the path's events that are there? */
static bool is_there(const struct expr *e, unsigned events) {
  if (!e || e->kind == EXPR_CONST) return true;
  if (e->kind == EXPR_REG) return e->reg < events;
  return is_there(e->a, events) && is_there(e->b, events) && is_there(e->c, events);
}

enum prefix_truth prefix_condition(const struct prefix *p, unsigned thread, const struct path_condition *c) {
  const struct structure *structure = p->frames->structure;
  unsigned offset = structure->offset[thread];
  int64_t result;
  if (!is_there(c->value, structure->paths[thread]->event_count) ||
      !path_value(c->value, p->frame->known + offset, p->frame->value + offset, &result))
    return TRUTH_MAYBE;
  return (result != 0) == c->nonzero ? TRUTH_YES : TRUTH_NO;
}
