/* SPDX-License-Identifier: MIT */
/* A complete candidate is given its values and final state, its key, and then
 * to the model: to the compiled graph, and to whoever else has a say, the
 * interpreter of statements that the graph cannot express or a model in C.
 */
#include "checker/exec/search/complete_candidate.h"

#include <assert.h>
#include <stdio.h>
#include <string.h>

#include "checker/base/hash_table.h"
#include "checker/base/text.h"
#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/exec/loops/spin_multiply_executions.h"
#include "checker/exec/predefined_relations.h"
#include "checker/exec/search/thread_symmetry.h"

/* ---- Values and keys ------------------------------------------------------------- */

/* Fills the execution's values; false when some value depends on itself. */
static bool complete_values(struct judge *j, const struct frame *f) {
  struct structure *st = j->structure;
  for (unsigned e = 0; e < st->init_count; e++)
    if (j->test->program->locations[st->events[e].location].any) st->events[e].value = f->known[e] ? f->value[e] : 0;
  for (unsigned e = st->init_count; e < j->frames->shape.n; e++) {
    if (!st->value[e]) continue;
    if (!f->known[e]) return false;
    st->events[e].value = f->value[e];
  }
  const struct program *program = j->test->program;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned r = 0; r < program->threads[t].reg_count; r++)
      if (!path_value(st->paths[t]->registers[r], f->known + st->offset[t], f->value + st->offset[t],
                      &j->registers[t][r]))
        return false;
  return true;
}

/* Does nothing follow this write in co? */
static bool is_last(const struct judge *j, const struct frame *f, unsigned write) {
  return words_empty(j->frames->shape.w, rel_row_const(j->frames->shape, f->p.lo[CHOICE_CO], write));
}

static void complete_final(struct judge *j, const struct frame *f) {
  const struct program *program = j->test->program;
  for (unsigned x = 0; x < program->location_count; x++) j->final[x] = program->locations[x].init;
  for (unsigned e = 0; e < j->frames->shape.n; e++)
    if (j->structure->events[e].kind == EVENT_WRITE && is_last(j, f, e))
      j->final[j->structure->events[e].location] = j->structure->events[e].value;
  for (unsigned x = 0; x < program->location_count; x++) j->final[x] = j->final[program_physical(program, x)];
}

static uint64_t mix_event(const struct judge *j, const struct frame *f, uint64_t key, unsigned e) {
  struct shape s = j->frames->shape;
  const struct event *event = &j->structure->events[e];
  if (event->kind == EVENT_READ) key = hash_join(key, frame_source(j->frames, f, e));
  if (event->kind == EVENT_READ && f->guessed) key = hash_join(key, (uint64_t)f->value[e]);
  if (event->kind == EVENT_WRITE) key = hash_join(key, words_popcount(s.w, rel_row_const(s, f->p.lo[CHOICE_CO], e)));
  return key;
}

static uint64_t mix_relation(const struct judge *j, uint64_t key, const word *r) {
  for (size_t i = 0; r && i < rel_words(j->frames->shape); i++) key = hash_join(key, r[i]);
  return key;
}

uint64_t judge_key_begin(const struct judge *j) {
  uint64_t key = 0;
  for (unsigned t = 0; t < j->test->program->thread_count; t++) key = hash_join(key, j->structure->paths[t]->identity);
  return key;
}

uint64_t judge_key_events(const struct judge *j, const struct frame *f, uint64_t key, unsigned from, unsigned to) {
  for (unsigned e = from; e < to; e++) key = mix_event(j, f, key, e);
  return key;
}

uint64_t judge_key_end(const struct judge *j, const struct frame *f, uint64_t key) {
  if (f->guessed) key = hash_join(key, f->guessed);
  if (j->frames->partial) key = mix_relation(j, key, f->p.lo[CHOICE_CO]);
  return mix_relation(j, mix_relation(j, key, f->p.lo[CHOICE_FENCES]), f->p.lo[CHOICE_MEETINGS]);
}

static uint64_t execution_key(const struct judge *j, const struct frame *f) {
  return judge_key_end(j, f, judge_key_events(j, f, judge_key_begin(j), 0, j->frames->shape.n));
}

/* ---- Classes --------------------------------------------------------------------------- */

/* Executions that no order tells apart which the model looks at are one, as for herd7,
 * in which a model chooses the order that it needs; so are the last writes of
 * locations that nobody observes. */
struct classes {
  word *ordered;  /* the writes whose order the model looks at */
  bool *observed; /* by location */
  struct hash_table met;
};

