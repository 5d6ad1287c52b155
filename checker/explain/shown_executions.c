/* SPDX-License-Identifier: MIT */
/* Which executions of a test are worth showing, with what there is to say of
 * each: a title, its end state, and why it is rejected or raises a flag.  One
 * search of the engine finds them; whoever writes them gets them one by one. */
#include "checker/explain/shown_executions.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/limit.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/exec/search/observed_registers.h"
#include "checker/verdict/kernel_verdict.h"

/* There can be endlessly many rejected executions: after so many that are not wanted
 * no more are asked for. */
enum { PASSED_LIMIT = 1000000 };

/* Executions that are wanted, as they are found: by size, the shortest are shown and numbered first. */
struct found {
  size_t index; /* which it is of those that are found */
  unsigned size;
  bool forbidden;
  bool chosen;
  unsigned number; /* of those chosen of its kind */
};

struct session {
  const struct litmus_test *test;
  const struct cat_model *model;
  const struct exhibit_options *options;
  const struct observed *observed; /* as in struct enumerate_options */
  const struct exhibit_sink *sink;
  struct {
    struct found *at;
    size_t count, room;
  } found;
  struct arena *arena;
  bool counting; /* the first search, which shows nothing */
  size_t index;  /* in the second: of the next that is found */
  unsigned allowed, forbidden;
  unsigned passed; /* rejected executions that were not shown */
  double deadline; /* of -timeout, which showing counts towards; 0: none */
  bool stopped, late;
};

/* The end state as in logs: `0:r0=1; [x]=2; out[0]=3;`. */
static const char *state_text(struct arena *arena, const struct litmus_test *test, const struct execution *x) {
  const struct program *program = test->program;
  struct text text = text_new();
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct observable what = test->observables[i];
    const struct location *location = what.thread < 0 ? &program->locations[what.index] : NULL;
    if (i) fputc(' ', text.out);
    if (location)
      fprintf(text.out, location_is_cell(location) ? "%s=" : "[%s]=", location->name);
    else
      fprintf(text.out, "%d:%s=", what.thread, program->threads[what.thread].reg_names[what.index]);
    value_print_typed(program, location ? location->width : (struct width){0}, execution_value(x, what), text.out);
    fputc(';', text.out);
  }
  return text_keep(&text, arena);
}

static bool wanted(const struct session *s, const struct execution *x) {
  if (s->test->filter && !execution_meets(x, s->test->filter)) return false;
  bool meets = execution_meets(x, s->test->condition);
  switch (s->options->show) {
    case SHOW_PROP:
      return meets;
    case SHOW_NEG:
      return !meets;
    case SHOW_ALL:
      return true;
    case SHOW_COND:
      return meets == (s->test->quantifier != QUANT_NOT_EXISTS);
    case SHOW_WIT:
      return meets == (s->test->quantifier != QUANT_FORALL);
    case SHOW_NONE:
      return false;
  }
  return false;
}

/* Is it asked for by -cycles? */
static bool is_named(const struct session *s, const char *check) {
  return text_is_one_of(check, s->options->cycles);
}

static bool raises_named(const struct session *s, const struct candidate *candidate) {
  for (const char *const *name = s->options->cycles; name && *name; name++)
    if (candidate_raises(&s->model->ir, candidate, *name)) return true;
  return false;
}

/* More are not compared, and shown as they are found. */
enum { COMPARED = 10000 };

static bool room_left(struct session *s) {
  s->late = deadline_passed(s->deadline);
  if (s->late) return false;
  if (s->counting) return s->found.count < COMPARED && s->passed < PASSED_LIMIT;
  return s->allowed + s->forbidden < s->options->most && s->passed < PASSED_LIMIT && !s->stopped;
}

/* Is this execution, which is wanted, shown now, and with which number? */
static bool is_chosen(struct session *s, const struct execution *x, bool forbidden, unsigned *number) {
  if (s->counting) {
    *vec_push(s->arena, &s->found) =
        (struct found){.index = s->found.count, .size = x->shape.n, .forbidden = forbidden};
    return false;
  }
  size_t index = s->index++;
  *number = forbidden ? s->forbidden : s->allowed;
  if (index >= s->found.count) return true;
  *number = s->found.at[index].number;
  return s->found.at[index].chosen;
}

