/* SPDX-License-Identifier: MIT */
/* Counting executions: into outcomes, flags and bad ones. Workers count apart
 * and are joined; the numbers of bad executions are those of the canonical
 * order, by outcome and key, whoever found them first. */
#include "checker/verdict/verdict.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/cat/naming_conventions.h"
#include "checker/exec/loops/spin_fold.h"
#include "checker/exec/loops/spin_multiply_executions.h"
#include "checker/exec/search/observed_registers.h"
#include "checker/exec/search/thread_symmetry.h"
#include "checker/solve/solve.h"

/* Executions whose place in the canonical order is remembered: beyond, the log gives the number of bad ones
 * but not which they are.  Few, where nobody asks to count as herd does. */
static const size_t NUMBERED_FEW = 1u << 10, NUMBERED_MANY = 1u << 20;

/* A counted execution.  In the canonical order executions stand by their final
 * states as the log lists these, then by their keys. */
struct numbered {
  const int64_t *values; /* of its state, which owns them */
  uint64_t key;
  bool bad;
  /* Counting as published only: a hash of all but co, and the writes in co. */
  uint64_t reads;
  const uint32_t *writes;
};

struct tally {
  struct arena *arena;
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct enumerate_options *options;
  const struct verdict_observer *observer;
  struct verdict *verdict;
  struct outcomes *states; /* the verdict's */
  struct {
    struct verdict_flag *at;
    size_t count, room;
  } flags;
  uint64_t *raised_count; /* by check */
  struct {
    struct numbered *at;
    size_t count, room;
  } numbered;
  bool numbered_all;
  size_t most_memory; /* of the arena: 0: no limit */
  bool full;
  bool saturated;      /* there are more executions than are counted: POLLS_TOO_MANY */
  int64_t *values;     /* of the execution at hand */
  bool orders;         /* counting as published: remember what came in which order */
  struct tally *parts; /* what workers counted, kept as long as the whole */
  struct tally *next;
};

/* ---- states ---- */

/* Counts the executions' state and returns the state's values. */
static const int64_t *count_state(struct tally *t, const struct execution *x, uint64_t ways) {
  for (unsigned i = 0; i < t->test->observable_count; i++) t->values[i] = execution_value(x, t->test->observables[i]);
  struct outcome *state = outcomes_add(t->states, t->values);
  state->count += ways;
  return state->values;
}

/* ---- flags ---- */

const char *verdict_undefined_name(const struct litmus_test *test, const struct enumerate_stats *stats) {
  const struct thread *thread = &test->program->threads[stats->undefined_at.thread];
  unsigned at = stats->undefined_at.instr;
  const struct instr *instr = at < thread->instr_count ? &thread->instrs[at] : NULL;
  const struct expr *e = instr && instr->kind == INSTR_ASSIGN ? instr->value : NULL;
  if (e && tags_have(instr->tags, TAG_MBAR)) return "mbarrier_overflow"; /* a reader's check (litmus/ptx_async.c) */
  if (!test->kernel) return "undefined_operation";
  bool left = e && e->kind == EXPR_DIV && e->a->kind == EXPR_CONST && !e->a->value &&
              (e->b->kind == EXPR_CONST || expr_is_truth(e->b->kind));
  return left || (instr && instr->address.index) ? VERDICT_OUT_OF_BOUNDS : "undefined_operation";
}

bool flag_means_undefined(const char *name) {
  return convention_holds(FLAG_UNDEFINED, name);
}

const char *verdict_undefined_flag(const struct verdict *v) {
  for (size_t i = 0; i < v->flag_count; i++)
    if (v->flags[i].undefined && v->flags[i].count) return v->flags[i].name;
  return NULL;
}

bool verdict_is_undefined(const struct verdict *v) {
  return v->bad > 0 || v->stats.undefined || v->stats.cut_raised;
}

static bool is_bad_flag(const char *name, const char *also) {
  return flag_means_undefined(name) || (also && !strcmp(also, name));
}

bool check_means_undefined(const struct cat_check *check, const char *also) {
  return check->role == ROLE_UNDEFINED || (check->role == ROLE_FLAG && is_bad_flag(check->name, also));
}

static struct verdict_flag *flag_named(struct tally *t, const char *name, bool undefined) {
  for (size_t i = 0; i < t->flags.count; i++)
    if (!strcmp(t->flags.at[i].name, name)) return &t->flags.at[i];
  struct verdict_flag *flag = vec_push(t->arena, &t->flags);
  *flag = (struct verdict_flag){.name = arena_strdup(t->arena, name), .undefined = undefined};
  return flag;
}

