/* SPDX-License-Identifier: MIT */
/* Threads run against each other, a fork at a time. The order of forks does
 * not matter to the executions that are found, only to how early an
 * impossible one is noticed: reads whose writes are all there are decided
 * first. */
#include "checker/exec/unfolding/unfold_threads.h"


#include "checker/exec/search/barrier_passing.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/exec/unfolding/event_structure_cache.h"
#include "checker/exec/unfolding/increment_only_counters.h"
#include "checker/exec/unfolding/next_read_to_decide.h"
#include "checker/exec/unfolding/po_rf_acyclicity.h"
#include "checker/exec/unfolding/rmw_exclusion.h"
#include "checker/exec/unfolding/serial_run.h"
#include "checker/exec/unfolding/symmetry_first_writes.h"
#include "checker/exec/unfolding/unknown_initial_values.h"

enum { MOST_THREAD_EVENTS = 1024, PATHS_ROOM = 16 << 20, STRUCTURES_ROOM = 8 << 20, MOST_EVENTS_TO_KEEP = 128 };

struct unfolding {
  const struct litmus_test *test;
  const struct program *program;
  const struct cat_model *model;
  struct search_control *control;
  struct path_limits limits;
  struct path_store paths;
  struct first_writes *first;
  struct future_writes *future;
  struct rmw_exclusion *exclusion;
  struct counters *counters;            /* NULL: there are none */
  struct unknown_initial_values *given; /* the same */
  struct kept_structures *kept;         /* NULL: none are */
  bool waits; /* a fork may wait until a read is fed that sees nothing yet there, since none sees what comes of it */
};

/* A node of the tree: how far each thread has come, and what was decided. */
struct node {
  const struct unfolding *u;
  struct thread_state **threads;
  const struct decision *decisions;
  const struct prefix *above; /* what is known where the threads came from; NULL: nothing, or it is not to be used */
  uint64_t breadth;
  struct arena *arena; /* dropped with the node */
  struct standing *standing;
  struct structure *structure; /* that stands there */
  struct search *search;
  struct prefix prefix;  /* some thread is open: what is known */
  bool goes_on;          /* and decisions can be added to it */
  bool seen;             /* and the model has been asked about all of them */
  struct record *record; /* as in struct enumerate_options */
};

static bool visit_from(const struct node *from, struct thread_state **threads, const struct decision *decisions,
                       uint64_t breadth);
static bool visit_decided(const struct node *from, const struct decision *decisions, unsigned read, unsigned write,
                          uint64_t breadth);
static bool rejected(const struct node *n, enum search_status status);

static bool may_feed(void *context, const struct structure *structure, unsigned read, const int64_t *value,
                     const word *done) {
  const struct node *n = context;
  return future_writes_may_feed(n->u->future, n->threads, structure, read, value, done);
}

static unsigned coming(void *context, const struct structure *structure, unsigned read, bool waits, int64_t *values) {
  const struct node *n = context;
  return future_writes_values(n->u->future, n->threads, structure, read, waits, values);
}

static bool hidden(void *context, const struct structure *structure, unsigned read, unsigned write) {
  const struct node *n = context;
  return future_writes_hidden(n->u->future, structure, read, write);
}

static bool exclude(void *context, const struct structure *structure, unsigned a, unsigned b, unsigned write) {
  const struct node *n = context;
  return rmw_exclusion_holds(n->u->exclusion, structure, a, b, write);
}

static bool shut_out(void *context, const struct frames *all, const struct frame *f) {
  const struct node *n = context;
  return first_writes_shut_out(n->u->first, all, f);
}

/* ---- Compare-and-swaps that are still to succeed or fail --------------------------------- */

/* The conditions that a fork's branches add. */
static unsigned first_condition(const struct thread_state *state) {
  return thread_path(state)->condition_count;
}

