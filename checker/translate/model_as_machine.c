/* SPDX-License-Identifier: MIT */
/* The model as a machine: from its one state before the program a step leads to
 * each outcome.  An execution that shows an outcome is looked for only when it is
 * to be printed. */
#include "checker/translate/model_as_machine.h"

#include <string.h>

#include "checker/translate/translate_thread.h"
#include "checker/verdict/choose_engine.h"

/* A state is the number of an outcome, from 1; 0: before the program. */
struct shown {
  const struct translated_setup *setup;
  struct composed composed;
  const struct litmus_test *test; /* with everything observed that outcomes are values of */
  uint64_t count;                 /* of outcomes; one more: the program is undefined there */
  unsigned width;
  const int64_t *values;          /* by outcome, then by the source's observable */
  const int64_t *const *observed; /* by outcome: of the test's observables */
  const char *fault;              /* the flag that makes it undefined; NULL: it is defined */
};

static const struct shown *shown_of(const struct machine *m) {
  return m->self;
}

static uint64_t number_of(const void *state) {
  uint64_t number;
  memcpy(&number, state, sizeof number);
  return number;
}

static void initial(const struct machine *m, void *state) {
  (void)m;
  memset(state, 0, sizeof(uint64_t));
}

static bool successors(const struct machine *m, const void *state, struct successor_sink *sink) {
  const struct shown *shown = shown_of(m);
  if (number_of(state)) return true;
  for (uint64_t i = 1; i <= shown->count + (shown->fault != NULL); i++)
    if (!sink->emit(sink, (struct step){.detail = (uint32_t)i}, &i)) return false;
  return true;
}

static bool final(const struct machine *m, const void *state) {
  (void)m;
  return number_of(state) != 0;
}

static int64_t observe(const struct machine *m, const void *state, unsigned i) {
  const struct shown *shown = shown_of(m);
  uint64_t number = number_of(state);
  if (i == shown->width) return number > shown->count;
  return number && number <= shown->count ? shown->values[(number - 1) * shown->width + i] : 0;
}

static enum step_kind step_kind(const struct machine *m, struct step step) {
  (void)m;
  (void)step;
  return STEP_THREAD;
}

static void print_fault(const struct machine *m, int64_t value, FILE *out) {
  (void)value;
  fprintf(out, "the translated program is undefined: flag %s", shown_of(m)->fault);
}

/* ---- an execution in words ---- */

struct telling {
  const struct composed *composed;
  FILE *out;
  bool told;
};

static void tell_event(const struct telling *telling, const struct execution *x, unsigned e) {
  const struct event *event = &x->events[e];
  unsigned line = event->instr < 0 ? 0 : compose_line(telling->composed, (unsigned)event->thread, event->instr);
  fputs("  ", telling->out);
  event_print(x->program, event, telling->out);
  for (unsigned w = 0; event->kind == EVENT_READ && w < x->shape.n; w++)
    if (rel_has(x->shape, x->rf, w, e)) {
      fputs(" from ", telling->out);
      event_print(x->program, &x->events[w], telling->out);
    }
  if (line) fprintf(telling->out, "   [line %u]", line);
  fputc('\n', telling->out);
}

static void tell_order(const struct telling *telling, const struct execution *x) {
  for (unsigned a = 0; a < x->shape.n; a++)
    for (unsigned b = 0; b < x->shape.n; b++) {
      if (!rel_has(x->shape, x->co, a, b) || x->events[a].thread < 0) continue;
      fputs("  ", telling->out);
      event_print(x->program, &x->events[a], telling->out);
      fputs(" before ", telling->out);
      event_print(x->program, &x->events[b], telling->out);
      fputs(" in coherence order\n", telling->out);
    }
}

static void tell(void *context, const struct candidate *found, bool meets) {
  struct telling *telling = context;
  const struct execution *x = found->execution;
  if (!meets || telling->told) return;
  telling->told = true;
  for (unsigned e = 0; e < x->shape.n; e++)
    if (x->events[e].thread >= 0) tell_event(telling, x, e);
  tell_order(telling, x);
}

static struct enumerate_options options_of(const struct translated_setup *setup) {
  return (struct enumerate_options){
      .unroll = setup->unroll, .workers = 1, .fold = true, .cut_spins = true, .prune = true};
}

