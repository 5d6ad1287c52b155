/* SPDX-License-Identifier: MIT */
/* The root of a search: which choices a structure leaves, what its locations and the
 * decisions taken so far rule out, and the consequences.  What no decision changes is found once for a structure that
 * is kept.
 */
#include "checker/exec/predefined_relations.h"
#include "checker/exec/search/barrier_choice.h"
#include "checker/exec/search/sc_fence_order.h"
#include "checker/exec/search/search_state.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/exec/search/value_propagation.h"
#include "checker/exec/search/wanted_outcome.h"

/* Of one structure, whoever searches it. */
struct structure_facts {
  const struct bounds_constants *constants[BOUNDS_MODES]; /* NULL: nobody asked yet */
  const struct frame *fresh;                              /* before any decision; NULL: not made yet */
  const word *open_ended;                                 /* and the reads that open threads may write for, then */
};

static struct structure_facts *facts_of(const struct search *s) {
  struct structure *structure = s->judge.structure;
  if (structure->kept_in && !structure->facts) structure->facts = ARENA_NEW(structure->kept_in, struct structure_facts);
  return structure->facts;
}

const struct bounds_constants *search_constants(struct search *s, struct arena *arena, enum bounds_mode mode) {
  struct structure_facts *facts = facts_of(s);
  const struct execution *execution = &s->frames.structure->execution;
  const bool *skip = s->judge.control->options->skip;
  if (!facts) return bounds_constants_new(arena, search_plan(s), execution, skip, mode);
  if (facts->constants[mode])
    rel_work_add(bounds_constants_work(facts->constants[mode]));
  else
    facts->constants[mode] = bounds_constants_new(s->frames.structure->kept_in, search_plan(s), execution, skip, mode);
  return facts->constants[mode];
}

/* By location: the writes to it. */
static const word *writes_by_location(const struct search *s) {
  struct shape shape = s->frames.shape;
  word *writes = ARENA_ARRAY(s->frames.arena, word, (size_t)s->judge.test->program->location_count * shape.w);
  for (unsigned e = 0; e < shape.n; e++)
    if (search_event(s, e)->kind == EVENT_WRITE) set_add(writes + (size_t)search_event(s, e)->location * shape.w, e);
  return writes;
}

static void initial_sources(struct search *s, struct frame *f, const word *writes) {
  struct shape shape = s->frames.shape;
  SET_EACH (r, shape.w, s->frames.reads) {
    word *sources = rel_row(shape, f->sources, r);
    /* A read-modify-write does not read itself: its write half comes later. */
    words_minus(shape.w, sources, writes + (size_t)search_event(s, r)->location * shape.w,
                rel_row_const(shape, s->frames.structure->execution.rmw, r));
    SET_EACH (w, shape.w, sources) rel_add(shape, f->p.up[CHOICE_RF], w, r);
    set_add(f->loose, r);
  }
}

static void take_only_sources(const struct search *s, struct frame *f) {
  SET_EACH (r, s->frames.shape.w, s->frames.reads)
    if (frame_decided(&s->frames, f, r))
      rel_add(s->frames.shape, f->p.lo[CHOICE_RF], frame_source(&s->frames, f, r), r);
}

static void initial_order(struct search *s, struct frame *f, const word *writes) {
  if (s->judge.model->ir.co == CO_NONE) return;
  struct shape shape = s->frames.shape;
  unsigned initial = s->frames.structure->init_count;
  word later[shape.w];
  words_clear(shape.w, later);
  set_add_range(later, initial, shape.n);
  for (unsigned a = 0; a < shape.n; a++) {
    if (search_event(s, a)->kind != EVENT_WRITE) continue;
    word *may = rel_row(shape, f->p.up[CHOICE_CO], a);
    words_and(shape.w, may, later, writes + (size_t)search_event(s, a)->location * shape.w);
    set_drop(may, a);
    if (a < initial) words_copy(shape.w, rel_row(shape, f->p.lo[CHOICE_CO], a), may);
  }
}

