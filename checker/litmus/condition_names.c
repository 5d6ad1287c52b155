/* SPDX-License-Identifier: MIT */
/* Conditions whose names are looked up, once the program is there: what they ask,
 * what states show of it, and their text, printed as herd prints it.
 */
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/litmus/test_draft.h"

/* --- locations that only the condition names ----------------------------------------------- */

static void add_location(struct draft *draft, const struct syntax_operand *operand) {
  bool address = operand->kind == OPERAND_ADDRESS && draft->dialect->language == LANG_C;
  if ((operand->kind != OPERAND_LOCATION && !address) || operand->cell) return;
  for (size_t i = 0; i < draft->threads.count; i++)
    if (draft_find_register(&draft->threads.at[i], operand->name) >= 0) return; /* an error, see fail_location */
  draft_use_location(draft, operand->name, operand->span);
}

static void add_locations(struct draft *draft, const struct syntax_prop *prop) {
  if (!prop) return;
  if (prop->kind == PROP_COMPARE) {
    add_location(draft, &prop->left);
    add_location(draft, &prop->right);
  }
  add_locations(draft, prop->a);
  add_locations(draft, prop->b);
}

void draft_use_condition(struct draft *draft) {
  add_locations(draft, draft->condition.prop);
  add_locations(draft, draft->condition.filter);
  for (size_t i = 0; i < draft->condition.locations.count; i++) add_location(draft, &draft->condition.locations.at[i]);
}

static bool is_register(const struct syntax_operand *operand, unsigned thread, const char *name) {
  return operand->kind == OPERAND_REGISTER && operand->number == thread && !strcmp(operand->name, name);
}

static bool names_register(const struct syntax_prop *prop, unsigned thread, const char *name) {
  if (!prop) return false;
  if (prop->kind == PROP_COMPARE)
    return is_register(&prop->left, thread, name) || is_register(&prop->right, thread, name);
  return names_register(prop->a, thread, name) || names_register(prop->b, thread, name);
}

bool draft_condition_names(const struct draft *draft, unsigned thread, const char *name) {
  const struct syntax_condition *condition = &draft->condition;
  for (size_t i = 0; i < condition->locations.count; i++)
    if (is_register(&condition->locations.at[i], thread, name)) return true;
  return names_register(condition->prop, thread, name) || names_register(condition->filter, thread, name);
}

/* --- names looked up --------------------------------------------------------------------- */

struct resolver {
  struct draft *draft;
  struct program *program;
  VEC(struct observable) seen;
  VEC(const struct draft_location *) whole; /* arrays that states show as a whole, in C */
};

/* A register that the thread never mentions keeps its 0, as in herd, where
 * conditions on untaken or deleted branches rely on it; most likely a slip. */
static int add_register(struct draft *draft, struct thread *thread, const struct syntax_operand *operand) {
  enum { MOST_REGISTERS = 1000 };
  struct arena *arena = draft->reader.arena;
  unsigned count = thread->reg_count;
  if (count >= MOST_REGISTERS) {
    reader_fail(&draft->reader, operand->span, "%s has more than %d registers already, and no '%s'", thread->name,
                MOST_REGISTERS, operand->name);
    return 0;
  }
  const char **names = ARENA_ARRAY(arena, const char *, count + 1),
             **words = ARENA_ARRAY(arena, const char *, count + 1);
  int64_t *init = ARENA_ARRAY(arena, int64_t, count + 1);
  size_t word_count = 0;
  for (unsigned i = 0; i < count; i++) {
    names[i] = thread->reg_names[i];
    init[i] = thread->reg_init[i];
    if (names[i]) words[word_count++] = names[i];
  }
  diag_warning(draft->reader.diags, draft->reader.source, operand->span, "%s has no register '%s', so it reads as 0%s",
               thread->name, operand->name, reader_hint(&draft->reader, operand->name, words));
  names[count] = operand->name;
  thread->reg_names = names;
  thread->reg_init = init;
  thread->reg_count++;
  return (int)count;
}