bool judge_counts_classes(const struct litmus_test *test, const struct cat_model *model) {
  bool total = model->ir.co == CO_TOTAL && !test->program->partial_coherence && !test->program->object_count;
  return total && !model->ir.orders_all && !model->ir.dynamic && !model->judge;
}

static struct classes *classes_new(struct arena *arena, const struct judge *j) {
  struct classes *classes = ARENA_NEW(arena, struct classes);
  classes->observed = ARENA_ARRAY(arena, bool, j->test->program->location_count);
  for (unsigned i = 0; i < j->test->observable_count; i++) {
    struct observable what = j->test->observables[i];
    if (what.thread < 0) classes->observed[program_physical(j->test->program, what.index)] = true;
  }
  return classes;
}

/* What tells an execution apart from others of its structure: as many numbers for each, so that none is taken for
 * another. */
static uint64_t class_key(const struct judge *j, const struct frame *f) {
  const struct classes *classes = j->classes;
  struct shape s = j->frames->shape;
  uint64_t key = hash_join(0, f->guessed);
  for (unsigned e = 0; e < s.n; e++) {
    const struct event *event = &j->structure->events[e];
    if (event->kind == EVENT_READ) key = hash_join(key, frame_source(j->frames, f, e));
    if (event->kind == EVENT_READ && f->guessed) key = hash_join(key, (uint64_t)f->value[e]);
    if (event->kind != EVENT_WRITE) continue;
    if (classes->observed[event->location]) key = hash_join(key, is_last(j, f, e));
    if (!set_has(classes->ordered, e)) continue;
    const word *after = rel_row_const(s, f->p.lo[CHOICE_CO], e);
    for (unsigned i = 0; i < s.w; i++) key = hash_join(key, after[i] & classes->ordered[i]);
  }
  for (uint32_t i = 0; i < (j->model->ir.check_count + 63) / 64; i++) key = hash_join(key, j->raised[i]);
  return key;
}

static bool is_first_of_class(struct judge *j, const struct frame *f) {
  struct arena *arena = j->frames->arena;
  if (!j->classes->ordered) {
    const struct valuation *v = evaluate(arena, &j->model->ir, &j->structure->execution);
    word *ordered = j->classes->ordered = v->value[j->model->ir.ordered];
    SET_EACH (e, v->shape.w, ordered) /* a model in which a read-modify-write is one event, its read */
      for (unsigned i = 0; i < v->shape.w; i++)
        ordered[i] |= rel_row_const(v->shape, j->structure->execution.rmw, e)[i];
  }
  return hash_is_new(arena, &j->classes->met, class_key(j, f));
}

/* ---- What is told ------------------------------------------------------------------- */

bool candidate_raises(const struct cat_ir *ir, const struct candidate *candidate, const char *name) {
  for (uint32_t i = 0; candidate->raised && i < ir->check_count; i++)
    if (candidate->raised[i / 64] >> (i % 64) & 1 && !strcmp(ir->checks[i].name, name)) return true;
  return text_index(name, candidate->raised_names, candidate->raised_name_count) >= 0;
}

/* Tells the sink of an execution; false: that is enough. */
static bool tell_sink(const struct judge *j, const struct candidate *candidate) {
  const struct enumerate_sink *sink = j->control->sink;
  const char *flag = j->control->options->only_flag;
  return (flag && !candidate_raises(&j->model->ir, candidate, flag)) || sink->consistent(sink->context, candidate);
}

static bool tell(struct judge *j, const struct candidate *candidate) {
  return tell_sink(j, candidate) || control_end(j->control, END_STOPPED);
}

/* Is this the first of the observed locations to have its name? */
static bool is_first_name(const struct judge *j, unsigned observable) {
  const struct observable *all = j->test->observables;
  if (all[observable].thread >= 0) return false;
  for (unsigned i = 0; i < observable; i++)
    if (all[i].thread < 0 && all[i].index == all[observable].index) return false;
  return true;
}

/* Has an earlier one of the last writes of a location the same value? */
static bool is_repeated(const struct judge *j, const struct frame *f, unsigned write) {
  const struct event *events = j->structure->events;
  for (unsigned e = 0; e < write; e++)
    if (events[e].kind == EVENT_WRITE && events[e].location == events[write].location && is_last(j, f, e) &&
        events[e].value == events[write].value)
      return true;
  return false;
}

/* Where co is partial, several writes can be last, and each name of a location
 * may end with any of them: tells of every final state, by the observables from
 * number `i` on. */
