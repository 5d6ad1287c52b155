/* SPDX-License-Identifier: MIT */
/* Depth-first search over rf and co of one event structure.
 *
 * A frame is a partial candidate: for each read the writes it may still read
 * from, and the part of co that is decided (always transitively closed).  Each
 * step first draws conclusions (values, conditions of control flow, the
 * model's bounds and their derivative), then decides one read or one pair of
 * writes.  Reads come first, the most constrained one first; what co must be is
 * then mostly known.
 */
#include "checker/exec/search.h"

#include <stdio.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/exec/eval.h"
#include "checker/exec/goal.h"
#include "checker/native/native.h"

struct frame {
  struct partial p;
  word *sources; /* row r: the writes that read r may read from */
  word *unknown; /* events that have a value, not known yet */
  word *loose;   /* reads whose source, or whose value against it, is still to be settled */
  word *pending; /* conditions of control flow not known to hold yet */
  bool *known;   /* by event: its value is known */
  int64_t *value;
  struct level *level;
  struct frame *next; /* one deeper, for reuse */
};

struct search {
  struct arena *arena;
  const struct litmus_test *test;
  const struct cat_model *model;
  struct structure *structure;
  struct search_control *control;
  struct shape shape;
  size_t words;
  unsigned condition_words;
  struct bounds *bounds;
  word *forbidden_rf, *forbidden_co;
  uint64_t *raised;
  int64_t **registers;
  int64_t *final;
  enum search_kind kind;
  enum search_status status;
  struct frame *root;
  word *open_ended; /* reads that may see writes which are not there yet */
  bool found;       /* SEARCH_PROBE */
  uint64_t dead;    /* candidates dropped by the model since the start of this structure */
  uint64_t alive;   /* consistent ones */
};

/* ---- Frames ---------------------------------------------------------------- */

/* A frame's words are one block, so that one copy makes a child. */
static size_t frame_words(const struct search *s) {
  return s->words * 5 + s->shape.w * 2 + s->condition_words;
}

static struct frame *frame_new(struct search *s) {
  struct frame *f = ARENA_NEW(s->arena, struct frame);
  word *store = ARENA_ARRAY(s->arena, word, frame_words(s));
  f->p = (struct partial){store, store + s->words, store + 2 * s->words, store + 3 * s->words};
  f->sources = store + 4 * s->words;
  f->unknown = store + 5 * s->words;
  f->loose = f->unknown + s->shape.w;
  f->pending = f->loose + s->shape.w;
  f->known = ARENA_ARRAY(s->arena, bool, s->shape.n);
  f->value = ARENA_ARRAY(s->arena, int64_t, s->shape.n);
  return f;
}

static struct frame *frame_push(struct search *s, struct frame *from) {
  if (!from->next) from->next = frame_new(s);
  struct frame *f = from->next;
  memcpy(f->p.rf_lo, from->p.rf_lo, frame_words(s) * sizeof(word));
  memcpy(f->known, from->known, s->shape.n * sizeof *f->known);
  memcpy(f->value, from->value, s->shape.n * sizeof *f->value);
  f->level = level_push(s->bounds, from->level);
  return f;
}

/* ---- Choices ----------------------------------------------------------------- */

/* The first event of a set, n when it is empty. */
static unsigned first_of(struct shape s, const word *set) {
  for (unsigned i = 0; i < s.w; i++)
    if (set[i]) return i * 64 + (unsigned)__builtin_ctzll(set[i]);
  return s.n;
}

static bool is_single(struct shape s, const word *set) {
  bool some = false;
  for (unsigned i = 0; i < s.w; i++) {
    if (!set[i]) continue;
    if (some || set[i] & (set[i] - 1)) return false;
    some = true;
  }
  return some;
}

static const word *sources_of(const struct search *s, const struct frame *f, unsigned read) {
  return rel_row_const(s->shape, f->sources, read);
}

/* Only one source is left, and no other will come. */
static bool is_decided(const struct search *s, const struct frame *f, unsigned read) {
  return is_single(s->shape, sources_of(s, f, read)) && !set_has(s->open_ended, read);
}