static struct observable find_register(struct resolver *r, const struct syntax_operand *operand) {
  struct program *program = r->program;
  if (operand->number >= program->thread_count) {
    reader_fail(&r->draft->reader, operand->span, "there is no thread P%u: the last one is P%u", operand->number,
                program->thread_count - 1);
    return (struct observable){0, 0};
  }
  struct thread *thread = &program->threads[operand->number];
  int reg = thread_find_register(thread, operand->name);
  if (reg < 0 && draft_find_location(r->draft, operand->name))
    reader_fail(&r->draft->reader, operand->span, "'%s' is a location: it is written without a thread", operand->name);
  else if (reg < 0 && thread_find_register(thread, arena_printf(r->draft->reader.arena, "$%s", operand->name)) >= 0)
    reader_fail(&r->draft->reader, operand->span, "%s has no register '%s'; did you mean '$%s'?", thread->name,
                operand->name, operand->name);
  else if (reg < 0)
    reg = add_register(r->draft, thread, operand);
  return (struct observable){(int)operand->number, reg < 0 ? 0 : (unsigned)reg};
}

static void fail_location(struct draft *draft, const struct syntax_operand *operand) {
  const char *hint = draft_location_hint(draft, operand->name);
  for (size_t i = draft->threads.count; i-- > 0;)
    if (draft_find_register(&draft->threads.at[i], operand->name) >= 0)
      hint = arena_printf(draft->reader.arena, "; a register is written with its thread, such as %u:%s",
                          draft->threads.at[i].number, operand->name);
  reader_fail(&draft->reader, operand->span, "unknown location '%s'%s", operand->name, hint);
}

static struct observable find_location(struct resolver *r, const struct syntax_operand *operand) {
  struct observable what = {-1, 0};
  const struct draft_location *location = draft_find_location(r->draft, operand->name);
  if (!location)
    fail_location(r->draft, operand);
  else if (location->multimem || location->blocks)
    reader_fail(&r->draft->reader, operand->span, "'%s' is a %s address: name one of its locations", operand->name,
                location->multimem ? "multimem" : "cluster");
  else if (!operand->cell && location->array)
    reader_fail(&r->draft->reader, operand->span, "'%s' is an array: name a cell, such as %s[0]", operand->name,
                operand->name);
  else if (operand->cell && !location->array)
    reader_fail(&r->draft->reader, operand->span, "'%s' is not an array", operand->name);
  else if (operand->cell && (operand->value < 0 || operand->value >= location->size))
    reader_fail(&r->draft->reader, operand->span, "'%s' has cells 0 to %u", operand->name, location->size - 1);
  else
    what.index = location->first + (operand->cell ? (unsigned)operand->value : 0);
  return what;
}

static struct operand resolve_operand(struct resolver *r, const struct syntax_operand *operand) {
  if (operand->kind == OPERAND_NUMBER) return (struct operand){.constant = true, .value = operand->value};
  struct observable what = operand->kind == OPERAND_REGISTER ? find_register(r, operand) : find_location(r, operand);
  if (operand->kind == OPERAND_ADDRESS) {
    r->program->addresses = true;
    return (struct operand){.constant = true, .value = ADDRESS_FIRST + what.index};
  }
  *vec_push(r->draft->reader.arena, &r->seen) = what;
  return (struct operand){.what = what};
}

/* `a={1,2}` as it is printed; the array is shown as a whole, too. */
static const char *resolve_cells(struct resolver *r, const struct syntax_prop *syntax) {
  const struct draft_location *location = draft_find_location(r->draft, syntax->array->name);
  if (!location || !location->array) return NULL; /* said of the first cell */
  if (location->size != syntax->count)
    reader_fail(&r->draft->reader, syntax->array->span, "'%s' has %u cells, and %u are compared", location->name,
                location->size, syntax->count);
  if (r->draft->dialect->language == LANG_C) *vec_push(r->draft->reader.arena, &r->whole) = location;
  struct text text = text_new();
  fprintf(text.out, "%s={", location->name);
  for (unsigned i = 0; i < syntax->count; i++) {
    if (i) fputc(',', text.out);
    value_print(r->program, resolve_operand(r, &syntax->values[i]).value, text.out);
  }
  fputc('}', text.out);
  return text_keep(&text, r->draft->reader.arena);
}

