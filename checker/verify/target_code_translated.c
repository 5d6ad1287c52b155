/* SPDX-License-Identifier: MIT */
/* Translations of a family's programs, by a mapping to a language or by a compiler whose code
 * is in one, and of these with fences left out and weaker instructions in the place of others.  A weaker form that
 * the language does not have does not read back, and is no change. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/translate/model_as_machine.h"
#include "checker/translate/nvptx.h"
#include "checker/verify/target_code.h"

struct translated_code {
  const struct target_code_family *family;
  const struct target *target;
  const struct translated_setup *setup; /* of the target */
  const struct compiled_options *options;
};

/* ---- weaker instructions ---- */

/* A word of an instruction, and what weakens it in its place; "": leaving it out. */
static const struct {
  const char *word, *as;
} WEAKER[] = {
    {"sc", "acq_rel"}, {"acq_rel", "acquire"}, {"acq_rel", "release"}, {"acquire", "relaxed"}, {"release", "relaxed"},
    {"sys", "gpu"},    {"gpu", "cta"},         {"cluster", "cta"},     {"acq_rel", "acq"},     {"acq_rel", "rel"},
    {"semav", ""},     {"semvis", ""},         {"dv", "wg"},           {"wg", "sg"},
};
enum { WEAKER_COUNT = ARRAY_COUNT(WEAKER) };

struct change {
  unsigned weaker;  /* of WEAKER */
  const char *text; /* NULL: the cell is left out */
  const char *name;
};

typedef VEC(struct change) changes;

/* The opcode with one of its words changed, or NULL: it does not have it. */
static const char *weaken(struct arena *arena, const char *opcode, const char *from, const char *as) {
  size_t length = strlen(from);
  for (const char *at = strchr(opcode, '.'); at; at = strchr(at + 1, '.')) {
    if (strncmp(at + 1, from, length) != 0 || (at[1 + length] && at[1 + length] != '.')) continue;
    return arena_printf(arena, "%.*s%s%s%s", (int)(at - opcode), opcode, *as ? "." : "", as, at + 1 + length);
  }
  return NULL;
}

/* A text that may have changed before, weaker once more; as it is, if it is as weak already. */
static const char *weaken_further(struct arena *arena, const char *text, unsigned w) {
  const char *rest = text + strcspn(text, " "), *opcode = arena_strndup(arena, text, (size_t)(rest - text));
  const char *weaker = weaken(arena, opcode, WEAKER[w].word, WEAKER[w].as);
  if (!weaker && !strcmp(WEAKER[w].word, "acq_rel"))
    weaker = weaken(arena, opcode, "acquire", "relaxed"); /* the other half */
  return weaker ? arena_printf(arena, "%s%s", weaker, rest) : text;
}

static void add_changes(struct arena *arena, bool by_operation, const struct column_entry *cell, changes *all) {
  const char *text = cell->text, *rest = text + strcspn(text, " ");
  const char *opcode = arena_strndup(arena, text, (size_t)(rest - text));
  if (cell->label || !strchr(opcode, '.')) return;
  bool fence = text_begins(opcode, "fence.") || text_begins(opcode, "membar.");
  struct change change = {.weaker = 0};
  const char *operation = "";
  if (by_operation) operation = arena_printf(arena, "%s: ", compiled_operation_of_line(arena, cell->line));
  if (fence) {
    change.name = arena_printf(arena, "%s%s left out", operation, opcode);
    *vec_push(arena, all) = change;
  }
  for (unsigned w = 0; w < WEAKER_COUNT; w++) {
    const char *weaker = weaken(arena, opcode, WEAKER[w].word, WEAKER[w].as);
    if (!weaker) continue;
    change.weaker = w;
    change.text = arena_printf(arena, "%s%s", weaker, rest);
    change.name = arena_printf(arena, "%s%s as %s", operation, opcode, weaker);
    *vec_push(arena, all) = change;
  }
}

/* A translator whose columns have some changes, whose kinds are those that they have in the columns as they were. */
struct changed {
  const struct translator *inner;
  const struct target_code_choice *choice;
  bool by_operation;
};

/* What is left of a cell, NULL: nothing.  `*number`: of its first change among the program's. */
static const char *change_cell(struct arena *arena, const struct changed *changed, const struct column_entry *cell,
                               size_t *number) {
  const struct target_code_choice *choice = changed->choice;
  const char *text = cell->text;
  changes all = {0};
  add_changes(arena, changed->by_operation, cell, &all);
  for (size_t i = 0; i < all.count; i++) {
    bool chosen = choice->has ? choice->has(choice->set, all.at[i].name) : choice->number == *number + i;
    if (!chosen || !text) continue;
    text = all.at[i].text ? weaken_further(arena, text, all.at[i].weaker) : NULL;
  }
  *number += all.count;
  return text;
}