static bool is_lost(const struct search *s, const struct frame *f, unsigned read) {
  return words_empty(s->shape.w, sources_of(s, f, read)) && !set_has(s->open_ended, read);
}

/* Rules a source out; the last one left is taken. */
static void drop_source(struct search *s, struct frame *f, unsigned write, unsigned read) {
  word *sources = rel_row(s->shape, f->sources, read);
  set_drop(sources, write);
  rel_drop(s->shape, f->p.rf_up, write, read);
  if (is_decided(s, f, read)) rel_add(s->shape, f->p.rf_lo, first_of(s->shape, sources), read);
}

static void choose_source(struct search *s, struct frame *f, unsigned write, unsigned read) {
  word *sources = rel_row(s->shape, f->sources, read);
  for (unsigned w = 0; w < s->shape.n; w++)
    if (w != write && set_has(sources, w)) rel_drop(s->shape, f->p.rf_up, w, read);
  words_clear(s->shape.w, sources);
  set_add(sources, write);
  rel_add(s->shape, f->p.rf_lo, write, read);
}

/* Adds (a, b) to co with what transitivity makes of it. */
static void order_writes(struct search *s, struct frame *f, unsigned a, unsigned b) {
  struct shape shape = s->shape;
  word after[shape.w];
  words_copy(shape.w, after, rel_row_const(shape, f->p.co_lo, b));
  set_add(after, b);
  for (unsigned x = 0; x < shape.n; x++) {
    if (x != a && !rel_has(shape, f->p.co_lo, x, a)) continue;
    words_or(shape.w, rel_row(shape, f->p.co_lo, x), rel_row_const(shape, f->p.co_lo, x), after);
    for (unsigned i = 0; i < shape.w; i++)
      for (word bits = after[i]; bits; bits &= bits - 1)
        rel_drop(shape, f->p.co_up, i * 64 + (unsigned)__builtin_ctzll(bits), x);
  }
}

/* ---- Values -------------------------------------------------------------------- */

static bool is_variable(const struct search *s, unsigned event) {
  const struct expr *e = s->structure->value[event];
  return e && e->kind == EXPR_REG && e->reg == s->structure->events[event].po_index &&
         s->structure->events[event].kind == EVENT_READ;
}

static bool event_value(const struct search *s, const struct frame *f, unsigned event, int64_t *value) {
  unsigned offset = s->structure->offset[s->structure->events[event].thread];
  return path_value(s->structure->value[event], f->known + offset, f->value + offset, value);
}

/* Gives values to the events that have one now.  True when some got theirs. */
static bool spread_values(struct search *s, struct frame *f) {
  bool moved = false;
  for (unsigned i = 0; i < s->shape.w; i++)
    for (word bits = f->unknown[i]; bits; bits &= bits - 1) {
      unsigned e = i * 64 + (unsigned)__builtin_ctzll(bits);
      if (!is_variable(s, e)) {
        f->known[e] = event_value(s, f, e, &f->value[e]);
      } else if (is_decided(s, f, e)) {
        unsigned source = first_of(s->shape, sources_of(s, f, e));
        f->known[e] = f->known[source];
        f->value[e] = f->value[source];
      }
      if (!f->known[e]) continue;
      set_drop(f->unknown, e);
      moved = true;
    }
  return moved;
}

/* Drops the sources whose known value is not the read's. */
static bool match_values(struct search *s, struct frame *f) {
  for (unsigned i = 0; i < s->shape.w; i++)
    for (word bits = f->loose[i]; bits; bits &= bits - 1) {
      unsigned r = i * 64 + (unsigned)__builtin_ctzll(bits);
      if (!f->known[r]) continue;
      bool all_known = true;
      for (unsigned k = 0; k < s->shape.w; k++)
        for (word from = sources_of(s, f, r)[k]; from; from &= from - 1) {
          unsigned w = k * 64 + (unsigned)__builtin_ctzll(from);
          if (!f->known[w])
            all_known = false;
          else if (f->value[w] != f->value[r])
            drop_source(s, f, w, r);
        }
      if (is_lost(s, f, r)) return false;
      if (all_known && !set_has(s->open_ended, r)) set_drop(f->loose, r);
    }
  return true;
}