/* Where a location has no type but that of its accesses, any number with the same bits is its value. */
static void fit_constant(const struct resolver *r, struct operand *constant, const struct operand *beside) {
  if (!r->draft->dialect->typed_by_accesses || !constant->constant || beside->constant) return;
  if (beside->what.thread < 0)
    constant->value = width_fit(r->program->locations[beside->what.index].width, constant->value);
}

static const struct prop *resolve_prop(struct resolver *r, const struct syntax_prop *syntax) {
  if (!syntax) return NULL;
  struct prop *prop = ARENA_NEW(r->draft->reader.arena, struct prop);
  if (syntax->array) prop->text = resolve_cells(r, syntax);
  prop->kind = syntax->kind;
  if (syntax->kind == PROP_COMPARE) {
    prop->compare = syntax->compare;
    prop->left = resolve_operand(r, &syntax->left);
    prop->right = resolve_operand(r, &syntax->right);
    fit_constant(r, &prop->left, &prop->right);
    fit_constant(r, &prop->right, &prop->left);
  }
  prop->a = resolve_prop(r, syntax->a);
  prop->b = resolve_prop(r, syntax->b);
  return prop;
}

/* --- what a state shows -------------------------------------------------------------------- */

/* The array that is shown as a whole and of which it is a cell, or NULL. */
static const struct draft_location *whole_of(const struct resolver *r, struct observable what) {
  for (size_t i = 0; what.thread < 0 && i < r->whole.count; i++)
    if (what.index - r->whole.at[i]->first < r->whole.at[i]->size) return r->whole.at[i];
  return NULL;
}

/* As observable_compare, but what is shown as a whole stands among the locations that are no arrays. */
static int in_order(const void *a, const void *b, void *resolver) {
  const struct resolver *r = resolver;
  const struct observable *x = a, *y = b;
  const struct draft_location *array = whole_of(r, *x), *other = whole_of(r, *y);
  if (x->thread >= 0 || y->thread >= 0 || (!array && !other)) return observable_compare(r->program, *x, *y);
  if (array && array == other) return x->index < y->index ? -1 : x->index > y->index;
  if (!array && location_is_cell(&r->program->locations[x->index])) return 1;
  if (!other && location_is_cell(&r->program->locations[y->index])) return -1;
  return strcmp(array ? array->name : observable_name(r->program, *x),
                other ? other->name : observable_name(r->program, *y));
}

static void collect_observables(struct resolver *r, struct litmus_test *test) {
  struct observable *at = r->seen.at;
  if (r->seen.count) qsort_r(at, r->seen.count, sizeof *at, in_order, r);
  unsigned count = 0;
  for (size_t i = 0; i < r->seen.count; i++)
    if (!count || in_order(&at[count - 1], &at[i], r) != 0) at[count++] = at[i];
  unsigned *whole = ARENA_ARRAY(r->draft->reader.arena, unsigned, count + 1);
  for (unsigned i = 0; i < count; i++) {
    const struct draft_location *array = whole_of(r, at[i]);
    if (array && at[i].index == array->first) whole[i] = array->size;
  }
  test->observables = at;
  test->observable_count = count;
  test->whole = r->whole.count ? whole : NULL;
}

/* --- printing, as herd prints conditions ------------------------------------------------------ */

/* `beside`: what it is compared with.  A number is an int, as in herd7, but next to a longer type. */
static void print_operand(const void *context, const struct operand *operand, const struct operand *beside, FILE *out) {
  const struct program *program = context;
  const char *name = operand->constant ? "" : observable_name(program, operand->what);
  if (operand->constant && !beside->constant && observable_width(program, beside->what).is_long)
    observable_print_value(program, beside->what, operand->value, out);
  else if (operand->constant)
    value_print(program, operand->value, out);
  else if (operand->what.thread >= 0)
    fprintf(out, "%d:%s", operand->what.thread, name);
  else
    fprintf(out, location_is_cell(&program->locations[operand->what.index]) ? "%s" : "[%s]", name);
}