static void order_writes(struct search *s, struct frame *f, unsigned before, unsigned write) {
  struct shape shape = s->frames.shape;
  bool open = rel_has(shape, f->p.up[CHOICE_CO], before, write) && !rel_has(shape, f->p.lo[CHOICE_CO], before, write);
  if (open) frame_order(&s->frames, f, before, write);
}

static void apply_decision(struct search *s, struct frame *f, const struct decision *d) {
  unsigned read = s->frames.structure->offset[d->thread] + d->index;
  if (d->orders) {
    order_writes(s, f, s->frames.structure->offset[d->source_thread] + d->source_index, read);
    return;
  }
  SET_EACH (w, s->frames.shape.w, frame_sources(&s->frames, f, read)) {
    const struct event *event = search_event(s, w);
    bool source = event->thread == d->source_thread && (event->thread < 0 || event->po_index == d->source_index);
    if (source == d->excluded) frame_drop_source(&s->frames, f, w, read);
  }
}

/* Reads that open threads may still write for. */
static void find_open_ended(struct search *s, const struct decision *decisions) {
  struct structure_facts *facts = facts_of(s);
  unsigned words = s->frames.shape.w;
  if (facts && facts->open_ended)
    words_copy(words, s->frames.open_ended, facts->open_ended);
  else
    filter_find_open_ended(s->filter, &s->frames);
  if (facts && !facts->open_ended) {
    word *known = ARENA_COPY(s->frames.structure->kept_in, word, s->frames.open_ended, words);
    facts->open_ended = known;
  }
  for (const struct decision *d = decisions; d; d = d->before)
    if (!d->excluded) set_drop(s->frames.open_ended, s->frames.structure->offset[d->thread] + d->index);
}

/* ---- What is known of a beginning ------------------------------------------------------ */

/* An event of the beginning, in the structure. */
static unsigned event_here(const struct structure *above, const struct structure *here, unsigned event) {
  const struct event *e = &above->events[event];
  unsigned initial = 0;
  if (e->thread >= 0) return here->offset[e->thread] + e->po_index;
  while (here->events[initial].location != e->location) initial++;
  return initial;
}

/* A read sees what it could see there, and of what is new, if it could be fed. */
static void inherit_sources(struct search *s, struct frame *f, const struct prefix *above, const unsigned *here,
                            const word *there, unsigned read) {
  unsigned words = s->frames.shape.w;
  word lost[words];
  words_copy(words, lost, frame_sources(&s->frames, f, here[read]));
  SET_EACH (w, above->frames->shape.w, frame_sources(above->frames, above->frame, read)) set_drop(lost, here[w]);
  if (set_has(above->frames->open_ended, read)) words_and(words, lost, lost, there);
  SET_EACH (w, words, lost) frame_drop_source(&s->frames, f, w, here[read]);
}

/* What was ordered there is closed already, also with the initial writes that come before all. */
static void inherit_order(struct search *s, struct frame *f, unsigned before, unsigned write) {
  if (s->frames.partial) {
    order_writes(s, f, before, write);
    return;
  }
  rel_add(s->frames.shape, f->p.lo[CHOICE_CO], before, write);
  rel_drop(s->frames.shape, f->p.up[CHOICE_CO], write, before);
}

/* What was concluded above holds for all that goes on from there. */
static void inherit(struct search *s, struct frame *f, const struct prefix *above) {
  const struct frames *all = above->frames;
  unsigned here[all->shape.n + 1];
  word there[s->frames.shape.w];
  words_clear(s->frames.shape.w, there);
  for (unsigned e = 0; e < all->shape.n; e++) {
    here[e] = event_here(all->structure, s->frames.structure, e);
    set_add(there, here[e]);
  }
  SET_EACH (r, all->shape.w, all->reads) inherit_sources(s, f, above, here, there, r);
  for (unsigned a = all->structure->init_count; a < all->shape.n; a++) /* initial writes come first here, too */
    SET_EACH (b, all->shape.w, rel_row_const(all->shape, above->frame->p.lo[CHOICE_CO], a))
      inherit_order(s, f, here[a], here[b]);
}