static bool changed_columns(const struct translator *translator, struct arena *arena, const struct program *program,
                            const char *const *locations, struct column *columns, struct diags *diags) {
  const struct changed *changed = translator->self;
  size_t number = 0;
  if (!changed->inner->columns(changed->inner, arena, program, locations, columns, diags)) return false;
  ARRAY_EACH (struct column, column, columns, program->thread_count) {
    size_t count = 0;
    for (size_t i = 0; i < column->count; i++) {
      const char *text = change_cell(arena, changed, &column->at[i], &number);
      if (!text) continue;
      column->at[count] = column->at[i];
      column->at[count++].text = text;
    }
    column->count = count;
  }
  return true;
}

static const char **list_changes(void *context, size_t index, bool strict, struct arena *arena, size_t *count) {
  const struct translated_code *c = context;
  const struct translator *translator = &c->setup->translator;
  struct diags quiet = diags_new(arena);
  struct family_judged program;
  changes all = {0};
  (void)strict; /* each changes what is written */
  *count = 0;
  if (!target_code_family_at(c->family, index, &program)) return NULL;
  const struct program *source = program.test->program;
  struct column *columns = ARENA_ARRAY(arena, struct column, source->thread_count + 1);
  if (translator->columns(translator, arena, source, compose_names(arena, source), columns, &quiet))
    for (unsigned t = 0; t < source->thread_count; t++)
      for (size_t i = 0; i < columns[t].count; i++)
        add_changes(arena, c->options->by_operation, &columns[t].at[i], &all);
  *count = all.count;
  return ROW_TEXTS(arena, all.at, all.count, name);
}

/* ---- what a translation shows ---- */

/* Compared with what the source's model allows. */
static void ask_target(const struct translated_code *c, const struct target *target,
                       const struct family_judged *program, struct explorer *explorer, struct arena *arena,
                       struct compiled_answer *answer) {
  const struct litmus_test *test = program->test;
  struct diags quiet = diags_new(arena);
  struct machine machine;
  struct exploration found;
  struct explore_request request = {test->program, test->observables,    test->observable_count,
                                    explorer,      &c->options->explore, arena};
  answer->taken = true;
  answer->refused = !target_explore(target, &request, &machine, &found, &quiet);
  if (answer->refused && c->setup->nvptx) answer->message = quiet.count ? quiet.at[0].message : "";
  if (answer->refused) return;
  answer->states = found.stats.states;
  answer->deadlock = found.stats.deadlocks > 0 && !machine.lacks;
  answer->undecided = found.end != EXPLORE_DONE || machine.lacks;
  for (size_t i = 0; i < found.outcome_count; i++) {
    const int64_t *values = found.outcomes[i].values;
    if (machine.fault && values[machine.fault - 1])
      answer->hazard = true;
    else if (!outcomes_find(program->allowed, values))
      answer->unsound = true;
  }
}

static void ask(void *context, size_t index, const struct target_code_choice *choice, struct explorer *explorer,
                struct arena *arena, struct compiled_answer *answer) {
  const struct translated_code *c = context;
  struct translated_setup setup = *c->setup;
  struct changed changed = {&c->setup->translator, choice, c->options->by_operation};
  struct target target = *c->target;
  struct family_judged program;
  if (!target_code_family_at(c->family, index, &program)) return;
  if (choice) {
    setup.translator.self = &changed;
    setup.translator.columns = changed_columns;
    target.settings = &setup;
  }
  ask_target(c, &target, &program, explorer, arena, answer);
}

static unsigned threads(void *context, size_t index, struct arena *arena, unsigned *numbers) {
  const struct translated_code *c = context;
  struct family_judged program;
  bool counted = c->setup->nvptx && target_code_family_at(c->family, index, &program);
  return counted ? nvptx_numbers(c->setup->nvptx, arena, program.test->program, numbers) : 0;
}

/* Compiles all threads at once, where a compiler is what translates. */
bool translated_open(struct arena *arena, const struct target_code_source *source, struct emitted *emitted,
                     struct diags *diags) {
  const struct target_code_family *family = source->family;
  struct translated_code *c = ARENA_NEW(arena, struct translated_code);
  VEC(const struct program *) programs = {0};
  *c = (struct translated_code){family, source->target, source->target->settings, source->options};
  *emitted = (struct emitted){c, ask, list_changes, threads};
  if (!c->setup->nvptx) return true;
  for (size_t i = 0; i < target_code_family_count(family); i++) {
    struct family_judged program;
    if (target_code_family_at(family, i, &program)) *vec_push(arena, &programs) = program.test->program;
  }
  return nvptx_prepare(c->setup->nvptx, programs.at, programs.count, diags);
}
