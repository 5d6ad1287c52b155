/* SPDX-License-Identifier: MIT */
/* Threads run against each other, a fork at a time. The order of forks does
 * not matter to the executions that are found, only to how early an
 * impossible one is noticed: reads whose writes are all there are decided
 * first. */
#include "checker/exec/unfolding/unfold.h"

#include <assert.h>
#include <string.h>

#include "checker/exec/search/barrier_passing.h"
#include "checker/exec/search/symmetry.h"
#include "checker/exec/unfolding/future_writes.h"
#include "checker/exec/unfolding/rmw_exclusion.h"

enum { MOST_THREAD_EVENTS = 1024 };

struct unfolding {
  const struct litmus_test *test;
  const struct program *program;
  const struct cat_model *model;
  struct search_control *control;
  struct path_limits limits;
  struct future_writes *future;
  struct rmw_exclusion *rivals;
};

/* A node of the tree: how far each thread has come, and what was decided. */
struct node {
  const struct unfolding *u;
  struct thread_state **threads;
  const struct decision *decisions;
  uint64_t breadth;
  struct arena *arena; /* dropped with the node */
  struct structure *structure;
  struct search *search;
  struct prefix prefix;  /* some thread is open: what is known */
  struct record *record; /* as in struct enumerate_options */
};

static bool visit(const struct unfolding *u, struct thread_state **threads, const struct decision *decisions,
                  uint64_t breadth);

static bool may_feed(void *context, const struct structure *structure, unsigned read, const int64_t *value) {
  const struct node *n = context;
  return future_writes_may_feed(n->u->future, n->threads, structure, read, value);
}

static bool hidden(void *context, const struct structure *structure, unsigned read, unsigned write) {
  const struct node *n = context;
  return future_writes_hidden(n->u->future, structure, read, write);
}

static bool exclude(void *context, const struct structure *structure, unsigned a, unsigned b, unsigned write) {
  const struct node *n = context;
  return rmw_exclusion_holds(n->u->rivals, structure, a, b, write);
}

static struct search *search_of(struct node *n, enum search_kind kind) {
  struct source_filter *filter = ARENA_NEW(n->arena, struct source_filter);
  *filter = (struct source_filter){.context = n, .may_feed = may_feed, .hidden = hidden, .exclude = exclude};
  return search_new(n->arena, n->u->test, n->u->model, n->structure, n->u->control, kind, n->decisions,
                    kind == SEARCH_PROBE ? NULL : filter);
}

/* ---- Going on ------------------------------------------------------------------ */

/* Follows one branch of an open thread, one of `branches` that are tried. */
static bool follow(struct node *n, unsigned thread, unsigned branch, unsigned branches) {
  const struct unfolding *u = n->u;
  struct thread_state **threads = ARENA_ARRAY(n->arena, struct thread_state *, u->program->thread_count);
  memcpy(threads, n->threads, u->program->thread_count * sizeof *threads);
  threads[thread] = thread_resume(n->arena, u->program, thread, &u->limits, n->threads[thread], branch);
  if (!threads[thread]) {
    u->control->end = END_EVENTS;
    return false;
  }
  record_say(n->record, " (%u ", branch);
  bool on = visit(u, threads, n->decisions, breadth_below(n->breadth, branches));
  record_say(n->record, ")");
  return on;
}

/* Reads on which a fork turns: those of the conditions that its branches add. */
static unsigned first_condition(const struct node *n, unsigned thread) {
  return thread_path(n->threads[thread])->condition_count;
}

/* Can this branch be followed, as far as is known? */
static enum prefix_truth branch_truth(const struct node *n, unsigned thread, unsigned branch) {
  const struct path *path = thread_branch(n->threads[thread], branch);
  enum prefix_truth truth = TRUTH_YES;
  if (!path) return TRUTH_NO;
  for (unsigned i = first_condition(n, thread); i < path->condition_count; i++) {
    enum prefix_truth t = prefix_condition(&n->prefix, thread, &path->conditions[i]);
    if (t < truth) truth = t;
  }
  return truth;
}

/* A thread of which at most one branch is left needs no decision.  Returns whether
 * there is one; *branch is the number of branches when none can be followed. */