/* Is this the branch on which a compare-and-swap succeeds, whose read is the path's last event before it? */
static bool is_success(const struct path *path, const struct path *branch) {
  unsigned last = path->event_count - 1;
  if (!path->event_count || !branch || branch->event_count == path->event_count) return false;
  return !path->events[last].event.rmw && branch->events[last].event.rmw && branch->events[last + 1].event.rmw;
}

/* Where a thread forks on a compare-and-swap, the branch on which that succeeds; else the number of branches. */
static unsigned success_of(const struct thread_state *state) {
  unsigned b = 0;
  while (b < thread_branch_count(state) && !is_success(thread_path(state), thread_branch(state, b))) b++;
  return b;
}

static bool awaits_success(const struct thread_state *state) {
  return thread_end(state) == THREAD_OPEN && success_of(state) < thread_branch_count(state);
}

static const word *find_swaps(const struct node *n) {
  word *swaps = ARENA_ARRAY(n->arena, word, n->structure->execution.shape.w);
  for (unsigned t = 0; t < n->u->program->thread_count; t++)
    if (awaits_success(n->threads[t]))
      set_add(swaps, n->structure->offset[t] + thread_path(n->threads[t])->event_count - 1);
  return swaps;
}

/* Does it succeed if its read sees a write: can it go on along no other branch? */
static bool would_succeed(const struct node *n, const struct frames *all, const struct frame *f, unsigned read,
                          unsigned write) {
  unsigned thread = (unsigned)n->structure->events[read].thread;
  const struct thread_state *state = n->threads[thread];
  for (unsigned b = 0; b < thread_branch_count(state); b++) {
    const struct path *branch = thread_branch(state, b);
    bool open = b != success_of(state) && branch;
    for (unsigned i = first_condition(state); open && i < branch->condition_count; i++)
      open = prefix_condition_on(all, f, thread, &branch->conditions[i], read, write) != TRUTH_NO;
    if (open) return false;
  }
  return true;
}

/* The structure, with what a thread's compare-and-swap adds if it succeeds. */
static struct structure *with_success(const struct node *n, unsigned thread) {
  struct structure **known = &n->standing->swapped[thread];
  if (*known) return *known;
  struct arena *arena = n->standing->arena;
  unsigned count = n->u->program->thread_count;
  const struct path **paths = ARENA_COPY(arena, const struct path *, n->structure->paths, count);
  paths[thread] = thread_branch(n->threads[thread], success_of(n->threads[thread]));
  return *known = structure_build(arena, n->u->program, paths, n->structure->ended);
}

/* An event of the one structure in the other, which has more at threads' ends. */
static unsigned same_event(const struct structure *from, const struct structure *to, unsigned event) {
  const struct event *e = &from->events[event];
  return e->thread < 0 ? event : to->offset[e->thread] + e->po_index;
}

static bool swaps_in_vain(void *context, const struct frames *all, const struct frame *f, unsigned read, unsigned write,
                          unsigned other_rmw) {
  const struct node *n = context;
  const struct structure *s = n->structure;
  if (!would_succeed(n, all, f, read, write)) return false;
  const struct structure *then = with_success(n, (unsigned)s->events[read].thread);
  return rmw_exclusion_holds(n->u->exclusion, then, same_event(s, then, other_rmw), same_event(s, then, read),
                             same_event(s, then, write));
}

/* ---- Searches ---------------------------------------------------------------------------- */

static struct search *search_of(struct node *n, enum search_kind kind) {
  struct source_filter *filter = ARENA_NEW(n->arena, struct source_filter);
  *filter = (struct source_filter){.context = n,
                                   .may_feed = may_feed,
                                   .causal = n->u->waits,
                                   .coming = coming,
                                   .hidden = hidden,
                                   .exclude = exclude,
                                   .swaps_in_vain = swaps_in_vain,
                                   .swaps = kind == SEARCH_PREFIX && !n->record ? find_swaps(n) : NULL,
                                   .shut_out = shut_out};
  const struct search_start from = {n->decisions, n->above};
  const struct asked_model asked = {n->u->test, n->u->model, n->u->control};
  return search_new(n->arena, &asked, n->structure, kind, &from, kind == SEARCH_PROBE ? NULL : filter);
}