/* Counts what a found execution raises; returns whether it is bad. */
static bool count_raised(struct tally *t, const struct candidate *candidate) {
  const struct cat_ir *ir = &t->model->ir;
  bool bad = false;
  for (uint32_t i = 0; candidate->raised && i < ir->check_count; i++) {
    if (!(candidate->raised[i / 64] >> (i % 64) & 1)) continue;
    t->raised_count[i] += candidate->ways;
    bad |= check_means_undefined(&ir->checks[i], t->options->bad_flag);
  }
  for (unsigned i = 0; i < candidate->raised_name_count; i++) {
    const char *name = candidate->raised_names[i];
    struct verdict_flag *flag =
        flag_named(t, name, candidate->raised_undefined[i] || is_bad_flag(name, t->options->bad_flag));
    flag->count += candidate->ways;
    bad |= flag->undefined;
  }
  return bad;
}

void verdict_set_flags(struct verdict *verdict, struct verdict_flag *flags, size_t count) {
  if (count) qsort(flags, count, sizeof *flags, text_compare);
  verdict->flags = flags;
  verdict->flag_count = count;
}

/* Checks that were raised become flags, besides those that came by name. */
static void collect_flags(struct tally *t) {
  for (uint32_t i = 0; i < t->model->ir.check_count; i++) {
    const struct cat_check *check = &t->model->ir.checks[i];
    bool cut = i < 64 && t->verdict->stats.cut_raised >> i & 1;
    if (!t->raised_count[i] && !cut) continue;
    struct verdict_flag *flag = flag_named(t, check->name, check_means_undefined(check, t->options->bad_flag));
    flag->count += t->raised_count[i];
    flag->meaning = check->source ? convention_meaning(t->arena, check->source->text, check->name) : NULL;
  }
  if (t->verdict->stats.undefined) {
    const char *name = verdict_undefined_name(t->test, &t->verdict->stats);
    struct verdict_flag *flag = flag_named(t, name, true);
    for (uint32_t i = 0; i < t->model->ir.check_count && !flag->meaning; i++)
      if (t->model->ir.checks[i].source)
        flag->meaning = convention_meaning(t->arena, t->model->ir.checks[i].source->text, name);
  }
  verdict_set_flags(t->verdict, t->flags.at, t->flags.count);
}

/* ---- executions ---- */

static size_t numbered_limit(const struct tally *t) {
  return t->options->fold && !t->orders ? NUMBERED_FEW : NUMBERED_MANY;
}

static struct numbered *number(struct tally *t, const int64_t *values, const struct candidate *candidate, bool bad) {
  if (bad) t->verdict->bad += candidate->ways;
  if (t->numbered.count >= numbered_limit(t) || candidate->ways > 1) {
    t->numbered_all = false;
    return NULL;
  }
  struct numbered *numbered = vec_push(t->arena, &t->numbered);
  *numbered = (struct numbered){.values = values, .key = candidate->key, .bad = bad};
  return numbered;
}

/* ---- counting as published ---- */

/* The herd of 2015, with which the published models came, tries all coherence
 * orders of one choice of reads in turn, and once an execution was bad counts
 * the following ones of that choice as bad too.  What such a model says of a
 * program is the same (undefined); its number of bad executions is only
 * comparable with the published ones when counted so.  This is for the models
 * asked for by name: a path, `models/opencl-published.cat`, counts plainly. */
static bool counts_as_published(const struct cat_model *model) {
  return convention_holds(NAME_PUBLISHED, model->ir.name);
}

static int source_of(const struct execution *x, unsigned read) {
  for (unsigned w = 0; w < x->shape.n; w++)
    if (rel_has(x->shape, x->rf, w, read)) return (int)w;
  return -1;
}

static void remember_orders(struct tally *t, const struct execution *x, struct numbered *numbered) {
  unsigned n = x->shape.n, locations = x->program->location_count;
  uint32_t *writes = ARENA_ARRAY(t->arena, uint32_t, (size_t)n + 1), *at = writes;
  for (unsigned e = 0; e < n; e++) {
    const struct event *event = &x->events[e];
    int64_t choice[] = {(int64_t)numbered->reads, event->instr, event->location,
                        event->kind == EVENT_READ ? source_of(x, e) : -1 - event->thread};
    numbered->reads = hash_bytes(choice, sizeof choice);
  }
  for (int location = 0; location < (int)locations; location++) {
    unsigned count = 0;
    for (unsigned e = 0; e < n; e++) {
      if (x->events[e].kind != EVENT_WRITE || x->events[e].location != location) continue;
      unsigned place = 0;
      for (unsigned w = 0; w < n; w++) place += rel_has(x->shape, x->co, w, e);
      at[place] = e + 1;
      count++;
    }
    at += count;
  }
  numbered->writes = writes; /* ends in 0 */
}