/* A condition with one read open: keeps the sources whose value meets it. */
static bool filter_sources(struct search *s, struct frame *f, const struct structure_condition *c, unsigned open) {
  unsigned offset = s->structure->offset[c->thread], r = offset + open;
  const word *sources = rel_row_const(s->shape, f->sources, r);
  for (unsigned w = 0; w < s->shape.n; w++) {
    if (!set_has(sources, w) || !f->known[w]) continue;
    int64_t result;
    f->known[r] = true;
    f->value[r] = f->value[w];
    bool decided = path_value(c->value, f->known + offset, f->value + offset, &result);
    f->known[r] = false;
    if (decided && (result != 0) != c->nonzero) drop_source(s, f, w, r);
  }
  return !is_lost(s, f, r);
}

static bool apply_condition(struct search *s, struct frame *f, unsigned index) {
  const struct structure_condition *c = &s->structure->conditions[index];
  unsigned offset = s->structure->offset[c->thread];
  int64_t result;
  if (path_value(c->value, f->known + offset, f->value + offset, &result)) {
    set_drop(f->pending, index);
    return (result != 0) == c->nonzero;
  }
  unsigned open = 0, count = 0;
  if (c->read_count > CONDITION_READS) return true;
  for (unsigned i = 0; i < c->read_count; i++)
    if (!f->known[offset + c->reads[i]]) open = c->reads[i], count++;
  return count != 1 || !is_variable(s, offset + open) || filter_sources(s, f, c, open);
}

/* Values, and what control flow demands of them, to a fixpoint.  False when
 * this candidate cannot be completed. */
static bool settle_values(struct search *s, struct frame *f) {
  do {
    if (!match_values(s, f)) return false;
    for (unsigned i = 0; i < s->condition_words; i++)
      for (word bits = f->pending[i]; bits; bits &= bits - 1)
        if (!apply_condition(s, f, i * 64 + (unsigned)__builtin_ctzll(bits))) return false;
  } while (spread_values(s, f));
  return true;
}

/* Under -speedcheck, candidates that cannot decide the answer are dropped. */
static bool on_target(const struct search *s, const struct frame *f) {
  if (!s->control->options->stop_when_known) return true;
  struct goal_view view = {s->structure, f->known, f->value, f->p.co_lo};
  return goal_possible(s->test, &view);
}

/* ---- Conclusions ----------------------------------------------------------------- */

/* Decides what a derivative forces.  False when it leaves no choice. */
static bool force(struct search *s, struct frame *f, bool *moved) {
  struct shape shape = s->shape;
  for (unsigned r = 0; r < shape.n; r++) {
    const word *sources = sources_of(s, f, r);
    if (s->structure->events[r].kind != EVENT_READ || is_decided(s, f, r)) continue;
    for (unsigned w = 0; w < shape.n; w++)
      if (set_has(sources, w) && rel_has(shape, s->forbidden_rf, w, r)) {
        drop_source(s, f, w, r);
        *moved = true;
      }
    if (is_lost(s, f, r)) return false;
  }
  for (unsigned a = 0; a < shape.n; a++)
    for (unsigned i = 0; i < shape.w; i++) {
      word open =
          rel_row(shape, f->p.co_up, a)[i] & ~rel_row(shape, f->p.co_lo, a)[i] & rel_row(shape, s->forbidden_co, a)[i];
      for (; open; open &= open - 1) {
        unsigned b = i * 64 + (unsigned)__builtin_ctzll(open);
        if (!rel_has(shape, f->p.co_up, a, b)) continue;
        if (rel_has(shape, s->forbidden_co, b, a)) return false;
        order_writes(s, f, b, a);
        *moved = true;
      }
    }
  return true;
}

/* Derivatives cost about two updates: they are taken where candidates have been
 * dying, and in the part of the tree that workers walk in step. */
static bool worth_deriving(const struct search *s, uint64_t breadth) {
  return control_shares(s->control, breadth) || s->dead * 4 > s->alive;
}