static bool forced_branch(const struct node *n, unsigned *thread, unsigned *branch) {
  for (*thread = 0; *thread < n->u->program->thread_count; ++*thread) {
    struct thread_state *state = n->threads[*thread];
    if (thread_end(state) != THREAD_OPEN) continue;
    unsigned count = thread_branch_count(state), left = 0;
    *branch = count;
    for (unsigned i = 0; i < count; i++)
      if (branch_truth(n, *thread, i) != TRUTH_NO) left++, *branch = i;
    if (left < 2) return true;
  }
  return false;
}

/* Follows an open thread along every branch that is not ruled out. */
static bool follow_all(struct node *n, unsigned thread) {
  unsigned count = thread_branch_count(n->threads[thread]);
  record_say(n->record, "(fork %u", thread);
  for (unsigned i = 0; i < count; i++)
    if (branch_truth(n, thread, i) != TRUTH_NO && !follow(n, thread, i, count)) return false;
  record_say(n->record, ")");
  return true;
}

/* Along its only one; `branch` may be none. */
static bool follow_only(struct node *n, unsigned thread, unsigned branch) {
  record_say(n->record, "(fork %u", thread);
  bool on = branch == thread_branch_count(n->threads[thread]) || follow(n, thread, branch, 1);
  record_say(n->record, ")");
  return on;
}

/* ---- Which read to decide --------------------------------------------------------- */

struct read_choice {
  unsigned read; /* number of events: none */
  size_t sources;
  bool stuck; /* some value hangs on itself: nothing will come of this */
};

static void consider_event(const struct node *n, unsigned event, struct read_choice *best) {
  if (prefix_known(&n->prefix, event)) return;
  struct shape s = n->structure->execution.shape;
  unsigned read = prefix_undecided(&n->prefix, event);
  best->stuck |= read == s.n;
  if (read == s.n || prefix_open_ended(&n->prefix, read)) return;
  size_t sources = words_popcount(s.w, prefix_sources(&n->prefix, read));
  if (best->read < s.n && sources >= best->sources) return;
  best->read = read;
  best->sources = sources;
}

static void consider(const struct node *n, const struct expr *e, unsigned thread, struct read_choice *best) {
  if (!e || e->kind == EXPR_CONST) return;
  if (e->kind == EXPR_REG) {
    /* What a branch adds itself is not there yet. */
    if (e->reg < n->structure->paths[thread]->event_count)
      consider_event(n, n->structure->offset[thread] + e->reg, best);
    return;
  }
  consider(n, e->a, thread, best);
  consider(n, e->b, thread, best);
  consider(n, e->c, thread, best);
}

/* Of the reads that forks turn on and whose writes are all there, the one with
 * the fewest. */
static struct read_choice choose_read(const struct node *n) {
  struct read_choice best = {.read = n->structure->execution.shape.n};
  for (unsigned t = 0; t < n->u->program->thread_count; t++) {
    if (thread_end(n->threads[t]) != THREAD_OPEN) continue;
    for (unsigned w = 0; w < thread_branch_count(n->threads[t]); w++) {
      const struct path *branch = thread_branch(n->threads[t], w);
      for (unsigned i = first_condition(n, t); branch && i < branch->condition_count; i++)
        consider(n, branch->conditions[i].value, t, &best);
    }
  }
  return best;
}

/* One child for each write that the read may read from. */
static bool branch_on_sources(struct node *n, unsigned read) {
  const struct event *events = n->structure->events;
  unsigned words = n->structure->execution.shape.w;
  struct decision d = {.thread = (unsigned)events[read].thread, .index = events[read].po_index, .before = n->decisions};
  const word *sources = prefix_sources(&n->prefix, read);
  uint64_t below = breadth_below(n->breadth, words_popcount(words, sources));
  record_event(n->record, "(read ", n->structure, read, "");
  SET_EACH (write, words, sources) {
    d.source_thread = events[write].thread;
    d.source_index = events[write].po_index;
    record_event(n->record, " (", n->structure, write, " ");
    if (!visit(n->u, n->threads, &d, below)) return false;
    record_say(n->record, ")");
  }
  record_say(n->record, ")");
  return true;
}

/* ---- One node ------------------------------------------------------------------------ */

static unsigned first_open(const struct node *n) {
  unsigned t = 0;
  while (thread_end(n->threads[t]) != THREAD_OPEN) t++;
  return t;
}