static int compare_orders(const void *a, const void *b) {
  const struct numbered *s = a, *t = b;
  if (s->reads != t->reads) return s->reads < t->reads ? -1 : 1;
  for (const uint32_t *p = s->writes, *q = t->writes; *p || *q; p++, q++)
    if (*p != *q) return *p < *q ? -1 : 1;
  return 0;
}

static void spread_bad(struct tally *t) {
  if (!t->orders || !t->numbered_all) return;
  qsort(t->numbered.at, t->numbered.count, sizeof *t->numbered.at, compare_orders);
  bool bad = false;
  for (size_t i = 0; i < t->numbered.count; i++) {
    struct numbered *numbered = &t->numbered.at[i];
    bad = numbered->bad || (bad && i && numbered[-1].reads == numbered->reads);
    t->verdict->bad += bad && !numbered->bad;
    numbered->bad = bad;
  }
}

/* Does an execution that meets the proposition, or one that does not, settle
 * the question? */
static bool settles(const struct litmus_test *test, bool meets) {
  return test->quantifier == QUANT_FORALL ? !meets : meets;
}

/* States without end need memory too. */
static bool has_room(struct tally *t) {
  t->full |= t->most_memory && arena_size(t->arena) > t->most_memory;
  return !t->full;
}

static bool count(void *context, const struct candidate *found) {
  struct tally *t = context;
  struct candidate one = *found, *candidate = &one;
  const struct execution *x = candidate->execution;
  if (t->options->stop_when_known) one.ways = 1; /* nobody asks how many there are like it */
  if (t->test->filter && !execution_meets(x, t->test->filter)) return true;
  if (t->options->observed && !observed_all(t->options->observed, x)) return true;
  bool meets = execution_meets(x, t->test->condition);
  /* Under -speedcheck the engine may leave out what settles nothing: so that
   * the log does not depend on how much of it was met, none of it counts. */
  if (t->options->stop_when_known && !t->options->solve && !settles(t->test, meets)) return true;
  if (meets)
    t->states->matching += candidate->ways;
  else
    t->states->failing += candidate->ways;
  t->saturated |= t->states->matching + t->states->failing >= POLLS_TOO_MANY;
  const int64_t *values = count_state(t, x, candidate->ways);
  struct numbered *numbered = number(t, values, candidate, count_raised(t, candidate));
  if (numbered && t->orders) remember_orders(t, x, numbered);
  if (t->observer && t->observer->consistent) t->observer->consistent(t->observer->context, candidate, meets);
  if (t->options->stop_when_undefined && t->verdict->bad) return false;
  return !t->options->stop_when_known && has_room(t);
}

static bool reject(void *context, const struct candidate *candidate, const struct cat_check *check) {
  struct tally *t = context;
  const struct execution *x = candidate->execution;
  if (t->test->filter && !execution_meets(x, t->test->filter)) return true;
  if (t->observer && t->observer->rejected)
    t->observer->rejected(t->observer->context, candidate, check, execution_meets(x, t->test->condition));
  return true;
}

/* One candidate can be an execution in several ways, of one key: good ones first. */
static int compare_numbered(const void *a, const void *b, void *context) {
  const struct numbered *s = a, *t = b;
  int order = outcome_compare(s->values, t->values, *(const unsigned *)context);
  if (order) return order;
  if (s->key == t->key) return (int)s->bad - (int)t->bad;
  return s->key < t->key ? -1 : 1;
}

static bool in_order(const struct tally *t, unsigned width) {
  for (size_t i = 1; i < t->numbered.count; i++)
    if (compare_numbered(&t->numbered.at[i - 1], &t->numbered.at[i], &width) > 0) return false;
  return true;
}

/* The numbers of bad executions in the canonical order. */
static void list_bad(struct tally *t) {
  struct verdict *v = t->verdict;
  if (!v->bad || !t->numbered_all) return;
  unsigned width = t->test->observable_count;
  if (!in_order(t, width)) qsort_r(t->numbered.at, t->numbered.count, sizeof *t->numbered.at, compare_numbered, &width);
  uint64_t *list = ARENA_ARRAY(t->arena, uint64_t, v->bad);
  size_t length = 0;
  for (size_t i = 0; i < t->numbered.count; i++)
    if (t->numbered.at[i].bad) list[length++] = i;
  v->bad_list = list;
}