static const struct prop_words herd_words = {
    {[PROP_TRUE] = "true",
     [PROP_FALSE] = "false",
     [PROP_AND] = "@ /\\ @",
     [PROP_OR] = "@ \\/ @",
     [PROP_IMPLIES] = "@ => @",
     [PROP_NOT] = "not (@)"},
    {"@=@", "not (@=@)", "@<@", "@<=@", "@>@", "@>=@"}, /* herd has no other word for `!=` */
    true};

static const char *prop_text(struct arena *arena, const char *word, const struct program *program,
                             const struct prop *prop) {
  struct text text = text_new();
  fprintf(text.out, "%s (", word);
  prop_print(prop, &herd_words, print_operand, program, text.out);
  fputc(')', text.out);
  return text_keep(&text, arena);
}

/* Something of the `locations` line; an array stands for all of its cells. */
static void observe(struct resolver *r, const struct syntax_operand *operand) {
  const struct draft_location *location =
      operand->kind == OPERAND_LOCATION ? draft_find_location(r->draft, operand->name) : NULL;
  if (!location || operand->cell || !location->array) {
    resolve_operand(r, operand);
    return;
  }
  if (r->draft->dialect->language == LANG_C) *vec_push(r->draft->reader.arena, &r->whole) = location;
  for (unsigned cell = 0; cell < location->size; cell++)
    *vec_push(r->draft->reader.arena, &r->seen) = (struct observable){-1, location->first + cell};
}

void draft_resolve_condition(struct draft *draft, struct litmus_test *test) {
  static const char *const words[] = {"exists", "~exists", "forall"};
  static const struct prop truth = {.kind = PROP_TRUE};
  struct resolver r = {draft, test->program, {0}, {0}};
  test->quantifier = draft->condition.quantifier;
  const struct source *own = draft->reader.source;
  if (draft->condition.source) draft->reader.source = draft->condition.source;
  test->condition = draft->condition.prop ? resolve_prop(&r, draft->condition.prop) : &truth;
  draft->reader.source = own;
  for (size_t i = 0; i < draft->condition.locations.count; i++) observe(&r, &draft->condition.locations.at[i]);
  /* A test with a filter alone asks about the executions that pass it. */
  bool alone = !draft->condition.prop && draft->condition.filter;
  if (alone) test->filter = resolve_prop(&r, draft->condition.filter);
  if (draft->reader.failed) return;
  collect_observables(&r, test);
  r.seen.count = 0;
  r.seen.at = NULL;
  r.seen.room = 0;
  if (!alone) test->filter = resolve_prop(&r, draft->condition.filter);
  if (draft->reader.failed) return;
  struct arena *arena = draft->reader.arena;
  test->condition_text = prop_text(arena, words[test->quantifier], test->program, test->condition);
  if (test->filter) test->filter_text = prop_text(arena, "filter", test->program, test->filter);
  test->condition_at = draft->condition.at;
}

struct litmus_test draft_own_observables(struct draft *draft, const struct litmus_test *test) {
  struct litmus_test own = *test;
  if (!draft->condition.replaced) return own;
  /* Nobody asked for it: what is wrong with it is not said. */
  struct diags *diags = draft->reader.diags, unsaid = diags_new(draft->reader.arena);
  draft->reader.diags = &unsaid;
  struct resolver r = {draft, test->program, {0}, {0}};
  resolve_prop(&r, draft->condition.replaced);
  for (size_t i = 0; i < draft->condition.locations.count; i++) observe(&r, &draft->condition.locations.at[i]);
  collect_observables(&r, &own);
  draft->reader.diags = diags;
  draft->reader.failed = false;
  return own;
}