static bool tell_finals(struct judge *j, const struct frame *f, struct candidate *candidate, unsigned i) {
  const struct event *events = j->structure->events;
  while (i < j->test->observable_count && !is_first_name(j, i)) i++;
  if (i == j->test->observable_count) return tell(j, candidate);
  unsigned name = j->test->observables[i].index;
  int location = (int)program_physical(j->test->program, name);
  int64_t before = j->final[name];
  uint64_t key = candidate->key;
  bool some = false, on = true;
  for (unsigned e = 0; on && e < j->frames->shape.n; e++) {
    if (events[e].kind != EVENT_WRITE || events[e].location != location) continue;
    if (!is_last(j, f, e) || is_repeated(j, f, e)) continue;
    some = true;
    j->final[name] = events[e].value;
    candidate->key = hash_join(key, (uint64_t)events[e].value);
    on = tell_finals(j, f, candidate, i + 1);
  }
  candidate->key = key;
  j->final[name] = before;
  return on && (some || tell_finals(j, f, candidate, i + 1));
}

/* Tells of an execution, with each of its final states. */
static bool tell_all(struct judge *j, const struct frame *f, struct candidate *candidate) {
  return j->frames->partial ? tell_finals(j, f, candidate, 0) : tell(j, candidate);
}

/* ---- The interpreter ---------------------------------------------------------------- */

struct interpretation {
  struct judge *judge;
  const struct frame *frame;
  struct candidate *candidate;
  bool on;
};

static void interpreted(void *context, const struct cat_outcome *outcome) {
  struct interpretation *i = context;
  i->candidate->raised_names = outcome->raised;
  i->candidate->raised_undefined = outcome->undefined;
  i->candidate->raised_name_count = outcome->raised_count;
  i->judge->control->stats.consistent++;
  i->on = i->on && tell_all(i->judge, i->frame, i->candidate);
}

struct environment {
  struct arena *arena;
  const struct execution *execution;
  const struct judge *judge;
  enum enumerate_end end; /* not END_DONE: the interpreter was stopped, and said nothing */
};

static const word *environment_base(void *context, const struct cat_node *node) {
  struct environment *environment = context;
  return execution_node(environment->arena, environment->execution, node);
}

static bool environment_skip(void *context, const char *name) {
  const struct environment *environment = context;
  const struct cat_ir *ir = &environment->judge->model->ir;
  const struct enumerate_options *o = environment->judge->control->options;
  for (uint32_t i = 0; o->skip && i < ir->check_count; i++) {
    bool named = !o->through || ir->checks[i].role != ROLE_REQUIRE;
    if (o->skip[i] && named && !strcmp(ir->checks[i].name, name)) return true;
  }
  return false;
}

static bool environment_stop(void *context) {
  struct environment *environment = context;
  const struct search_control *c = environment->judge->control;
  return enumerate_limit(c->options, c->deadline, 0, &environment->end);
}

/* Keeps what is wrong with the model where the caller finds it. */
static void note_problem(struct judge *j, const struct diag *diag) {
  struct enumerate_stats *stats = &j->control->stats;
  stats->problem.source = diag->source;
  stats->problem.span = diag->span;
  snprintf(stats->problem.text, sizeof stats->problem.text, "%s", diag->message);
}

/* The last word on a candidate that the graph accepts, for which there may be
 * several ways, or none. */
static bool interpret(struct judge *j, const struct frame *f, struct candidate *candidate) {
  struct arena *scratch = arena_new();
  struct environment environment = {scratch, candidate->execution, j, END_DONE};
  struct diags diags = diags_new(scratch);
  struct cat_env env = {.shape = j->frames->shape,
                        .base = environment_base,
                        .through = j->control->options->through,
                        .skip = environment_skip,
                        .stop = environment_stop,
                        .context = &environment,
                        .diags = &diags};
  struct interpretation interpretation = {j, f, candidate, true};
  const struct cat_judge *other = j->model->judge;
  const char *failed;
  candidate->raised = NULL;
  unsigned ways = other ? other->interpret(j->model, candidate->execution, j->control->options->skip, scratch,
                                           interpreted, &interpretation)
                        : cat_interpret(j->model, &env, scratch, interpreted, &interpretation, &failed);
  bool wrong = diags.errors > 0;
  if (wrong) note_problem(j, diags.at);
  record_say(j->frames->record, ways ? "(execution)" : "(closed)");
  arena_free(scratch);
  if (wrong) return control_end(j->control, END_MODEL);
  if (environment.end != END_DONE) return control_end(j->control, environment.end);
  const struct enumerate_sink *sink = j->control->sink;
  j->consistent += ways;
  if (!ways && j->control->options->keep_rejected && sink->rejected)
    interpretation.on = sink->rejected(sink->context, candidate, NULL);
  return interpretation.on || control_end(j->control, END_STOPPED);
}

/* ---- Judging ------------------------------------------------------------------------- */