static enum search_status conclude(struct search *s, struct frame *f, uint64_t breadth) {
  for (bool moved = true; moved;) {
    moved = false;
    if (!settle_values(s, f) || !on_target(s, f)) return SEARCH_IMPOSSIBLE;
    if (level_update(s->bounds, f->level, &f->p) == BOUNDS_FAIL) return SEARCH_REJECTED;
    if (!bounds_undecided(s->bounds) || !worth_deriving(s, breadth)) break;
    level_derive(s->bounds, f->level, &f->p, s->forbidden_rf, s->forbidden_co);
    if (!force(s, f, &moved)) return SEARCH_REJECTED;
  }
  return SEARCH_OPEN;
}

/* ---- Complete candidates ----------------------------------------------------------- */

/* Fills the execution's values; false when some value depends on itself. */
static bool complete_values(struct search *s, const struct frame *f) {
  struct structure *st = s->structure;
  for (unsigned e = st->init_count; e < s->shape.n; e++) {
    if (!st->value[e]) continue;
    if (!f->known[e]) return false;
    st->events[e].value = f->value[e];
  }
  const struct program *program = s->test->program;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      if (!path_value(st->paths[t]->registers[r], f->known + st->offset[t], f->value + st->offset[t],
                      &s->registers[t][r]))
        return false;
  return true;
}

static void complete_final(struct search *s, const struct frame *f) {
  const struct program *program = s->test->program;
  for (unsigned x = 0; x < program->location_count; x++) s->final[x] = program->locations[x].init;
  for (unsigned e = 0; e < s->shape.n; e++)
    if (s->structure->events[e].kind == EVENT_WRITE && words_empty(s->shape.w, rel_row_const(s->shape, f->p.co_lo, e)))
      s->final[s->structure->events[e].location] = s->structure->events[e].value;
}

static uint64_t mix(uint64_t key, uint64_t value) {
  key ^= value + 0x9e3779b97f4a7c15u + (key << 6) + (key >> 2);
  key *= 0xff51afd7ed558ccdu;
  return key ^ key >> 32;
}

/* Depends on the execution alone, not on how it was found. */
static uint64_t execution_key(const struct search *s, const struct frame *f) {
  uint64_t key = 0;
  for (unsigned t = 0; t < s->test->program->thread_count; t++) key = mix(key, s->structure->paths[t]->identity);
  for (unsigned e = 0; e < s->shape.n; e++) {
    const struct event *event = &s->structure->events[e];
    if (event->kind == EVENT_READ) key = mix(key, first_of(s->shape, sources_of(s, f, e)));
    if (event->kind == EVENT_WRITE) key = mix(key, words_popcount(s->shape.w, rel_row_const(s->shape, f->p.co_lo, e)));
  }
  return key;
}

static bool stop(struct search *s, enum enumerate_end end) {
  s->control->end = end;
  return false;
}

struct interpretation {
  struct search *search;
  struct found *found;
  bool on;
};

static void interpreted(void *context, const struct cat_outcome *outcome) {
  struct interpretation *i = context;
  const struct enumerate_sink *sink = i->search->control->sink;
  i->found->raised_names = outcome->raised;
  i->found->raised_undefined = outcome->undefined;
  i->found->raised_name_count = outcome->raised_count;
  i->search->control->stats.consistent++;
  i->on = i->on && sink->consistent(sink->context, i->found);
}

struct environment {
  struct arena *arena;
  const struct execution *execution;
  const struct search *search;
};

static const word *environment_base(void *context, enum cat_base base, const char *tag) {
  struct environment *environment = context;
  return execution_base(environment->arena, environment->execution, base, tag);
}

static bool environment_skip(void *context, const char *name) {
  const struct environment *environment = context;
  const struct cat_ir *ir = &environment->search->model->ir;
  const bool *skip = environment->search->control->options->skip;
  for (uint32_t i = 0; skip && i < ir->check_count; i++)
    if (skip[i] && !strcmp(ir->checks[i].name, name)) return true;
  return false;
}

static bool environment_stop(void *context) {
  const struct environment *environment = context;
  const struct search_control *c = environment->search->control;
  if (c->options->cancel && *c->options->cancel) return true;
  return c->deadline > 0 && monotonic_seconds() > c->deadline;
}