/* ---- The root ------------------------------------------------------------------------- */

/* All that is possible before anything is decided. */
static void start_fresh(struct search *s, struct frame *root) {
  const struct structure *structure = s->frames.structure;
  const word *writes = writes_by_location(s);
  initial_sources(s, root, writes);
  initial_order(s, root, writes);
  if (root->p.lo[CHOICE_FENCES]) fences_start(&s->frames, root);
  for (unsigned e = 0; e < structure->init_count; e++) {
    root->known[e] = !structure->execution.program->locations[structure->events[e].location].any;
    root->value[e] = structure->events[e].value;
  }
  for (unsigned e = structure->init_count; e < s->frames.shape.n; e++)
    if (structure->value[e]) set_add(root->unknown, e);
  for (unsigned i = 0; i < structure->condition_count; i++) set_add(root->pending, i);
}

static struct frame *fresh_frame(struct search *s) {
  struct structure_facts *facts = facts_of(s);
  struct frame *root;
  if (facts && facts->fresh) return frame_copy(&s->frames, facts->fresh);
  root = frame_new(&s->frames);
  start_fresh(s, root);
  if (!facts) return root;
  struct frames kept = s->frames;
  kept.arena = s->frames.structure->kept_in;
  facts->fresh = frame_copy(&kept, root);
  return root;
}

static void start_frame(struct search *s, struct frame *root, const struct search_start *from) {
  take_only_sources(s, root);
  if (s->filter) filter_find_rmws(&s->frames, root);
  for (const struct decision *d = from->decisions; d; d = d->before) apply_decision(s, root, d);
  if (from->above && s->prune) inherit(s, root, from->above);
  const struct symmetry *symmetry = s->judge.control->options->symmetry;
  if (symmetry) symmetry_order(symmetry, &s->frames, root);
}

static bool settle_root(struct search *s) {
  return s->filter ? filter_settle(s->filter, &s->frames, s->root) : values_settle(&s->frames, s->root);
}

/* Of partial orders only the smallest count, where no flag could tell them apart.  Which flags are decided is known
 * by looking at the model before the end, also in a search that does not. */
static bool counts_smallest(struct search *s, const struct bounds *bounds) {
  const struct cat_model *model = s->judge.model;
  if (!s->frames.partial || model->judge || model->ir.dynamic) return false;
  if (s->prune || !bounds_flags_undecided(bounds)) return !bounds_flags_undecided(bounds);
  struct arena *arena = arena_new();
  bounds = bounds_new(arena, search_constants(s, arena, BOUNDS_SEARCH), &s->root->p);
  bool smallest = !bounds_flags_undecided(bounds);
  arena_free(arena);
  return smallest;
}

enum search_status search_ask_model(struct search *s, struct arena *arena) {
  enum bounds_mode mode = !s->prune ? BOUNDS_EXACT : s->kind == SEARCH_PREFIX ? BOUNDS_PREFIX : BOUNDS_SEARCH;
  struct bounds *bounds = s->judge.bounds = bounds_new(arena, search_constants(s, arena, mode), &s->root->p);
  s->root->level = bounds_root_level(bounds);
  if (s->prune && bounds_root_status(bounds) == BOUNDS_FAIL) return SEARCH_REJECTED;
  s->minimal = counts_smallest(s, bounds);
  s->judge.rejected = 1;
  s->below_root = search_candidates_below(s, s->root);
  return s->kind == SEARCH_PREFIX ? search_conclude(s, s->root, BREADTH_CLAIMED) : SEARCH_OPEN;
}

/* What follows without the model. */
static bool start_settled(struct search *s) {
  if (s->frames.chosen & choice_bit(CHOICE_MEETINGS) && !barrier_choice_start(&s->frames, s->root)) return false;
  return settle_root(s);
}

static enum search_status start(struct search *s, struct arena *arena) {
  return start_settled(s) ? search_ask_model(s, arena) : SEARCH_IMPOSSIBLE;
}

/* Many prefixes are held at a time, one within the other: the model's bounds, which are most of
 * what a large one needs, go as soon as they have answered. */