static bool reject(struct judge *j, const struct candidate *candidate, const struct cat_check *failed) {
  const struct enumerate_sink *sink = j->control->sink;
  j->rejected++;
  if (!j->control->options->keep_rejected || !sink->rejected) return true;
  return sink->rejected(sink->context, candidate, failed) || control_end(j->control, END_STOPPED);
}

static void fill_execution(struct judge *j, const struct frame *f) {
  struct execution *x = &j->structure->execution;
  x->rf = f->p.lo[CHOICE_RF];
  x->co = f->p.lo[CHOICE_CO];
  x->sync_fence = f->p.lo[CHOICE_FENCES];
  x->same_b = f->p.lo[CHOICE_MEETINGS];
  x->registers = (const int64_t *const *)j->registers;
  x->final = j->final;
}

/* What kernels write never reaches a host that polls for it before a sync, so that
 * such a loop ends at its bound: what is undefined in it is so from its first round. */
static void note_cut(struct judge *j) {
  const struct cat_ir *ir = &j->model->ir;
  for (uint32_t i = 0; i < ir->check_count && i < 64; i++)
    if (ir->checks[i].role == ROLE_UNDEFINED) j->control->stats.cut_raised |= j->raised[0] & (uint64_t)1 << i;
}

/* How many executions a candidate stands for. */
static uint64_t ways_of(const struct judge *j, const struct frame *f) {
  const struct symmetry *symmetry = j->control->options->symmetry;
  return symmetry ? spin_count_product(j->structure->ways, symmetry_ways(symmetry, j->frames, f)) : j->structure->ways;
}

bool judge_tell(struct judge *j, const struct frame *f, uint64_t key) {
  if (j->classes && !is_first_of_class(j, f)) {
    j->control->stats.merged++;
    return true;
  }
  struct candidate candidate = {
      .execution = &j->structure->execution, .raised = j->raised, .ways = ways_of(j, f), .key = key};
  j->consistent++;
  j->control->stats.consistent += candidate.ways;
  return tell_all(j, f, &candidate);
}

void judge_settle(struct judge *j, struct frame *f) {
  complete_final(j, f);
  bounds_finish(j->bounds, f->level, &f->p, j->raised);
  fill_execution(j, f);
}

/* Nothing is open: each read sees one write, of its location, and nobody is its own source; where co is total, any two
 * writes of a location are ordered. */
__attribute__((unused)) static bool is_whole(const struct judge *j, const struct frame *f) {
  const struct frames *all = j->frames;
  const struct event *events = all->structure->events;
  for (unsigned e = all->structure->init_count; e < all->shape.n; e++) {
    if (events[e].kind != EVENT_READ) continue;
    if (!frame_decided(all, f, e)) return false;
    unsigned write = frame_source(all, f, e);
    if (events[write].kind != EVENT_WRITE || events[write].location != events[e].location) return false;
  }
  return all->partial || words_equal(rel_words(all->shape), f->p.lo[CHOICE_CO], f->p.up[CHOICE_CO]);
}

bool judge_candidate(struct judge *j, struct frame *f) {
  assert(is_whole(j, f));
  if (!complete_values(j, f)) {
    record_say(j->frames->record, "(values)");
    return true;
  }
  complete_final(j, f);
  j->control->stats.visited++;
  const struct cat_check *failed = bounds_finish(j->bounds, f->level, &f->p, j->raised);
  if (j->probe) {
    j->found |= !failed;
    if (!failed && j->test->program->object_count) note_cut(j);
    return !j->found || j->test->program->object_count;
  }
  fill_execution(j, f);
  struct candidate candidate = {
      .execution = &j->structure->execution, .raised = j->raised, .ways = ways_of(j, f), .key = execution_key(j, f)};
  bool asks = !failed && (j->model->ir.dynamic || j->model->judge);
  if (!asks) record_say(j->frames->record, failed ? "(closed)" : "(execution)");
  if (failed) return reject(j, &candidate, failed);
  if (asks) return interpret(j, f, &candidate);
  return judge_tell(j, f, candidate.key);
}

void judge_prepare(struct judge *j) {
  const struct program *program = j->test->program;
  struct arena *arena = j->frames->arena;
  j->raised = ARENA_ARRAY(arena, uint64_t, (j->model->ir.check_count + 63) / 64);
  j->registers = ARENA_ARRAY(arena, int64_t *, program->thread_count);
  for (unsigned t = 0; t < program->thread_count; t++)
    j->registers[t] = ARENA_ARRAY(arena, int64_t, program->threads[t].reg_count);
  j->final = ARENA_ARRAY(arena, int64_t, program->location_count);
  if (!j->probe && judge_counts_classes(j->test, j->model)) j->classes = classes_new(arena, j);
}
