/* SPDX-License-Identifier: MIT */
/* Undefined behaviour in a sentence: an execution that has it is looked for, as one that
 * the flag asks for, and the first of its pairs is named by lines. */
#include "checker/explain/why_undefined.h"

#include <string.h>

#include "checker/base/text.h"
#include "checker/cat/naming_conventions.h"
#include "checker/exec/evaluate_model_on_execution.h"
#include "checker/verdict/kernel_verdict.h"

unsigned undefined_rank(const struct event *a, const struct event *b) {
  if (a->thread < 0 || b->thread < 0) return 2;
  bool ordinary = (event_is_access(a) && a->order == ORDER_NA) || (event_is_access(b) && b->order == ORDER_NA);
  return ordinary ? 0 : 1;
}

struct telling {
  const struct cat_model *model;
  const struct verdict_flag *flag;
  uint32_t check;
  struct text text;
  const struct litmus_test *test;
  bool told;
  struct undefined *result;
};

static void print_place(const struct program *program, const struct event *event, bool thread, FILE *out) {
  unsigned line = event_line(program, event);
  if (event->thread < 0) {
    fputs("the initial write", out);
    return;
  }
  if (thread || !line) fputs(program->threads[event->thread].name, out);
  if (event->launch) fprintf(out, "/%s", program->kernels[event->kernel].name);
  if (line) fprintf(out, "%sline %u", thread || event->launch ? " " : "", line);
}

static void print_members(struct telling *t, struct arena *scratch, const struct execution *x, unsigned a, unsigned b,
                          FILE *out) {
  const struct event *first = &x->events[a], *second = &x->events[b];
  bool race = convention_holds(FLAG_RACE, t->flag->name), pair = a != b;
  if (!race || !pair) fprintf(out, "%s: ", t->flag->name);
  print_place(x->program, first, true, out);
  if (pair) fputs(" and ", out);
  if (pair) print_place(x->program, second, !event_same_sequence(first, second), out);
  if (first->location >= 0)
    fprintf(out, "%s %s", race && pair ? " race on" : ",", x->program->locations[first->name].name);
  else if (race && pair)
    fputs(" race", out);
  if (!t->test->kernel || !race || !pair) return;
  struct missing missing = missing_between(scratch, x, a < b ? a : b, a < b ? b : a, t->test->language == LANG_VULKAN);
  t->result->missing = missing.kind;
  if (missing.text) fprintf(out, ": %s", missing.text);
}

/* Of the pairs (or the events) that make a check fail, the one that says most. */
static void tell_found(void *context, const struct execution *x) {
  struct telling *t = context;
  struct arena *scratch = arena_new();
  const struct valuation *v = evaluate(scratch, &t->model->ir, x);
  const struct cat_check *check = &t->model->ir.checks[t->check];
  const word *value = v->value[check->node];
  bool set = v->ir->nodes[check->node].type == CAT_SET;
  struct shape s = x->shape;
  unsigned best_a = 0, best_b = 0, best = ~0u;
  for (unsigned a = 0; a < s.n; a++)
    for (unsigned b = a; b < (set ? a + 1 : s.n); b++) {
      bool has = set ? set_has(value, a) : rel_has(s, value, a, b) || rel_has(s, value, b, a);
      unsigned rank = has ? undefined_rank(&x->events[a], &x->events[b]) : ~0u;
      if (rank >= best) continue;
      best = rank;
      best_a = a;
      best_b = b;
    }
  if (best != ~0u) print_members(t, scratch, x, best_a, best_b, t->text.out);
  t->told = best != ~0u;
  arena_free(scratch);
}

/* A flag by what raises it; false: that is not known. */
static bool tell_flag(struct telling *t, const struct verdict *v, const struct enumerate_options *options,
                      struct arena *arena) {
  const struct cat_model *model = t->model;
  for (t->check = 0; t->check < model->ir.check_count && !t->told; t->check++) {
    const struct cat_check *check = &model->ir.checks[t->check];
    if (check->kind != CHECK_EMPTY || check->role == ROLE_REQUIRE || strcmp(check->name, t->flag->name) != 0) continue;
    struct execution_listener listener = {tell_found, t};
    enum enumerate_end end = kernel_verdict_find_raised(arena, v->test, model, t->check, options, listener);
    t->result->cut |= end != END_DONE && end != END_STOPPED;
    if (t->told) return true;
  }
  return false;
}

/* Outside which array: the one whose elements the address may name. */
static void tell_outside(const struct program *program, const struct address *address, FILE *out) {
  const char *name = program->locations[address->base].name;
  fprintf(out, " gets outside %.*s", (int)strcspn(name, "[."), name);
}

/* Who does something undefined, other than racing, and where. */
static void tell_place(const struct verdict *v, FILE *out) {
  const struct program *program = v->test->program;
  struct event at = {.thread = (int)v->stats.undefined_at.thread, .instr = (int)v->stats.undefined_at.instr};
  const struct thread *thread = &program->threads[at.thread];
  const struct instr *instr = (unsigned)at.instr < thread->instr_count ? &thread->instrs[at.instr] : NULL;
  unsigned line = instr ? event_line(program, &at) : 0;
  fputs(thread->name, out);
  if (line) fprintf(out, " line %u", line);
  if (instr && instr->outside)
    fprintf(out, " %s", instr->outside);
  else if (instr && instr->address.index)
    tell_outside(program, &instr->address, out);
  else
    fputs(" does what is undefined", out);
}

static void tell_names(const struct verdict *v, FILE *out) {
  bool first = true;
  for (size_t i = 0; i < v->flag_count; i++) {
    if (!v->flags[i].undefined) continue;
    fprintf(out, "%s%s", first ? "" : ", ", v->flags[i].name);
    first = false;
  }
}

struct undefined undefined_explain(struct arena *arena, const struct verdict *v, const struct cat_model *model,
                                   const struct enumerate_options *options) {
  struct undefined result = {0};
  struct telling t = {.model = enumerate_model(v->test, model), .test = v->test, .result = &result};
  bool any = false, limited = false; /* `limited`: the model says what alone is undefined */
  t.text = text_new();
  for (size_t i = 0; i < v->flag_count && v->end == END_DONE && !t.told; i++) {
    if (!v->flags[i].undefined) continue;
    any = true;
    limited |= v->flags[i].meaning != NULL;
    t.flag = &v->flags[i];
    if (kernel_verdict_can(v->test, model)) tell_flag(&t, v, options, arena);
  }
  if (any && !t.told && v->test->kernel && v->stats.undefined)
    tell_place(v, t.text.out);
  else if (any && !t.told)
    tell_names(v, t.text.out);
  if (!limited) fputs("; any outcome is possible", t.text.out);
  const char *text = text_keep(&t.text, arena);
  if (any) result.sentence = text;
  return result;
}