bool verdict_ok(const struct verdict *v) {
  for (size_t i = 0; v->assertions && i < v->test->assertion_count; i++)
    if (!v->assertions[i].holds && !v->assertions[i].unsupported) return false;
  if (v->any_outcome) return v->test->quantifier == QUANT_EXISTS;
  return outcomes_answer(&v->states, v->test->quantifier);
}

bool verdict_filters_all(const struct verdict *v) {
  bool none = v->end == END_DONE && !v->states.count && !v->any_outcome && !v->bad;
  return none && v->test->filter && !v->test->assertion_count && (v->empty || !v->partial);
}

bool verdict_by_absence(const struct verdict *v) {
  return !v->bad && verdict_ok(v) != (v->test->quantifier == QUANT_EXISTS);
}

bool verdict_lists_all(const struct verdict *v) {
  return !v->partial && (!v->solved || v->stats.all_states);
}

void verdict_keep_settling(struct verdict *v) {
  struct outcomes *states = &v->states;
  bool meeting = settles(v->test, true);
  size_t kept = 0;
  v->partial = true;
  if (!(meeting ? states->matching : states->failing)) return;
  for (size_t i = 0; i < states->count; i++) {
    struct shown_state state = {v->test->observables, v->test->observable_count, states->at[i].values};
    if (shown_meets(&state, v->test->condition) == meeting) states->at[kept++] = states->at[i];
  }
  states->count = kept;
  *(meeting ? &states->failing : &states->matching) = 0;
}

/* ---- several workers ---- */

static struct tally *tally_new(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                               const struct enumerate_options *options, const struct verdict_observer *observer,
                               struct verdict *verdict) {
  struct tally *t = ARENA_NEW(arena, struct tally);
  size_t share = options->workers > 1 ? 2 * options->workers : 1; /* parts are kept next to what they are joined to */
  *t = (struct tally){.arena = arena,
                      .test = test,
                      .model = model,
                      .options = options,
                      .observer = observer,
                      .verdict = verdict,
                      .states = &verdict->states,
                      .numbered_all = true,
                      .most_memory = options->max_memory ? arena_size(arena) + options->max_memory / share : 0,
                      .values = ARENA_ARRAY(arena, int64_t, test->observable_count),
                      .raised_count = ARENA_ARRAY(arena, uint64_t, model->ir.check_count)};
  outcomes_open(t->states, arena, test->observable_count);
  return t;
}

static void *tally_part(void *context) {
  struct tally *whole = context;
  struct arena *arena = arena_new();
  struct tally *part =
      tally_new(arena, whole->test, whole->model, whole->options, NULL, ARENA_NEW(arena, struct verdict));
  part->next = whole->parts;
  whole->parts = part;
  return part;
}

static void tally_join(void *context, void *other) {
  struct tally *whole = context, *part = other;
  for (size_t i = 0; i < part->states->count; i++)
    outcomes_add(whole->states, part->states->at[i].values)->count += part->states->at[i].count;
  for (size_t i = 0; i < part->flags.count; i++)
    flag_named(whole, part->flags.at[i].name, part->flags.at[i].undefined)->count += part->flags.at[i].count;
  for (uint32_t i = 0; i < whole->model->ir.check_count; i++) whole->raised_count[i] += part->raised_count[i];
  whole->states->matching += part->states->matching;
  whole->states->failing += part->states->failing;
  whole->verdict->bad += part->verdict->bad;
  whole->saturated |= part->saturated || whole->states->matching + whole->states->failing >= POLLS_TOO_MANY;
  whole->numbered_all &= part->numbered_all && whole->numbered.count + part->numbered.count <= numbered_limit(whole);
  for (size_t i = 0; whole->numbered_all && i < part->numbered.count; i++)
    *vec_push(whole->arena, &whole->numbered) = part->numbered.at[i];
}

static void free_parts(struct tally *t) {
  for (struct tally *part = t->parts, *next; part; part = next) {
    next = part->next;
    arena_free(part->arena);
  }
}

/* ---- a verdict ---- */

/* Up to here all executions are tried: there is little to gain. */
static const unsigned LITTLE_UNROLLING = 4;

/* May one candidate count for several executions?  Not where somebody looks at each. */
static bool may_multiply(const struct enumerate_options *o, const struct verdict_observer *observer) {
  bool told = observer && (observer->consistent || observer->rejected);
  return !told && !o->solve && o->prune && !o->stops && !o->observed && !o->serial_first && !o->keep_rejected &&
         !o->record;
}

