/* SPDX-License-Identifier: MIT */
/* Prefixes, as threads are unfolded: what reads read from is decided one after the other, and the model is asked. */
#include "checker/exec/search/search_state.h"

bool search_is_rejected(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                        struct structure *structure, const struct search_control *control,
                        const struct decision *decisions) {
  struct enumerate_options options = *control->options;
  options.stop_when_known = false;
  options.record = NULL;
  options.symmetry = NULL;
  struct search_control own = *control;
  own.options = &options;
  const struct search_start from = {.decisions = decisions};
  const struct asked_model asked = {test, model, &own};
  return search_new(arena, &asked, structure, SEARCH_PREFIX, &from, NULL)->status == SEARCH_REJECTED;
}

struct prefix search_prefix(struct search *s) {
  return (struct prefix){.frames = &s->frames, .frame = s->root, .filter = s->filter};
}

bool search_goes_on(const struct search *s) {
  return s->goes_on;
}

/* What cannot be seen any more rules out little that the next decision would not: the model is not asked. */
static bool leave_sources(struct search *s, struct frame *f, unsigned read) {
  SET_EACH (w, s->frames.shape.w, frame_sources(&s->frames, f, read)) frame_drop_source(&s->frames, f, w, read);
  return filter_settle(s->filter, &s->frames, f);
}

enum search_status search_decide(struct search *s, struct prefix *prefix, unsigned read, unsigned write) {
  struct frame *f = prefix->frame = search_push(s, prefix->frame);
  if (write == s->frames.shape.n) return leave_sources(s, f, read) ? SEARCH_OPEN : SEARCH_IMPOSSIBLE;
  set_drop(s->frames.open_ended, read);
  frame_choose_source(&s->frames, f, write, read);
  return filter_settle(s->filter, &s->frames, f) ? SEARCH_OPEN : SEARCH_IMPOSSIBLE;
}

enum search_status search_look_closely(struct search *s, struct prefix *prefix) {
  if (!s->goes_on) return SEARCH_OPEN; /* it has been */
  if (!s->judge.bounds) return search_ask_model(s, s->frames.arena);
  return search_conclude(s, prefix->frame, BREADTH_CLAIMED);
}
