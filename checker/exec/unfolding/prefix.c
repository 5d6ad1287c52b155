/* SPDX-License-Identifier: MIT */
/* What unfolding asks before it lets threads go on: which branches of a fork are
 * possible, and which read stands between it and the answer.  Nothing here
 * changes the prefix.
 */
#include "checker/exec/unfolding/prefix.h"

#include <string.h>

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

/* `seen`: events on the way here, to notice values that depend on themselves. */
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

struct undecided_search {
  const struct prefix *p;
  unsigned offset;
  word *seen;
  unsigned read; /* the read that was found; n: none */
};

static bool is_decided(void *context, unsigned reg) {
  struct undecided_search *u = context;
  if (!prefix_known(u->p, u->offset + reg)) u->read = undecided_before(u->p, u->offset + reg, u->seen);
  return u->read == u->p->frames->shape.n;
}

static unsigned undecided_in(const struct prefix *p, const struct expr *e, unsigned offset, word *seen) {
  struct undecided_search u = {p, offset, seen, p->frames->shape.n};
  expr_registers(e, is_decided, &u);
  return u.read;
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

/* Is the read among the path's events that are there? */
static bool is_there(void *context, unsigned event) {
  return event < *(const unsigned *)context;
}

/* ---- Conditions by all that open reads may see ------------------------------------------ */

enum { MOST_OPEN_READS = 2 };

/* A condition whose value is not known, with the values of its thread's reads as they are tried. */
struct trial {
  const struct prefix *p;
  const struct path_condition *condition;
  unsigned offset, open[MOST_OPEN_READS], count;
  bool *known;
  int64_t *value;
  bool yes, no; /* it may hold, and not */
};

/* The values of writes to come that the read may return; more than COMING: too little is known of them.  Where a thread
 * waits for one of several, it is not to go on before it is known which. */
static unsigned values_to_come(const struct prefix *p, unsigned read, int64_t *values) {
  bool waits = words_empty(p->frames->shape.w, prefix_sources(p, read));
  return prefix_open_ended(p, read) ? p->filter->coming(p->filter->context, p->frames->structure, read, waits, values)
                                    : 0;
}

/* Are all values known that the read may return? */
static bool sources_known(const struct prefix *p, unsigned read) {
  int64_t values[COMING];
  if (!value_is_variable(p->frames, read)) return false;
  SET_EACH (w, p->frames->shape.w, prefix_sources(p, read))
    if (!p->frame->known[w]) return false;
  return values_to_come(p, read, values) <= COMING;
}

/* Notes a read whose value is not known.  false: too many, or too little is known of it. */
static bool note_open(void *context, unsigned read) {
  struct trial *t = context;
  if (t->known[read]) return true;
  for (unsigned i = 0; i < t->count; i++)
    if (t->open[i] == read) return true;
  if (t->count == MOST_OPEN_READS || !sources_known(t->p, t->offset + read)) return false;
  t->open[t->count++] = read;
  return true;
}

static void try_values(struct trial *t, unsigned i);

static void try_value(struct trial *t, unsigned i, int64_t value) {
  t->value[t->open[i]] = value;
  t->known[t->open[i]] = true;
  if (!t->yes || !t->no) try_values(t, i + 1);
}

static void try_values(struct trial *t, unsigned i) {
  int64_t result;
  if (i == t->count || i == MOST_OPEN_READS) {
    bool decided = path_value(t->condition->value, t->known, t->value, &result);
    bool holds = decided && (result != 0) == t->condition->nonzero;
    t->yes |= !decided || holds;
    t->no |= !decided || !holds;
    return;
  }
  int64_t values[COMING];
  unsigned read = t->offset + t->open[i], count = values_to_come(t->p, read, values);
  SET_EACH (w, t->p->frames->shape.w, prefix_sources(t->p, read)) try_value(t, i, t->p->frame->value[w]);
  for (unsigned k = 0; k < count; k++) try_value(t, i, values[k]);
  t->known[t->open[i]] = false;
}

/* A certificate has a reason for each branch that is not followed, and this is none of them. */
static enum prefix_truth condition_by_trial(const struct prefix *p, unsigned thread, const struct path_condition *c) {
  unsigned offset = p->frames->structure->offset[thread];
  unsigned events = p->frames->structure->paths[thread]->event_count;
  bool known[events + 1];
  int64_t value[events + 1];
  if (p->frames->record || !events) return TRUTH_MAYBE;
  memcpy(known, p->frame->known + offset, events * sizeof *known);
  memcpy(value, p->frame->value + offset, events * sizeof *value);
  struct trial t = {.p = p, .condition = c, .offset = offset, .known = known, .value = value};
  if (!expr_registers(c->value, note_open, &t)) return TRUTH_MAYBE;
  try_values(&t, 0);
  return t.yes && t.no ? TRUTH_MAYBE : t.yes ? TRUTH_YES : TRUTH_NO;
}

enum prefix_truth prefix_condition_on(const struct frames *all, const struct frame *f, unsigned thread,
                                      const struct path_condition *c, unsigned read, unsigned write) {
  unsigned offset = all->structure->offset[thread], events = all->structure->paths[thread]->event_count;
  bool known[events + 1];
  int64_t value[events + 1], result;
  if (!expr_registers(c->value, is_there, &events)) return TRUTH_MAYBE;
  memcpy(known, f->known + offset, events * sizeof *known);
  memcpy(value, f->value + offset, events * sizeof *value);
  known[read - offset] = true;
  value[read - offset] = f->value[write];
  if (!path_value(c->value, known, value, &result)) return TRUTH_MAYBE;
  return (result != 0) == c->nonzero ? TRUTH_YES : TRUTH_NO;
}

/* By what values may be at all; no reason of a certificate's, either. */
static enum prefix_truth condition_by_ranges(const struct prefix *p, unsigned thread, const struct path_condition *c) {
  unsigned offset = p->frames->structure->offset[thread];
  unsigned events = p->frames->structure->paths[thread]->event_count;
  struct range reads[events + 1];
  if (!p->ranges) return TRUTH_MAYBE;
  for (unsigned i = 0; i < events; i++) {
    int64_t value = p->frame->value[offset + i];
    reads[i] = p->frame->known[offset + i] ? (struct range){value, value} : p->ranges[offset + i];
  }
  struct range r = range_of(c->value, reads);
  if (r.low <= 0 && r.high >= 0 && (r.low || r.high)) return TRUTH_MAYBE;
  return (r.low || r.high) == c->nonzero ? TRUTH_YES : TRUTH_NO;
}

enum prefix_truth prefix_condition(const struct prefix *p, unsigned thread, const struct path_condition *c) {
  const struct structure *structure = p->frames->structure;
  unsigned offset = structure->offset[thread], events = structure->paths[thread]->event_count;
  int64_t result;
  if (!expr_registers(c->value, is_there, &events)) return TRUTH_MAYBE;
  if (!path_value(c->value, p->frame->known + offset, p->frame->value + offset, &result)) {
    enum prefix_truth truth = condition_by_trial(p, thread, c);
    return truth == TRUTH_MAYBE ? condition_by_ranges(p, thread, c) : truth;
  }
  return (result != 0) == c->nonzero ? TRUTH_YES : TRUTH_NO;
}