/* Keeps what is wrong with the model where the caller finds it. */
static void note_problem(struct search *s, const struct diag *diag) {
  struct enumerate_stats *stats = &s->control->stats;
  stats->problem.source = diag->source;
  stats->problem.span = diag->span;
  snprintf(stats->problem.text, sizeof stats->problem.text, "%s", diag->message);
}

/* Models that the graph cannot express have the last word from the interpreter,
 * or from C, which may find several ways, or none. */
static bool interpret(struct search *s, struct found *found) {
  struct arena *scratch = arena_new();
  struct environment environment = {scratch, found->execution, s};
  struct diags diags = diags_new(scratch);
  struct cat_env env = {.shape = s->shape,
                        .base = environment_base,
                        .skip = environment_skip,
                        .stop = environment_stop,
                        .context = &environment,
                        .diags = &diags};
  struct interpretation interpretation = {s, found, true};
  const char *failed;
  found->raised = NULL;
  unsigned ways = native_has(s->model) ? native_interpret(s->model, found->execution, s->control->options->skip,
                                                          scratch, interpreted, &interpretation)
                                       : cat_interpret(s->model, &env, scratch, interpreted, &interpretation, &failed);
  bool wrong = diags.errors > 0;
  if (wrong) note_problem(s, diags.at);
  arena_free(scratch);
  if (wrong) return stop(s, END_MODEL);
  const struct enumerate_sink *sink = s->control->sink;
  s->alive += ways;
  if (!ways && s->control->options->keep_rejected && sink->rejected)
    interpretation.on = sink->rejected(sink->context, found, NULL);
  return interpretation.on || stop(s, END_STOPPED);
}

static bool complete(struct search *s, struct frame *f) {
  if (!complete_values(s, f)) return true;
  complete_final(s, f);
  s->control->stats.visited++;
  const struct cat_check *failed = level_finish(s->bounds, f->level, &f->p, s->raised);
  struct execution *x = &s->structure->execution;
  x->rf = f->p.rf_lo;
  x->co = f->p.co_lo;
  x->registers = (const int64_t *const *)s->registers;
  x->final = s->final;
  struct found found = {.execution = x, .raised = s->raised, .key = execution_key(s, f)};
  const struct enumerate_sink *sink = s->control->sink;
  if (s->kind == SEARCH_PROBE) {
    s->found = !failed;
    return !s->found;
  }
  if (failed) {
    s->dead++;
    if (!s->control->options->keep_rejected || !sink->rejected) return true;
    return sink->rejected(sink->context, &found, failed) || stop(s, END_STOPPED);
  }
  if (s->model->ir.dynamic || native_has(s->model)) return interpret(s, &found);
  s->alive++;
  s->control->stats.consistent++;
  return sink->consistent(sink->context, &found) || stop(s, END_STOPPED);
}

/* ---- The search ------------------------------------------------------------------------ */

bool control_within_limits(struct search_control *c) {
  const struct enumerate_options *o = c->options;
  if (o->cancel && *o->cancel)
    c->end = END_CANCELLED;
  else if (c->stopped && c->stopped(c->context))
    c->end = END_STOPPED;
  else if (c->deadline > 0 && monotonic_seconds() > c->deadline)
    c->end = END_TIMEOUT;
  return c->end == END_DONE;
}

static bool within_limits(struct search *s) {
  struct search_control *c = s->control;
  if (++c->ticks % 64) return true;
  /* Levels of the bounds grow in the arena as the search goes deeper. */
  if (c->options->max_memory && c->memory + arena_size(s->arena) > c->options->max_memory) return stop(s, END_MEMORY);
  return control_within_limits(c);
}

bool control_not_mine(struct search_control *c) {
  if (c->unit++ != c->mine) return true;
  c->mine = c->draw(c->context);
  return false;
}

bool control_enter(struct search_control *c, uint64_t *breadth) {
  if (!c->split_breadth || *breadth == BREADTH_CLAIMED || control_shares(c, *breadth)) return true;
  *breadth = BREADTH_CLAIMED;
  return !control_not_mine(c);
}

/* The read to decide next, if some read has more than one source: of read-
 * modify-writes if there are any, since they settle coherence too, the one with
 * the fewest sources. */