/* ---- Going on ------------------------------------------------------------------ */

static struct thread_state **copy_threads(const struct node *n) {
  return ARENA_COPY(n->arena, struct thread_state *, n->threads, n->u->program->thread_count);
}

/* One of the threads goes on.  False, with the reason in control->end, if it has too many events. */
static bool resume(const struct node *n, struct thread_state **threads, unsigned thread, unsigned branch) {
  const struct unfolding *u = n->u;
  threads[thread] = thread_go_on(&u->paths, n->arena, thread, threads[thread], branch);
  return threads[thread] || control_end(u->control, END_EVENTS);
}

/* Follows one branch of an open thread, one of `branches` that are tried. */
static bool follow(struct node *n, unsigned thread, unsigned branch, unsigned branches) {
  struct thread_state **threads = copy_threads(n);
  if (!resume(n, threads, thread, branch)) return false;
  record_say(n->record, " (%u ", branch);
  bool on = visit_from(n, threads, n->decisions, breadth_below(n->breadth, branches));
  record_say(n->record, ")");
  return on;
}

/* Does a branch lead to a round in vain?  (A certificate follows it.) */
static bool leads_nowhere(const struct node *n, const struct thread_state *state, unsigned thread, unsigned branch) {
  const struct unfolding *u = n->u;
  if (!u->limits.spin_folds || n->record || !thread_is_kept(state)) return false;
  const struct thread_state *next = thread_go_on(&u->paths, n->arena, thread, state, branch);
  return next && thread_end(next) == THREAD_IMPOSSIBLE;
}

/* Has some thread gone a way on which a value that all share is otherwise? */
static bool is_denied(const struct node *n, const struct path *path, const struct path_condition *condition) {
  bool denied = false;
  for (unsigned t = 0; n->u->given && t < n->u->program->thread_count && !denied; t++)
    denied = unknown_initial_values_deny(n->u->given, path, condition, thread_path(n->threads[t]));
  return denied;
}

/* Can this branch of a thread be followed, as far as is known? */
static enum prefix_truth branch_truth(const struct node *n, const struct thread_state *state, unsigned thread,
                                      unsigned branch) {
  const struct path *path = thread_branch(state, branch);
  enum prefix_truth truth = TRUTH_YES;
  if (!path || leads_nowhere(n, state, thread, branch)) return TRUTH_NO;
  for (unsigned i = first_condition(state); i < path->condition_count; i++) {
    enum prefix_truth t = prefix_condition(&n->prefix, thread, &path->conditions[i]);
    if (t == TRUTH_MAYBE && is_denied(n, path, &path->conditions[i])) t = TRUTH_NO;
    if (t < truth) truth = t;
  }
  return truth;
}

/* An open thread of which at most one branch is left needs no decision.  *branch is the
 * number of branches when none can be followed. */
static bool is_forced(const struct node *n, const struct thread_state *state, unsigned thread, unsigned *branch) {
  if (thread_end(state) != THREAD_OPEN) return false;
  unsigned count = thread_branch_count(state), left = 0;
  *branch = count;
  for (unsigned i = 0; i < count; i++)
    if (branch_truth(n, state, thread, i) != TRUTH_NO) left++, *branch = i;
  return left < 2;
}

static bool forced_branch(const struct node *n, unsigned *thread, unsigned *branch) {
  for (*thread = 0; *thread < n->u->program->thread_count; ++*thread)
    if (is_forced(n, n->threads[*thread], *thread, branch)) return true;
  return false;
}

/* From the first such thread on, all go on at once, each as far as it can. */
static bool follow_forced(struct node *n, unsigned first, unsigned branch) {
  struct thread_state **threads = copy_threads(n);
  for (unsigned t = first; t < n->u->program->thread_count; t++)
    while ((t == first && threads[t] == n->threads[t]) || is_forced(n, threads[t], t, &branch)) {
      if (branch == thread_branch_count(threads[t])) return true;
      if (!resume(n, threads, t, branch)) return false;
    }
  return visit_from(n, threads, n->decisions, n->breadth);
}