/* The test with a condition that one outcome alone meets. */
static struct litmus_test *asking(struct arena *arena, const struct shown *shown, const int64_t *values) {
  struct litmus_test *test = ARENA_NEW(arena, struct litmus_test);
  const struct prop *all = NULL;
  *test = *shown->test;
  for (unsigned i = 0; i < test->observable_count; i++) {
    struct prop *equal = ARENA_NEW(arena, struct prop), *both = ARENA_NEW(arena, struct prop);
    *equal = (struct prop){.kind = PROP_COMPARE,
                           .compare = CMP_EQ,
                           .left = {.what = test->observables[i]},
                           .right = {.constant = true, .value = values[i]}};
    *both = (struct prop){.kind = PROP_AND, .a = all, .b = equal};
    all = all ? both : equal;
  }
  if (all) test->condition = all;
  return test;
}

static void print_step(const struct machine *m, struct step step, const void *before, const void *after, FILE *out) {
  const struct shown *shown = shown_of(m);
  (void)before;
  (void)after;
  if (step.detail > shown->count) return;
  struct arena *arena = arena_new();
  struct telling telling = {&shown->composed, out, false};
  struct verdict_observer observer = {.context = &telling, .consistent = tell};
  struct enumerate_options options = options_of(shown->setup);
  struct litmus_test *test = asking(arena, shown, shown->observed[step.detail - 1]);
  verdict_run(arena, test, shown->setup->model, &options, &observer);
  arena_free(arena);
}

static void print_state(const struct machine *m, const void *state, FILE *out) {
  (void)m;
  fprintf(out, number_of(state) ? "  the program's end\n" : "  no execution in which every thread ends\n");
}

const struct litmus_test *translated_test(const struct machine *m, struct step step, struct arena *arena) {
  const struct shown *shown = shown_of(m);
  return step.detail <= shown->count ? asking(arena, shown, shown->observed[step.detail - 1]) : NULL;
}

/* ---- from programs ---- */

static bool compose_program(struct arena *arena, const struct translated_setup *setup, const struct program *program,
                            const struct compose_head *head, struct composed *composed, struct diags *diags) {
  struct column *columns = ARENA_ARRAY(arena, struct column, program->thread_count + 1);
  *composed = (struct composed){.columns = columns, .locations = compose_names(arena, program)};
  return setup->translator.columns(&setup->translator, arena, program, composed->locations, columns, diags) &&
         write_translated_test(arena, program, head, composed, diags);
}

static bool takes(const struct translated_setup *setup, const struct litmus_test *test, struct diags *diags) {
  if (!setup->mapping || setup->mapping->from[test->language]) return true;
  return diag_fail(diags, "%s: %s does not translate from this test's language", test->source->name,
                   setup->translator.name);
}

bool translator_takes(const struct target *target, const struct litmus_test *test, struct diags *diags) {
  return target->kind != &translated_kind || takes(target->settings, test, diags);
}

bool translate(struct arena *arena, const struct translated_setup *setup, const struct litmus_test *test,
               struct composed *composed, struct diags *diags) {
  struct compose_head head = {setup->translator.to, test->name, setup->translator.name, test};
  return takes(setup, test, diags) && compose_program(arena, setup, test->program, &head, composed, diags);
}

/* Observables of the test that are not constants, and where each is of the
 * source's. */
static struct litmus_test *observing(struct arena *arena, const struct composed *composed,
                                     const struct composed_observable *all, unsigned count) {
  static const struct prop TRUE_PROP = {.kind = PROP_TRUE};
  struct litmus_test *test = ARENA_COPY(arena, struct litmus_test, composed->test, 1);
  test->quantifier = QUANT_EXISTS;
  test->condition = &TRUE_PROP;
  test->filter = NULL;
  test->observables = ARENA_ARRAY(arena, struct observable, count + 1);
  test->observable_count = 0;
  test->whole = NULL;
  for (unsigned i = 0; i < count; i++)
    if (!all[i].constant) test->observables[test->observable_count++] = all[i].what;
  return test;
}

static void keep_outcomes(struct arena *arena, struct shown *shown, const struct verdict *v,
                          const struct composed_observable *all) {
  int64_t *values = ARENA_ARRAY(arena, int64_t, v->states.count * shown->width + 1);
  const int64_t **observed = ARENA_ARRAY(arena, const int64_t *, v->states.count + 1);
  for (size_t i = 0; i < v->states.count; i++) {
    unsigned next = 0;
    int64_t *own = ARENA_COPY(arena, int64_t, v->states.at[i].values, v->states.width);
    observed[i] = own;
    for (unsigned k = 0; k < shown->width; k++)
      values[i * shown->width + k] = all[k].constant ? all[k].value : own[next++];
  }
  shown->count = v->states.count;
  shown->values = values;
  shown->observed = observed;
}