enum { MOST_KEPT_EVENTS = 128 };

static enum search_status start_and_drop(struct search *s) {
  struct arena *arena = arena_new();
  enum search_status status = start(s, arena);
  if (status != SEARCH_OPEN) search_record_closed(s, s->root, status);
  s->judge.bounds = NULL;
  s->root->level = NULL;
  arena_free(arena);
  return status;
}

/* Where threads go on at once, the model need not be asked: search_look_closely. */
static enum search_status start_prefix(struct search *s) {
  if (!s->filter || s->frames.record || s->frames.shape.n > MOST_KEPT_EVENTS) return start_and_drop(s);
  s->goes_on = true;
  return start_settled(s) ? SEARCH_OPEN : SEARCH_IMPOSSIBLE;
}

/* What the frames have in common, and which choices there are. */
static struct frames frames_of(struct arena *arena, struct record *record, const struct structure *structure,
                               bool whole) {
  struct shape shape = structure->execution.shape;
  struct frames all = {.arena = arena,
                       .record = record,
                       .structure = structure,
                       .shape = shape,
                       .condition_words = (structure->condition_count + 63) / 64,
                       .reads = ARENA_ARRAY(arena, word, shape.w),
                       .open_ended = ARENA_ARRAY(arena, word, shape.w),
                       .chosen = choice_bit(CHOICE_RF) | choice_bit(CHOICE_CO),
                       .whole = whole,
                       .partial = structure->execution.program->partial_coherence};
  if (fences_need_order(structure)) {
    all.chosen |= choice_bit(CHOICE_FENCES);
    all.inclusive = execution_base(arena, &structure->execution, BASE_SR, 0);
  }
  if (barrier_choice_exists(structure)) {
    all.chosen |= choice_bit(CHOICE_MEETINGS);
    all.meetings = execution_base(arena, &structure->execution, BASE_SAME_B, 0);
  }
  for (unsigned e = structure->init_count; e < shape.n; e++) {
    if (structure->events[e].order_open) all.chosen |= PLAN_ORDERS_OPEN;
    if (structure->events[e].kind == EVENT_READ) set_add(all.reads, e);
  }
  return all;
}

struct search *search_new(struct arena *arena, const struct asked_model *asked, struct structure *structure,
                          enum search_kind kind, const struct search_start *from, const struct source_filter *filter) {
  struct search_control *control = asked->control;
  struct search *s = ARENA_NEW(arena, struct search);
  struct shape shape = structure->execution.shape;
  if (control->options->stop_when_known && !structure->facts)
    wanted_outcome_add_conditions(structure->kept_in ? structure->kept_in : arena, asked->test, structure);
  *s = (struct search){.kind = kind,
                       .filter = filter,
                       .prune = control->options->prune && (!control->options->keep_rejected || kind == SEARCH_PROBE)};
  s->frames =
      frames_of(arena, kind == SEARCH_PROBE ? NULL : control->options->record, structure, kind != SEARCH_PREFIX);
  s->judge = (struct judge){.frames = &s->frames,
                            .test = asked->test,
                            .model = asked->model,
                            .structure = structure,
                            .control = control,
                            .probe = kind == SEARCH_PROBE};
  judge_prepare(&s->judge);
  for (int c = 0; c < CHOICES; c++) {
    if (!(s->frames.chosen & choice_bit((enum choice)c))) continue;
    s->forbidden.of[c] = ARENA_RAW(arena, word, rel_words(shape));
    s->required.of[c] = ARENA_RAW(arena, word, rel_words(shape));
  }
  s->root = fresh_frame(s);
  if (kind == SEARCH_PREFIX && filter) find_open_ended(s, from->decisions);
  start_frame(s, s->root, from);
  s->status = kind == SEARCH_PREFIX ? start_prefix(s) : start(s, arena);
  if (kind == SEARCH_ALL && s->status != SEARCH_OPEN) search_record_closed(s, s->root, s->status);
  return s;
}

enum search_status search_status(const struct search *s) {
  return s->status;
}