/* Follows an open thread along every branch that is not ruled out. */
static bool follow_all(struct node *n, unsigned thread) {
  unsigned count = thread_branch_count(n->threads[thread]);
  record_say(n->record, "(fork %u", thread);
  for (unsigned i = 0; i < count; i++)
    if (branch_truth(n, n->threads[thread], thread, i) != TRUTH_NO && !follow(n, thread, i, count)) return false;
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

/* ---- Its sources ---------------------------------------------------------------------------- */

static struct decision decision_of(const struct node *n, unsigned read) {
  const struct event *events = n->structure->events;
  return (struct decision){
      .thread = (unsigned)events[read].thread, .index = events[read].po_index, .before = n->decisions};
}

static void decide_source(const struct node *n, struct decision *d, unsigned write) {
  const struct event *event = &n->structure->events[write];
  d->source_thread = event->thread;
  d->source_index = event->po_index;
}

/* A child in which a read sees a write, or none of those that are there. */
static bool follow_decision(const struct node *n, const struct decision *decisions, unsigned read, unsigned write,
                            uint64_t breadth) {
  return n->goes_on ? visit_decided(n, decisions, read, write, breadth) : visit_from(n, n->threads, decisions, breadth);
}

/* One child for each write that the read may read from, of `branches`. */
static bool follow_sources(const struct node *n, unsigned read, size_t branches) {
  struct decision d = decision_of(n, read);
  uint64_t below = breadth_below(n->breadth, branches);
  SET_EACH (write, n->structure->execution.shape.w, prefix_sources(&n->prefix, read)) {
    decide_source(n, &d, write);
    record_event(n->record, " (", n->structure, write, " ");
    if (!follow_decision(n, &d, read, write, below)) return false;
    record_say(n->record, ")");
  }
  return true;
}

static bool branch_on_sources(const struct node *n, unsigned read) {
  record_event(n->record, "(read ", n->structure, read, "");
  if (!follow_sources(n, read, words_popcount(n->structure->execution.shape.w, prefix_sources(&n->prefix, read))))
    return false;
  record_say(n->record, ")");
  return true;
}

/* The child in which it sees none of them, but what is still to come. */
static bool follow_waiting(const struct node *n, unsigned read, size_t branches) {
  struct decision decisions[branches], *next = decisions;
  SET_EACH (write, n->structure->execution.shape.w, prefix_sources(&n->prefix, read)) {
    *next = decision_of(n, read);
    decide_source(n, next, write);
    next->excluded = true;
    if (next != decisions) next->before = next - 1;
    next++;
  }
  unsigned none = n->structure->execution.shape.n;
  return follow_decision(n, next - 1, read, none, breadth_below(n->breadth, branches));
}

static bool branch_or_wait(const struct node *n, unsigned read) {
  size_t branches = words_popcount(n->structure->execution.shape.w, prefix_sources(&n->prefix, read)) + 1;
  return follow_sources(n, read, branches) && follow_waiting(n, read, branches);
}

/* ---- One node ------------------------------------------------------------------------ */

static unsigned first_open(const struct node *n) {
  unsigned t = 0;
  while (thread_end(n->threads[t]) != THREAD_OPEN) t++;
  return t;
}

/* The first open thread whose fork turns on no read. */
static unsigned first_free(const struct node *n, const struct fork_reads *reads) {
  for (unsigned t = 0; t < n->u->program->thread_count; t++) {
    bool is_free = thread_end(n->threads[t]) == THREAD_OPEN;
    for (size_t i = 0; i < reads->list.count; i++) is_free &= reads->list.at[i].thread != t;
    if (is_free) return t;
  }
  return first_open(n);
}

/* Where no read sees what comes of it, executions grow a read at a time: it sees what is there, or
 * its thread waits while others go on. */
static bool grow(struct node *n, const struct fork_view *view, const struct fork_reads *reads) {
  unsigned none = n->structure->execution.shape.n, read;
  if (fork_reads_wait_in_vain(view, reads)) return true;
  read = fork_reads_choose(view, reads, FORK_FIRST_CLOSED);
  if (read < none) return branch_on_sources(n, fork_reads_rmw_before(view, reads, read));
  read = fork_reads_choose(view, reads, FORK_OPEN_ENDED);
  return read < none ? branch_or_wait(n, read) : follow_all(n, first_free(n, reads));
}

static bool expand(struct node *n) {
  unsigned thread, branch;
  if (forced_branch(n, &thread, &branch))
    return n->record ? follow_only(n, thread, branch) : follow_forced(n, thread, branch);
  if (n->goes_on && !n->seen) {
    enum search_status status = search_look_closely(n->search, &n->prefix);
    if (status != SEARCH_OPEN) return rejected(n, status);
    if (forced_branch(n, &thread, &branch)) return follow_forced(n, thread, branch);
  }
  const struct fork_view view = {.arena = n->arena,
                                 .program = n->u->program,
                                 .threads = n->threads,
                                 .structure = n->structure,
                                 .prefix = &n->prefix,
                                 .future = n->u->future};
  struct fork_reads reads = fork_reads_find(&view);
  if (reads.stuck && !n->u->program->free_values) {
    record_say(n->record, "(values)");
    return true;
  }
  if (n->u->waits) return grow(n, &view, &reads);
  unsigned read = fork_reads_choose(&view, &reads, FORK_CLOSED);
  return read < n->structure->execution.shape.n ? branch_on_sources(n, read) : follow_all(n, first_open(n));
}

static bool is_shared(const struct node *n) {
  return control_shares(n->u->control, n->breadth);
}

/* The whole of what hangs below is one unit of work. */
static bool claim(const struct node *n) {
  return !is_shared(n) || !control_not_mine(n->u->control);
}

/* The execution counts, whatever is undefined in it. */
static void note_undefined(const struct node *n) {
  struct enumerate_stats *stats = &n->u->control->stats;
  for (unsigned t = 0; t < n->u->program->thread_count && !stats->undefined; t++) {
    if (thread_end(n->threads[t]) != THREAD_UNDEFINED) continue;
    stats->undefined = true;
    stats->undefined_at.thread = t;
    stats->undefined_at.instr = thread_position(n->threads[t]);
  }
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
  if (undefined) note_undefined(n);
  return true;
}

static bool rejected(const struct node *n, enum search_status status) {
  if (status == SEARCH_REJECTED && claim(n)) n->u->control->stats.visited++;
  return true;
}

static bool search_all(struct node *n) {
  struct search_control *c = n->u->control;
  c->stats.structures += !(is_shared(n) && c->follows);
  n->search = search_of(n, SEARCH_ALL);
  if (search_status(n->search) != SEARCH_OPEN) return rejected(n, search_status(n->search));
  uint64_t before = c->stats.consistent;
  bool on = search_run(n->search, n->breadth);
  if (c->options->undefined_ends && c->stats.consistent > before) note_undefined(n);
  return on;
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
 * them: decides the reads that it depends on.  Returns whether all of it is. */
static bool settle_meetings(struct node *n, bool *on) {
  struct barrier_unknown unknown;
  *on = true;
  if (!barrier_find_unknown(n->structure, &unknown)) return true;
  n->search = search_of(n, SEARCH_PREFIX);
  if (search_status(n->search) != SEARCH_OPEN) {
    *on = rejected(n, search_status(n->search));
    return false;
  }
  n->prefix = search_prefix(n->search);
  enum search_status status = search_look_closely(n->search, &n->prefix);
  if (status != SEARCH_OPEN) {
    *on = rejected(n, status);
    return false;
  }
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

static bool may_block(const struct node *n) {
  return n->u->limits.stops || n->u->limits.begins;
}

static enum thread_end *ends_of(const struct node *n) {
  enum thread_end *end = ARENA_ARRAY(n->arena, enum thread_end, n->u->program->thread_count);
  for (unsigned t = 0; t < n->u->program->thread_count; t++) end[t] = thread_end(n->threads[t]);
  return end;
}

/* Do barriers let the threads come to where they have ended or stopped, and no further? */
static bool meets(const struct node *n) {
  bool some;
  if (!may_block(n)) return barriers_all_pass(n->structure);
  return threads_stop(n->structure, ends_of(n), &some) && (some || n->u->limits.begins);
}

static bool may_meet(const struct node *n) {
  return !may_block(n) || threads_may_stop(n->structure, ends_of(n));
}

/* Threads that have ended would be held back by a barrier: if the model has nothing against it, they are. */
static void note_held(struct node *n) {
  bool *held = &n->u->control->stats.held;
  if (*held || n->record || may_block(n) || n->u->control->most_effort) return;
  n->search = search_of(n, SEARCH_PROBE);
  if (search_status(n->search) == SEARCH_OPEN) search_run(n->search, BREADTH_CLAIMED);
  *held = search_found(n->search);
}

/* All threads have ended, or stopped. */
static bool visit_whole(struct node *n) {
  bool on;
  if (!settle_meetings(n, &on)) return on;
  if (meets(n)) return search_all(n);
  note_held(n);
  record_say(n->record, "(held)");
  return true;
}

static bool has_ended(const struct unfolding *u, const struct thread_state *thread) {
  enum thread_end end = thread_end(thread);
  const struct enumerate_options *o = u->control->options;
  return end == THREAD_ENDED || (end == THREAD_UNDEFINED && o->undefined_ends) ||
         ((end == THREAD_CUT || end == THREAD_BLOCKED) && o->begins);
}

static void put_together(const struct node *n, struct standing *standing) {
  unsigned count = n->u->program->thread_count;
  struct arena *arena = standing->arena;
  const struct path **paths = ARENA_ARRAY(arena, const struct path *, count);
  bool *ended = ARENA_ARRAY(arena, bool, count);
  for (unsigned t = 0; t < count; t++) {
    paths[t] = thread_path(n->threads[t]);
    ended[t] = has_ended(n->u, n->threads[t]);
  }
  standing->structure = structure_build(arena, n->u->program, paths, ended);
  standing->swapped = ARENA_ARRAY(arena, struct structure *, count);
  if (n->u->counters)
    standing->ranges = counters_find(n->u->counters, arena, standing->structure, &standing->impossible);
}

static bool is_small(const struct node *n) {
  unsigned events = 0;
  for (unsigned t = 0; t < n->u->program->thread_count; t++) events += thread_path(n->threads[t])->event_count;
  return events <= MOST_EVENTS_TO_KEEP;
}

/* Where the threads stand; kept, or in `own`. */
static struct standing *stand(const struct node *n, struct standing *own) {
  struct standing *kept = n->u->kept && is_small(n) ? kept_structures_enter(n->u->kept, n->threads) : NULL;
  if (kept && kept->structure) return kept;
  put_together(n, kept ? kept : own);
  if (!kept) return own;
  kept->structure->kept_in = kept->arena;
  return kept;
}

static bool visit_standing(struct node *n, bool open, bool cut, bool undefined) {
  if (!within_events(n)) return false;
  if (open && !may_meet(n)) return true;
  const struct symmetry *symmetry = n->u->control->options->symmetry;
  if (symmetry && !symmetry_may_stand(symmetry, n->structure)) return true;
  if (n->standing->impossible) return true;
  if (!open) return cut || undefined ? probe(n, cut, undefined) : visit_whole(n);
  n->search = search_of(n, SEARCH_PREFIX);
  if (search_status(n->search) != SEARCH_OPEN) return rejected(n, search_status(n->search));
  n->prefix = search_prefix(n->search);
  n->prefix.ranges = n->standing->ranges;
  n->goes_on = search_goes_on(n->search);
  return within_memory(n) && expand(n);
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
    cut |= end == THREAD_CUT && !has_ended(n->u, n->threads[t]);
    undefined |= end == THREAD_UNDEFINED && !has_ended(n->u, n->threads[t]);
  }
  struct standing own = {.arena = n->arena};
  n->standing = stand(n, &own);
  n->structure = n->standing->structure;
  bool on = visit_standing(n, open, cut, undefined);
  if (n->standing != &own) kept_structures_leave(n->u->kept, n->standing);
  n->standing = NULL; /* `own` ends here */
  return on;
}

/* Of `from`, with one decision more. */
static bool visit_decided_node(struct node *n, unsigned read, unsigned write) {
  unsigned words = n->structure->execution.shape.w;
  word open_ended[words + 1]; /* of the events, whatever is decided */
  words_copy(words, open_ended, n->prefix.frames->open_ended);
  enum search_status status = search_decide(n->search, &n->prefix, read, write);
  n->seen = write == n->structure->execution.shape.n; /* what cannot be seen any more, it would say little about */
  bool on = status == SEARCH_OPEN ? within_memory(n) && expand(n) : rejected(n, status);
  words_copy(words, n->prefix.frames->open_ended, open_ended);
  return on;
}

static bool visit_recorded(struct node *n) {
  bool before = record_node(n->record), on = visit_node(n);
  record_end(n->record, before);
  return on;
}

static bool visit_prepared(struct node *n, uint64_t breadth, bool decided, unsigned read, unsigned write) {
  struct search_control *c = n->u->control;
  uint64_t given = breadth;
  double done = c->share;
  if (!control_within_limits(c)) return false;
  if (!control_enter(c, &breadth)) {
    control_leave(c, done, given);
    return true;
  }
  size_t above = c->memory;
  n->breadth = breadth;
  n->arena = arena_new();
  bool on = decided ? visit_decided_node(n, read, write) : visit_recorded(n);
  c->memory = above;
  arena_free(n->arena);
  control_leave(c, done, given);
  return on;
}

static bool visit_decided(const struct node *from, const struct decision *decisions, unsigned read, unsigned write,
                          uint64_t breadth) {
  struct node n = *from;
  n.decisions = decisions;
  return visit_prepared(&n, breadth, true, read, write);
}

static bool visit(const struct unfolding *u, struct thread_state **threads, const struct search_start *from,
                  uint64_t breadth) {
  struct node n = {.u = u,
                   .threads = threads,
                   .decisions = from->decisions,
                   .above = from->above,
                   .record = u->control->options->record};
  return visit_prepared(&n, breadth, false, 0, 0);
}

/* A node below another.  A certificate has a reason for each conclusion at the node that draws it. */
static bool visit_from(const struct node *from, struct thread_state **threads, const struct decision *decisions,
                       uint64_t breadth) {
  const struct search_start start = {decisions, from->record ? NULL : &from->prefix};
  return visit(from->u, threads, &start, breadth);
}

/* How much paths, and structures, that are kept may hold: a part of what all may. */
static size_t room_to_keep(const struct enumerate_options *options, size_t usual) {
  size_t most = options->max_memory / 4;
  return most && most < usual ? most : usual;
}

/* A certificate, barriers whose groups become known and threads that stop are marked in the structure. */
static bool keeps_structures(const struct program *program, const struct enumerate_options *options) {
  bool meets = false;
  INSTR_EACH (instr, program) meets |= instr->kind == INSTR_MEET;
  return !meets && !options->record && !options->stops;
}

/* ---- Runs without a search ---------------------------------------------------------------- */

enum { MANY_EVENTS = 600, SERIAL_EFFORT = 64 };

static bool is_known(const uint64_t *keys, unsigned count, uint64_t key) {
  for (unsigned i = 0; i < count; i++)
    if (keys[i] == key) return true;
  return false;
}

/* Gives up after some effort.  Returns whether more is to be tried. */
static bool visit_for_a_while(const struct unfolding *u, const struct serial_run *run,
                              const struct decision *decisions) {
  struct search_control *c = u->control;
  uint64_t most = c->most_effort;
  c->most_effort = c->effort + SERIAL_EFFORT;
  const struct search_start from = {.decisions = decisions};
  bool on = visit(u, run->threads, &from, 1);
  c->most_effort = most;
  if (!c->stats.gave_up) return on;
  c->stats.gave_up = false;
  c->end = END_DONE;
  return true;
}

/* A few executions that are at hand; and those in which ordinary reads, of which models may say that they do not see
 * what no synchronisation shows them, see something else.  Of many events, to ask a model takes long: it is
 * asked about one. */
static bool visit_serial_runs(const struct unfolding *u) {
  uint64_t keys[SERIAL_ORDERS];
  unsigned count = 0;
  bool on = true, many = false;
  for (unsigned order = 0; on && !many && order < SERIAL_ORDERS; order++) {
    struct arena *arena = arena_new();
    struct serial_run run;
    if (serial_run(arena, u->program, &u->limits, order, &run) && !is_known(keys, count, run.key)) {
      keys[count++] = run.key;
      many = run.events > MANY_EVENTS;
      on =
          visit_for_a_while(u, &run, run.decisions) && (!run.ordinary || visit_for_a_while(u, &run, run.synchronising));
    }
    arena_free(arena);
  }
  return on;
}

void unfold(const struct litmus_test *test, const struct cat_model *model, struct search_control *control) {
  const struct program *program = test->program;
  struct arena *arena = control->arena = arena_new();
  control->most_effort = control->options->effort;
  control->work = rel_work();
  control->most_work = control->options->most_work;
  if (!control->follows) gauge_ask();
  unsigned most = control->options->max_events ? control->options->max_events : MOST_THREAD_EVENTS;
  struct unfolding u = {.test = test,
                        .program = program,
                        .model = model,
                        .control = control,
                        .paths = {test->program, &u.limits, arena, room_to_keep(control->options, PATHS_ROOM)},
                        .limits = {.unroll = control->options->unroll,
                                   .max_events = most,
                                   .stops = control->options->stops,
                                   .begins = control->options->begins,
                                   .cut_spins = control->options->cut_spins,
                                   .count_spins = control->options->count_spins,
                                   .spin_folds = control->options->spin_folds,
                                   .reads_first = !control->options->record,
                                   .forks = control->options->record},
                        .first = first_writes_new(arena, test, model, control),
                        .exclusion = rmw_exclusion_new(arena, test, model, control),
                        .waits = forbids_po_rf_cycles(arena, test, model, control->options)};
  u.limits.settles = u.waits && !control->options->record;
  u.future = future_writes_new(arena, test, model, control, u.first);
  /* A certificate has no words for what they rule out. */
  if (!control->options->record) u.counters = counters_new(arena, program, most, u.exclusion);
  if (keeps_structures(program, control->options))
    u.kept = kept_structures_new(arena, program->thread_count, room_to_keep(control->options, STRUCTURES_ROOM));
  if (!control->options->record) u.given = unknown_initial_values_new(arena, program);
  struct thread_state **threads = ARENA_ARRAY(arena, struct thread_state *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count && control->end == END_DONE; t++) {
    threads[t] = thread_start(arena, program, t, &u.limits);
    if (threads[t])
      thread_keep(&u.paths, threads[t]);
    else
      control->end = END_EVENTS;
  }
  bool on = control->end == END_DONE;
  if (on && control->options->serial_first) on = visit_serial_runs(&u);
  const struct search_start from = {NULL, NULL};
  if (on) visit(&u, threads, &from, 1);
  kept_structures_free(u.kept);
  arena_free(arena);
}