static const char *fault_of(struct arena *arena, const struct verdict *v) {
  if (!v->bad && !v->stats.undefined) return NULL;
  for (size_t i = 0; i < v->flag_count; i++)
    if (v->flags[i].undefined) return arena_strdup(arena, v->flags[i].name);
  return "undefined";
}

static const char *lack_of(const struct verdict *v) {
  if (v->end != END_DONE || !verdict_lists_all(v)) return "a limit was reached on the side of the translated program";
  return v->stats.cut ? "the bound on loops cuts the translated program's executions: raise -unroll" : NULL;
}

/* Of the thread that has most instructions. */
static struct code_size code_size(const struct machine *m) {
  const struct shown *shown = shown_of(m);
  struct code_size most = {0};
  for (unsigned t = 0; t < shown->test->program->thread_count; t++) {
    const struct code_size *size = &shown->composed.columns[t].size;
    if (size->instructions > most.instructions) most = *size;
  }
  return most;
}

/* Asks the model of the language. */
static const char *ask(struct shown *shown, const struct explore_request *request,
                       const struct composed_observable *all) {
  struct arena *arena = arena_new();
  struct enumerate_options options = options_of(shown->setup);
  options.outcomes = true;
  options.timeout = request->options->timeout;
  options.max_memory = request->options->max_memory;
  options.cancel = request->options->cancel;
  const struct verdict *v = verdict_of_either(arena, shown->test, shown->setup->model, &options);
  const char *lacks = lack_of(v);
  keep_outcomes(request->arena, shown, v, all);
  shown->fault = fault_of(request->arena, v);
  arena_free(arena);
  return lacks;
}

static bool build(const struct target *target, const struct explore_request *request, unsigned attempt,
                  struct machine *machine, struct diags *diags) {
  struct arena *arena = request->arena;
  struct shown *shown = ARENA_NEW(arena, struct shown);
  (void)attempt;
  *shown = (struct shown){.setup = target->settings, .width = request->observable_count};
  struct compose_head head = {shown->setup->translator.to, request->program->name, target->name, NULL};
  if (!compose_program(arena, shown->setup, request->program, &head, &shown->composed, diags)) return false;
  const struct composed_observable *all =
      compose_observables(arena, request->program, &shown->composed, request->observables, request->observable_count);
  shown->test = observing(arena, &shown->composed, all, request->observable_count);
  const char *lacks = ask(shown, request, all);
  *machine = (struct machine){
      .name = target->name,
      .state_size = sizeof(uint64_t),
      .self = shown,
      .initial = initial,
      .successors = successors,
      .final = final,
      .step_kind = step_kind,
      .print_step = print_step,
      .print_state = print_state,
      .observable_count = shown->width + 1,
      .observe = observe,
      .fault = shown->width + 1,
      .print_fault = print_fault,
      .whole_run = arena_printf(arena, "Execution of the translated program under %s", shown->setup->model->ir.name),
      .lacks = lacks,
      .code_size = shown->setup->nvptx ? code_size : NULL,
  };
  return true;
}

/* ---- the kind ---- */

static bool runs(const struct program *program) {
  (void)program; /* who asks for it gets it, or is told why not */
  return true;
}

static bool check(const struct target *target, const struct program *program, struct arena *arena,
                  struct diags *diags) {
  const struct translated_setup *setup = target->settings;
  struct column *columns = ARENA_ARRAY(arena, struct column, program->thread_count + 1);
  bool plain = !program_is_adsm(program) && !program->assembly;
  if (plain && setup->nvptx) return true; /* compiling is for once */
  if (plain)
    return setup->translator.columns(&setup->translator, arena, program, compose_names(arena, program), columns, diags);
  return diag_fail(diags, "%s: tests of ADSM and of machine code are not translated", program->name);
}

const struct machine_kind translated_kind = {.title = "translation",
                                             .root = "translation",
                                             .code = CODE_TRANSLATED,
                                             .runs = runs,
                                             .check = check,
                                             .build = build};

static bool mapped_columns(const struct translator *translator, struct arena *arena, const struct program *program,
                           const char *const *locations, struct column *columns, struct diags *diags) {
  struct lowered_program lowered = {program, translator->self, locations};
  for (unsigned t = 0; t < program->thread_count; t++)
    if (!translate_thread(arena, &lowered, t, &columns[t], diags)) return false;
  return true;
}

struct translator translator_by_mapping(const struct language_mapping *mapping) {
  return (struct translator){(void *)(uintptr_t)mapping, mapping->name, mapping->to, mapped_columns};
}