static int compare_size(const void *a, const void *b) {
  const struct found *s = a, *t = b;
  if (s->size != t->size) return s->size < t->size ? -1 : 1;
  return s->index < t->index ? -1 : 1;
}

static int compare_index(const void *a, const void *b) {
  const struct found *s = a, *t = b;
  return s->index < t->index ? -1 : 1;
}

static void choose_shortest(struct session *s) {
  unsigned numbers[2] = {0, 0};
  if (!s->found.count) return;
  qsort(s->found.at, s->found.count, sizeof *s->found.at, compare_size);
  for (size_t i = 0; i < s->found.count; i++) {
    struct found *found = &s->found.at[i];
    found->chosen = i < s->options->most;
    found->number = numbers[found->forbidden]++;
  }
  qsort(s->found.at, s->found.count, sizeof *s->found.at, compare_index);
}

/* What an execution raises goes into its title: `, undefined: data_race`. */
static const char *raised_text(struct arena *arena, const struct cat_ir *ir, const struct candidate *candidate) {
  const char *text = "";
  for (uint32_t i = 0; candidate->raised && i < ir->check_count; i++) {
    if (!(candidate->raised[i / 64] >> (i % 64) & 1)) continue;
    bool undefined = check_means_undefined(&ir->checks[i], NULL);
    text = arena_printf(arena, "%s, %s: %s", text, undefined ? "undefined" : "flag", ir->checks[i].name);
  }
  for (unsigned i = 0; i < candidate->raised_name_count; i++) {
    bool undefined = candidate->raised_undefined[i] || flag_means_undefined(candidate->raised_names[i]);
    text = arena_printf(arena, "%s, %s: %s", text, undefined ? "undefined" : "flag", candidate->raised_names[i]);
  }
  return text;
}

/* The pair that a raised check is about, to be marked. */
static const struct explanation *explain_raised(struct arena *arena, const struct valuation *v,
                                                const struct candidate *candidate) {
  for (uint32_t i = 0; candidate->raised && i < v->ir->check_count; i++)
    if (candidate->raised[i / 64] >> (i % 64) & 1) return explain(arena, v, candidate->execution, &v->ir->checks[i]);
  return NULL;
}

static bool show_allowed(void *context, const struct candidate *candidate) {
  struct session *s = context;
  const char *flag = s->options->flag;
  if (s->observed && !observed_all(s->observed, candidate->execution)) return true;
  bool shown = flag ? candidate_raises(&s->model->ir, candidate, flag) : wanted(s, candidate->execution);
  unsigned number;
  if (!shown && !raises_named(s, candidate)) return true;
  if (!is_chosen(s, candidate->execution, false, &number)) return room_left(s);
  struct arena *arena = arena_new();
  const struct valuation *v = evaluate(arena, &s->model->ir, candidate->execution);
  struct exhibit exhibit = {
      .execution = candidate->execution,
      .valuation = v,
      .why = explain_raised(arena, v, candidate),
      .title = arena_printf(arena, "%s: allowed by %s%s", s->test->name, s->model->ir.name,
                            raised_text(arena, &s->model->ir, candidate)),
      .caption = state_text(arena, s->test, candidate->execution),
  };
  s->stopped = !s->sink->show(s->sink->context, &exhibit, false, number);
  s->allowed++;
  arena_free(arena);
  return room_left(s);
}