static bool open_read(const struct search *s, const struct frame *f, unsigned *read) {
  size_t best = 0;
  bool best_rmw = false;
  for (unsigned r = s->structure->init_count; r < s->shape.n; r++) {
    const struct event *event = &s->structure->events[r];
    const word *sources = sources_of(s, f, r);
    if (event->kind != EVENT_READ || is_single(s->shape, sources)) continue;
    size_t count = words_popcount(s->shape.w, sources);
    if (best && best_rmw >= event->rmw && (best_rmw > event->rmw || best <= count)) continue;
    best = count;
    best_rmw = event->rmw;
    *read = r;
  }
  return best > 0;
}

static bool open_pair(const struct search *s, const struct frame *f, unsigned *a, unsigned *b) {
  struct shape shape = s->shape;
  for (*a = 0; *a < shape.n; ++*a) {
    word open[shape.w];
    words_minus(shape.w, open, rel_row_const(shape, f->p.co_up, *a), rel_row_const(shape, f->p.co_lo, *a));
    *b = first_of(shape, open);
    if (*b < shape.n) return true;
  }
  return false;
}

static bool descend(struct search *s, struct frame *f, uint64_t breadth);

static bool branch_on_read(struct search *s, struct frame *f, unsigned read, uint64_t breadth) {
  struct shape shape = s->shape;
  uint64_t below = breadth_below(breadth, words_popcount(shape.w, sources_of(s, f, read)));
  for (unsigned i = 0; i < shape.w; i++)
    for (word bits = rel_row(shape, f->sources, read)[i]; bits; bits &= bits - 1) {
      struct frame *child = frame_push(s, f);
      choose_source(s, child, i * 64 + (unsigned)__builtin_ctzll(bits), read);
      if (!descend(s, child, below)) return false;
    }
  return true;
}

static bool branch_on_pair(struct search *s, struct frame *f, unsigned a, unsigned b, uint64_t breadth) {
  for (int swapped = 0; swapped <= 1; swapped++) {
    struct frame *child = frame_push(s, f);
    order_writes(s, child, swapped ? b : a, swapped ? a : b);
    if (!descend(s, child, breadth_below(breadth, 2))) return false;
  }
  return true;
}

static bool descend(struct search *s, struct frame *f, uint64_t breadth) {
  struct search_control *c = s->control;
  if (!within_limits(s)) return false;
  if (!control_enter(c, &breadth)) return true;
  enum search_status status = conclude(s, f, breadth);
  unsigned read, a, b;
  bool reads_open = status == SEARCH_OPEN && open_read(s, f, &read);
  bool pairs_open = status == SEARCH_OPEN && !reads_open && open_pair(s, f, &a, &b);
  if (reads_open) return branch_on_read(s, f, read, breadth);
  if (pairs_open) return branch_on_pair(s, f, a, b, breadth);
  if (control_shares(c, breadth) && control_not_mine(c)) return true;
  if (status == SEARCH_OPEN) return complete(s, f);
  if (status == SEARCH_REJECTED) {
    c->stats.visited++;
    s->dead++;
  }
  return true;
}

/* ---- Setting up ---------------------------------------------------------------------------- */

static void initial_sources(struct search *s, struct frame *f) {
  const struct event *events = s->structure->events;
  for (unsigned r = 0; r < s->shape.n; r++) {
    if (events[r].kind != EVENT_READ) continue;
    for (unsigned w = 0; w < s->shape.n; w++) {
      if (events[w].kind != EVENT_WRITE || events[w].location != events[r].location) continue;
      /* A read-modify-write does not read itself: its write half comes later. */
      if (rel_has(s->shape, s->structure->execution.rmw, r, w)) continue;
      rel_add(s->shape, f->sources, r, w);
      rel_add(s->shape, f->p.rf_up, w, r);
    }
    set_add(f->loose, r);
    if (is_single(s->shape, sources_of(s, f, r)))
      rel_add(s->shape, f->p.rf_lo, first_of(s->shape, sources_of(s, f, r)), r);
  }
}