static bool expand(struct node *n) {
  unsigned thread, branch;
  if (forced_branch(n, &thread, &branch)) return follow_only(n, thread, branch);
  struct read_choice choice = choose_read(n);
  if (choice.stuck && !n->u->program->free_values) {
    record_say(n->record, "(values)");
    return true;
  }
  if (choice.read < n->structure->execution.shape.n) return branch_on_sources(n, choice.read);
  return follow_all(n, first_open(n));
}

static bool is_shared(const struct node *n) {
  return control_shares(n->u->control, n->breadth);
}

/* The whole of what hangs below is one unit of work. */
static bool claim(const struct node *n) {
  return !is_shared(n) || !control_not_mine(n->u->control);
}

/* Some thread was cut or does something undefined: all that matters is whether
 * the model has such an execution. */
static bool probe(struct node *n, bool cut, bool undefined) {
  struct search_control *c = n->u->control;
  if (!claim(n)) return true;
  record_say(n->record, undefined ? "(undefined)" : "(cut)");
  if (n->u->limits.stops) {
    for (unsigned t = 0; t < n->u->program->thread_count; t++)
      c->stats.cut |= thread_end(n->threads[t]) == THREAD_CUT && thread_path(n->threads[t])->busy;
    return true;
  }
  bool known = (!cut || c->stats.cut) && (!undefined || c->stats.undefined);
  if (known && !n->u->program->object_count) return true;
  n->search = search_of(n, SEARCH_PROBE);
  bool on = search_status(n->search) != SEARCH_OPEN || search_run(n->search, BREADTH_CLAIMED);
  if (!search_found(n->search)) return on;
  c->stats.cut |= cut;
  c->stats.undefined |= undefined;
  return true;
}

static bool rejected(struct node *n) {
  if (search_status(n->search) == SEARCH_REJECTED && claim(n)) n->u->control->stats.visited++;
  return true;
}

static bool search_all(struct node *n) {
  struct search_control *c = n->u->control;
  c->stats.structures += !(is_shared(n) && c->follows);
  n->search = search_of(n, SEARCH_ALL);
  return search_status(n->search) == SEARCH_OPEN ? search_run(n->search, n->breadth) : rejected(n);
}

static bool within_events(const struct node *n) {
  struct search_control *c = n->u->control;
  unsigned events = n->structure->execution.shape.n, most = c->options->max_events;
  if (events > c->stats.events) c->stats.events = events;
  if (!most || events <= most) return true;
  c->end = END_EVENTS;
  return false;
}

/* Counts what this node holds while those below it are visited. */
static bool within_memory(const struct node *n) {
  struct search_control *c = n->u->control;
  c->memory += arena_size(n->arena);
  if (!c->options->max_memory || c->memory <= c->options->max_memory) return true;
  c->end = END_MEMORY;
  return false;
}

/* What control barriers are about must be known before anything can be said of
 * them: decides the reads that it hangs on.  Returns whether all of it is. */
static bool settle_meetings(struct node *n, bool *on) {
  struct barrier_unknown unknown;
  *on = true;
  if (!barrier_find_unknown(n->structure, &unknown)) return true;
  n->search = search_of(n, SEARCH_PREFIX);
  if (search_status(n->search) != SEARCH_OPEN) {
    *on = rejected(n);
    return false;
  }
  n->prefix = search_prefix(n->search);
  do {
    unsigned thread = (unsigned)n->structure->events[unknown.event].thread;
    int64_t value;
    if (!prefix_value(&n->prefix, thread, unknown.value, &value)) {
      unsigned read = prefix_undecided_in(&n->prefix, thread, unknown.value);
      if (read < n->structure->execution.shape.n)
        *on = branch_on_sources(n, read);
      else
        record_say(n->record, "(values)");
      return false;
    }
    barrier_set(n->structure, &unknown, value);
  } while (barrier_find_unknown(n->structure, &unknown));
  return true;
}