static bool show_forbidden(void *context, const struct candidate *candidate, const struct cat_check *check) {
  struct session *s = context;
  bool named = check && is_named(s, check->name);
  bool through = s->options->through != THROUGH_NONE && !s->options->flag && wanted(s, candidate->execution);
  if (!named && !through) return ++s->passed < PASSED_LIMIT;
  struct arena *arena = arena_new();
  unsigned number;
  s->passed += candidate->execution->shape.n;
  bool all = named || s->options->through == THROUGH_ALL;
  if ((all || !explain_is_trivial(arena, candidate->execution)) && is_chosen(s, candidate->execution, true, &number)) {
    const struct valuation *v = evaluate(arena, &s->model->ir, candidate->execution);
    const char *axiom = check ? arena_printf(arena, "%s: %s", check->name, check_statement(arena, check)) : "its rules";
    struct exhibit exhibit = {
        .execution = candidate->execution,
        .valuation = v,
        .why = check ? explain(arena, v, candidate->execution, check) : NULL,
        .title = arena_printf(arena, "%s: forbidden by %s, axiom %s", s->test->name, s->model->ir.name, axiom),
        .caption = state_text(arena, s->test, candidate->execution),
    };
    s->stopped = !s->sink->show(s->sink->context, &exhibit, true, number);
    s->forbidden++;
  }
  arena_free(arena);
  return room_left(s);
}

static void show_first(void *context, const struct execution *x) {
  struct session *s = context;
  uint64_t *raised = ARENA_ARRAY(s->arena, uint64_t, s->model->ir.check_count / 64 + 1);
  for (uint32_t c = 0; c < s->model->ir.check_count; c++)
    if (!strcmp(s->model->ir.checks[c].name, s->options->flag)) raised[c / 64] |= (uint64_t)1 << (c % 64);
  if (!s->allowed) show_allowed(s, &(struct candidate){.execution = x, .raised = raised});
}

static enum enumerate_end exhibit_first(struct session *s, const struct enumerate_options *options) {
  struct enumerate_options own = *options;
  own.stop_when_known = own.serial_first = true;
  struct enumerate_sink found = {.context = s, .consistent = show_allowed};
  struct enumerate_stats stats;
  enum enumerate_end end = END_DONE;
  if (!s->options->flag) return enumerate(s->test, s->model, &own, &found, &stats);
  for (uint32_t c = 0; c < s->model->ir.check_count && !s->allowed; c++)
    if (!strcmp(s->model->ir.checks[c].name, s->options->flag))
      end = kernel_verdict_find_raised(s->arena, s->test, s->model, c, options,
                                       (struct execution_listener){show_first, s});
  return end;
}

/* Half of the time at most goes to finding the shortest. */
static enum enumerate_end exhibit_shortest(struct session *s, struct enumerate_options *own, double timeout) {
  struct enumerate_sink found = {
      .context = s, .consistent = show_allowed, .rejected = own->keep_rejected ? show_forbidden : NULL};
  struct enumerate_stats stats;
  double deadline = s->deadline;
  s->counting = true;
  if (timeout > 0) own->timeout = timeout / 2;
  s->deadline -= timeout / 2;
  enumerate(s->test, s->model, own, &found, &stats);
  s->counting = s->late = false;
  s->deadline = deadline;
  own->timeout = timeout;
  s->passed = 0;
  choose_shortest(s);
  return enumerate(s->test, s->model, own, &found, &stats);
}

bool exhibit_each(const struct litmus_test *test, const struct cat_model *model,
                  const struct enumerate_options *options, const struct exhibit_options *chosen,
                  const struct exhibit_sink *sink) {
  bool cycles = chosen->cycles && *chosen->cycles;
  if (chosen->show == SHOW_NONE && !chosen->flag && !cycles) return true;
  model = enumerate_model(test, model);
  struct session s = {.test = test, .model = model, .options = chosen, .observed = options->observed, .sink = sink};
  s.deadline = deadline_in(options->timeout);
  struct enumerate_options own = *options;
  own.workers = 1;
  own.keep_rejected = cycles || (chosen->through != THROUGH_NONE && !chosen->flag);
  /* Where only executions that settle the condition are wanted, let the engine
   * look for no others. */
  own.stop_when_known = !chosen->flag && !cycles &&
                        (chosen->show == SHOW_WIT || (chosen->show == SHOW_PROP && test->quantifier != QUANT_FORALL));
  s.arena = arena_new();
  enum enumerate_end end = chosen->first ? exhibit_first(&s, &own) : exhibit_shortest(&s, &own, options->timeout);
  arena_free(s.arena);
  return (end == END_DONE || end == END_STOPPED) && !s.late;
}