static void initial_order(struct search *s, struct frame *f) {
  if (s->model->ir.co == CO_NONE) return;
  const struct event *events = s->structure->events;
  for (unsigned a = 0; a < s->shape.n; a++)
    for (unsigned b = 0; b < s->shape.n; b++) {
      if (a == b || events[a].kind != EVENT_WRITE || events[b].kind != EVENT_WRITE) continue;
      if (events[a].location != events[b].location || events[b].thread < 0) continue;
      rel_add(s->shape, f->p.co_up, a, b);
      if (events[a].thread < 0) rel_add(s->shape, f->p.co_lo, a, b);
    }
}

static void apply_decision(struct search *s, struct frame *f, const struct decision *d) {
  const unsigned *offset = s->structure->offset;
  unsigned read = offset[d->thread] + d->index;
  for (unsigned i = 0; i < s->shape.w; i++)
    for (word bits = sources_of(s, f, read)[i]; bits; bits &= bits - 1) {
      unsigned w = i * 64 + (unsigned)__builtin_ctzll(bits);
      const struct event *event = &s->structure->events[w];
      if (event->thread != d->source_thread || (event->thread >= 0 && event->po_index != d->source_index))
        drop_source(s, f, w, read);
    }
}

/* Reads that open threads may still write for. */
static void find_open_ended(struct search *s, const struct decision *decisions,
                            bool (*may_write)(void *context, unsigned location), void *context) {
  for (unsigned r = s->structure->init_count; r < s->shape.n; r++)
    if (s->structure->events[r].kind == EVENT_READ && may_write(context, (unsigned)s->structure->events[r].location))
      set_add(s->open_ended, r);
  for (const struct decision *d = decisions; d; d = d->before)
    set_drop(s->open_ended, s->structure->offset[d->thread] + d->index);
}

static void start_frame(struct search *s, struct frame *root, const struct decision *decisions) {
  const struct structure *structure = s->structure;
  initial_sources(s, root);
  initial_order(s, root);
  for (unsigned e = 0; e < structure->init_count; e++) {
    root->known[e] = true;
    root->value[e] = structure->events[e].value;
  }
  for (unsigned e = structure->init_count; e < s->shape.n; e++)
    if (structure->value[e]) set_add(root->unknown, e);
  for (unsigned i = 0; i < structure->condition_count; i++) set_add(root->pending, i);
  for (const struct decision *d = decisions; d; d = d->before) apply_decision(s, root, d);
}

/* The root's consequences.  It is always looked at closely: what it decides, no
 * candidate need try. */
static enum search_status start(struct search *s, struct arena *arena) {
  const struct enumerate_options *o = s->control->options;
  bool prune = o->prune && !o->keep_rejected;
  if (!settle_values(s, s->root)) return SEARCH_IMPOSSIBLE;
  enum bounds_mode mode = !prune ? BOUNDS_EXACT : s->kind == SEARCH_PREFIX ? BOUNDS_PREFIX : BOUNDS_SEARCH;
  s->bounds = bounds_new(arena, &s->model->ir, &s->structure->execution, o->skip, mode, &s->root->p);
  s->root->level = bounds_root_level(s->bounds);
  if (prune && bounds_root_status(s->bounds) == BOUNDS_FAIL) return SEARCH_REJECTED;
  s->dead = 1;
  return s->kind == SEARCH_PREFIX ? conclude(s, s->root, BREADTH_CLAIMED) : SEARCH_OPEN;
}

/* Many beginnings are held at a time, one within the other: the model's bounds,
 * which are most of what one needs, go as soon as they have answered. */
static enum search_status start_and_drop(struct search *s) {
  struct arena *arena = arena_new();
  enum search_status status = start(s, arena);
  s->bounds = NULL;
  s->root->level = NULL;
  arena_free(arena);
  return status;
}