/* Does some thread stop, as far as barriers say?  Marks what stays as it is. */
static bool stops(struct node *n) {
  struct structure *s = n->structure;
  unsigned count = n->u->program->thread_count;
  assert(count); /* a test has threads */
  bool blocked[count], stop = false, waits;
  for (unsigned t = 0; t < count; t++) {
    enum thread_end end = thread_end(n->threads[t]);
    blocked[t] = end == THREAD_BLOCKED;
    stop |= blocked[t] || end == THREAD_IDLE;
    for (unsigned i = s->paths[t]->round; end == THREAD_IDLE && i < s->paths[t]->event_count; i++)
      s->events[s->offset[t] + i].repeats = true;
  }
  return barriers_stop(s, blocked, &waits) && (stop || waits);
}

/* All threads have ended, or stopped. */
static bool visit_whole(struct node *n) {
  bool on;
  if (!settle_meetings(n, &on)) return on;
  bool counts = n->u->limits.stops ? stops(n) : barriers_all_pass(n->structure);
  if (counts) return search_all(n);
  record_say(n->record, "(held)");
  return true;
}

static struct structure *put_together(const struct node *n) {
  unsigned count = n->u->program->thread_count;
  const struct path **paths = ARENA_ARRAY(n->arena, const struct path *, count);
  bool *ended = ARENA_ARRAY(n->arena, bool, count);
  for (unsigned t = 0; t < count; t++) {
    paths[t] = thread_path(n->threads[t]);
    ended[t] = thread_end(n->threads[t]) == THREAD_ENDED;
  }
  return structure_build(n->arena, n->u->program, paths, ended);
}

static bool visit_node(struct node *n) {
  bool open = false, cut = false, undefined = false;
  for (unsigned t = 0; t < n->u->program->thread_count; t++) {
    enum thread_end end = thread_end(n->threads[t]);
    if (end == THREAD_IMPOSSIBLE) {
      record_say(n->record, "(values)");
      return true;
    }
    open |= end == THREAD_OPEN;
    cut |= end == THREAD_CUT;
    undefined |= end == THREAD_UNDEFINED;
  }
  n->structure = put_together(n);
  if (!within_events(n)) return false;
  const struct symmetry *symmetry = n->u->control->options->symmetry;
  if (symmetry && !symmetry_may_stand(symmetry, n->structure)) return true;
  if (!open) return cut || undefined ? probe(n, cut, undefined) : visit_whole(n);
  n->search = search_of(n, SEARCH_PREFIX);
  if (search_status(n->search) != SEARCH_OPEN) return rejected(n);
  n->prefix = search_prefix(n->search);
  return within_memory(n) && expand(n);
}

static bool visit(const struct unfolding *u, struct thread_state **threads, const struct decision *decisions,
                  uint64_t breadth) {
  struct search_control *c = u->control;
  if (!control_within_limits(c)) return false;
  if (!control_enter(c, &breadth)) return true;
  struct node n = {.u = u,
                   .threads = threads,
                   .decisions = decisions,
                   .breadth = breadth,
                   .arena = arena_new(),
                   .record = c->options->record};
  size_t above = c->memory;
  bool before = record_node(n.record), on = visit_node(&n);
  record_end(n.record, before);
  c->memory = above;
  arena_free(n.arena);
  return on;
}

void unfold(const struct litmus_test *test, const struct cat_model *model, struct search_control *control) {
  const struct program *program = test->program;
  struct arena *arena = control->arena = arena_new();
  unsigned most = control->options->max_events ? control->options->max_events : MOST_THREAD_EVENTS;
  struct unfolding u = {.test = test,
                        .program = program,
                        .model = model,
                        .control = control,
                        .limits = {.unroll = control->options->unroll,
                                   .max_events = most,
                                   .stops = control->options->stops,
                                   .awaits = control->options->awaits,
                                   .polls = control->options->polls,
                                   .spin_folds = control->options->spin_folds,
                                   .reads_first = !control->options->record,
                                   .forks = control->options->record},
                        .future = future_writes_new(arena, test, model, control),
                        .rivals = rmw_exclusion_new(arena, test, model, control)};
  struct thread_state **threads = ARENA_ARRAY(arena, struct thread_state *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count && control->end == END_DONE; t++) {
    threads[t] = thread_start(arena, program, t, &u.limits);
    if (!threads[t]) control->end = END_EVENTS;
  }
  if (control->end == END_DONE) visit(&u, threads, NULL, 1);
  arena_free(arena);
}