/* For those that differ in how often a loop polls in vain? */
static bool may_count_spins(const struct litmus_test *test, const struct cat_model *model,
                            const struct enumerate_options *o) {
  for (uint32_t i = 0; o->skip && i < model->ir.check_count; i++)
    if (o->skip[i]) return false;
  return !o->spin_folds && !o->cut_spins && o->unroll > LITTLE_UNROLLING && !test->program->partial_coherence &&
         !test->program->object_count && spin_count_multiplies(model);
}

/* For those that differ in which of several threads is which? */
static const struct symmetry *find_twins(struct arena *arena, const struct litmus_test *test,
                                         const struct cat_model *model) {
  model = enumerate_model(test, model);
  bool plain = !model->ir.dynamic && !model->judge && model->ir.co == CO_TOTAL && model->ir.orders_all;
  return plain ? symmetry_find(arena, test) : NULL;
}

/* Must executions be tried one by one after all, since there are too many to count in
 * 64 bits, or since bad ones are to be listed by number? */
static bool needs_each(const struct tally *t, const struct verdict *v) {
  if (v->end != END_DONE) return false;
  return t->saturated || (v->bad && !t->numbered_all && v->stats.consistent <= numbered_limit(t));
}

/* States that have been found already count as the solver's own do. */
static void count_told(struct tally *t, const struct enumerate_options *options) {
  for (size_t i = 0; i < options->told_count; i++) {
    struct shown_state state = {t->test->observables, t->test->observable_count, options->told[i]};
    outcomes_add(t->states, options->told[i])->count = 1;
    ++*(shown_meets(&state, t->test->condition) ? &t->states->matching : &t->states->failing);
  }
}

static struct tally *tally_all(struct arena *arena, const struct cat_model *model, bool orders,
                               const struct enumerate_options *options, const struct verdict_observer *observer,
                               struct verdict *v) {
  const struct litmus_test *test = v->test;
  *v = (struct verdict){.test = test,
                        .model = model->ir.name,
                        .partial = options->stop_when_known && !options->solve,
                        .solved = options->solve};
  struct tally *t = tally_new(arena, test, model, options, observer, v);
  t->orders = orders;
  struct enumerate_sink sink = {.context = t, .consistent = count, .rejected = reject};
  if (observer && observer->begun) observer->begun(observer->context, v);
  if (!observer && !orders) {
    sink.part = tally_part;
    sink.join = tally_join;
  }
  if (options->solve) count_told(t, options);
  v->end = options->solve ? solve(test, model, options, &sink, &v->stats)
                          : enumerate(test, model, options, &sink, &v->stats);
  bool full = t->full;
  for (const struct tally *part = t->parts; part; part = part->next) full |= part->full;
  if (full && v->end == END_STOPPED) v->end = END_MEMORY;
  return t;
}

struct verdict *verdict_run(struct arena *arena, const struct litmus_test *test, const struct cat_model *model,
                            const struct enumerate_options *options, const struct verdict_observer *observer) {
  struct verdict *v = ARENA_NEW(arena, struct verdict);
  v->test = test;
  double start = monotonic_seconds();
  struct enumerate_options counting = *options;
  counting.spin_folds = enumerate_spin_folds(arena, test, model, options);
  if (may_multiply(options, observer)) {
    counting.count_spins = may_count_spins(test, model, &counting);
    counting.symmetry = find_twins(arena, test, model);
  }
  struct tally *t = tally_all(arena, model, false, &counting, observer, v);
  bool multiplied = counting.count_spins || counting.symmetry;
  counting.count_spins = false;
  counting.symmetry = NULL;
  if (multiplied && needs_each(t, v)) {
    free_parts(t);
    t = tally_all(arena, model, false, &counting, observer, v);
  }
  /* What counting as published needs is costly and only matters where something is bad: a second round. */
  if (v->bad && v->end == END_DONE && counts_as_published(model)) {
    free_parts(t);
    counting.record = NULL;
    t = tally_all(arena, model, true, &counting, NULL, v);
  }
  v->loops_folded = spin_folds_count(counting.spin_folds);
  v->seconds = monotonic_seconds() - start;
  if (v->end == END_STOPPED && options->stop_when_known) v->end = END_DONE;
  outcomes_sort(&v->states);
  collect_flags(t);
  spread_bad(t);
  list_bad(t);
  free_parts(t);
  return v;
}