struct search *search_new(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                          struct structure *structure, struct search_control *control, enum search_kind kind,
                          const struct decision *decisions, bool (*may_write)(void *context, unsigned location),
                          void *context) {
  const struct program *program = test->program;
  struct search *s = ARENA_NEW(arena, struct search);
  struct shape shape = structure->execution.shape;
  *s = (struct search){.arena = arena,
                       .test = test,
                       .model = model,
                       .structure = structure,
                       .control = control,
                       .shape = shape,
                       .words = rel_words(shape),
                       .kind = kind};
  s->forbidden_rf = ARENA_ARRAY(arena, word, s->words);
  s->forbidden_co = ARENA_ARRAY(arena, word, s->words);
  s->open_ended = ARENA_ARRAY(arena, word, shape.w);
  s->raised = ARENA_ARRAY(arena, uint64_t, (model->ir.check_count + 63) / 64);
  s->registers = ARENA_ARRAY(arena, int64_t *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++)
    s->registers[t] = ARENA_ARRAY(arena, int64_t, program->threads[t].reg_count);
  s->final = ARENA_ARRAY(arena, int64_t, program->location_count);
  if (control->options->stop_when_known) goal_add_conditions(arena, test, structure);
  s->condition_words = (structure->condition_count + 63) / 64;
  s->root = frame_new(s);
  if (kind == SEARCH_PREFIX) find_open_ended(s, decisions, may_write, context);
  start_frame(s, s->root, decisions);
  s->status = kind == SEARCH_PREFIX ? start_and_drop(s) : start(s, arena);
  return s;
}

enum search_status search_status(const struct search *s) {
  return s->status;
}

bool search_run(struct search *s, uint64_t breadth) {
  return descend(s, s->root, breadth) || s->found;
}

bool search_found(const struct search *s) {
  return s->found;
}

/* ---- Questions about a beginning ------------------------------------------------------ */

bool search_known(const struct search *s, unsigned event) {
  return s->root->known[event];
}

bool search_open_ended(const struct search *s, unsigned read) {
  return set_has(s->open_ended, read);
}

const word *search_sources(const struct search *s, unsigned read) {
  return sources_of(s, s->root, read);
}

static unsigned undecided_in(const struct search *s, const struct expr *e, unsigned offset, word *seen);

/* `seen`: events on the way here, to notice values that hang on themselves. */
static unsigned undecided_before(const struct search *s, unsigned event, word *seen) {
  if (set_has(seen, event)) return s->shape.n;
  set_add(seen, event);
  if (is_variable(s, event)) {
    if (!is_decided(s, s->root, event)) return event;
    return undecided_before(s, first_of(s->shape, sources_of(s, s->root, event)), seen);
  }
  unsigned offset = s->structure->offset[s->structure->events[event].thread];
  return undecided_in(s, s->structure->value[event], offset, seen);
}

static unsigned undecided_in(const struct search *s, const struct expr *e, unsigned offset, word *seen) {
  if (!e || e->kind == EXPR_CONST) return s->shape.n;
  if (e->kind == EXPR_REG)
    return s->root->known[offset + e->reg] ? s->shape.n : undecided_before(s, offset + e->reg, seen);
  const struct expr *parts[] = {e->a, e->b, e->c};
  for (unsigned i = 0; i < 3; i++) {
    unsigned read = undecided_in(s, parts[i], offset, seen);
    if (read < s->shape.n) return read;
  }
  return s->shape.n;
}

unsigned search_undecided(const struct search *s, unsigned event) {
  word seen[s->shape.w];
  words_clear(s->shape.w, seen);
  return undecided_before(s, event, seen);
}

/* Is every read of the expression among the path's events that are there? */
static bool is_there(const struct expr *e, unsigned events) {
  if (!e || e->kind == EXPR_CONST) return true;
  if (e->kind == EXPR_REG) return e->reg < events;
  return is_there(e->a, events) && is_there(e->b, events) && is_there(e->c, events);
}

enum search_truth search_condition(const struct search *s, unsigned thread, const struct path_condition *c) {
  unsigned offset = s->structure->offset[thread];
  int64_t result;
  if (!is_there(c->value, s->structure->paths[thread]->event_count) ||
      !path_value(c->value, s->root->known + offset, s->root->value + offset, &result))
    return TRUTH_MAYBE;
  return (result != 0) == c->nonzero ? TRUTH_YES : TRUTH_NO;
}

const struct structure_condition *search_pending(const struct search *s, unsigned i) {
  return set_has(s->root->pending, i) ? &s->structure->conditions[i] : NULL;
}
