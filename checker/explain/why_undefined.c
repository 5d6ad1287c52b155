/* SPDX-License-Identifier: MIT */
/* Undefined behaviour in a sentence: an execution that has it is looked for, as one that
 * the flag asks for, and the first of its pairs is named by lines. */
#include "checker/explain/why_undefined.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
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

/* The array outside which an address may be: the one whose elements it may name. */
static const char *array_of(struct arena *arena, const struct program *program, const struct address *address) {
  const char *name = program->locations[address->base].name;
  return arena_printf(arena, "gets outside %.*s", (int)strcspn(name, "[."), name);
}

/* Is it an access in the text of a module of PTX, perhaps one with a predicate? */
static bool is_written_access(const struct program *program, struct span span) {
  static const char *const words[] = {"ld.", "st.", "atom.", "red."};
  const char *text = program->source->text + span.at;
  if (*text == '@') text += strcspn(text, " \t"), text += strspn(text, " \t");
  for (size_t i = 0; i < ARRAY_COUNT(words); i++)
    if (text_begins(text, words[i])) return true;
  return false;
}

static bool is_of_numbers(const struct expr *e) {
  return expr_divides(e) && e->a->kind == EXPR_CONST && e->b->kind == EXPR_CONST && !e->b->value;
}

/* What an instruction may do that is undefined.  In a module of PTX a division of 1 by 0 stands in the place of an
 * access of no element, and of what else is undefined (ptx/operands.c). */
static const char *undefined_act(struct arena *arena, const struct litmus_test *test, const struct instr *instr) {
  const struct expr *value = instr ? instr->value : NULL, *index = instr ? instr->address.index : NULL;
  if (instr && instr->kind == INSTR_ASSIGN && tags_have(instr->tags, TAG_MBAR)) return "overflows an mbarrier";
  if (instr && instr->outside)
    return expr_has(value->b, expr_may_divide_by_0) ? arena_printf(arena, "divides by 0 or %s", instr->outside)
                                                    : instr->outside;
  if (index) {
    const char *outside = array_of(arena, test->program, &instr->address);
    const bool both = expr_has(index, expr_may_divide_by_0) || expr_has(value, expr_may_divide_by_0);
    return both ? arena_printf(arena, "divides by 0 or %s", outside) : outside;
  }
  if (test->language == LANG_PTX && expr_has(value, is_of_numbers))
    return is_written_access(test->program, instr->span) ? "accesses memory where no element begins"
                                                         : "does what is undefined";
  const bool update = instr && instr->kind == INSTR_RMW && instr->op == RMW_DIV;
  return update || expr_has(value, expr_may_divide_by_0) ? "divides by 0" : "does what is undefined";
}

/* Who does something undefined, other than racing, and where. */
static void tell_place(struct arena *arena, const struct verdict *v, FILE *out) {
  const struct program *program = v->test->program;
  struct event at = {.thread = (int)v->stats.undefined_at.thread, .instr = (int)v->stats.undefined_at.instr};
  const struct thread *thread = &program->threads[at.thread];
  const struct instr *instr = (unsigned)at.instr < thread->instr_count ? &thread->instrs[at.instr] : NULL;
  unsigned line = instr ? event_line(program, &at) : 0;
  fputs(thread->name, out);
  if (line) fprintf(out, " line %u", line);
  fprintf(out, " %s", undefined_act(arena, v->test, instr));
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
    tell_place(arena, v, t.text.out);
  else if (any && !t.told)
    tell_names(v, t.text.out);
  if (!limited) fputs("; any outcome is possible", t.text.out);
  const char *text = text_keep(&t.text, arena);
  if (any) result.sentence = text;
  return result;
}
