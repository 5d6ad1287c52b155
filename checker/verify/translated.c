/* SPDX-License-Identifier: MIT */
/* Sweeps of translations over families, and what becomes of them when an
 * instruction is weaker.  A weaker form that the language does not have does not
 * read back, and is no change. */
#include "checker/verify/translated.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/clock.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/translate/nvptx.h"
#include "checker/verify/code_sweep.h"
#include "checker/verify/family_ablation.h"

enum { BLOCK = 16 }; /* programs of one job */

static size_t blocks(size_t count) {
  return (count + BLOCK - 1) / BLOCK;
}

static bool cancelled(const struct compiled_options *options) {
  return options->explore.cancel && *options->explore.cancel;
}

/* What the translation shows, held against what the source's model allows. */
static void ask(const struct target *target, const struct family_judged *program,
                const struct compiled_options *options, struct explorer *explorer, struct arena *arena,
                struct compiled_answer *answer) {
  const struct litmus_test *test = program->test;
  struct diags quiet = diags_new(arena);
  struct machine machine;
  struct exploration found;
  struct explore_request request = {test->program, test->observables, test->observable_count,
                                    explorer,      &options->explore, arena};
  answer->taken = true;
  answer->refused = !target_explore(target, &request, &machine, &found, &quiet);
  if (answer->refused) answer->message = quiet.count ? quiet.at[0].message : "";
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

/* ---- sweeps ---- */

struct sweeping {
  const struct compiled_family *family;
  const struct target *target;
  const struct compiled_options *options;
  struct compiled_answer *answers; /* by program */
};

static void *sweep_block(void *context, size_t block) {
  const struct sweeping *s = context;
  struct explorer *explorer = explorer_new();
  size_t count = compiled_family_count(s->family);
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < count; i++) {
    struct family_judged program;
    if (!compiled_family_at(s->family, i, &program) || cancelled(s->options)) continue;
    struct arena *arena = arena_new();
    ask(s->target, &program, s->options, explorer, arena, &s->answers[i]);
    arena_free(arena);
  }
  explorer_free(explorer);
  return s->answers;
}

static bool go_on(void *context, size_t block, void *result) {
  (void)context;
  (void)block;
  (void)result;
  return true;
}

static void drop(void *context, void *result) {
  (void)context;
  (void)result;
}

/* Compiles all threads at once, where a compiler is what translates. */
static bool prepare(const struct compiled_family *family, const struct target *target, struct arena *arena,
                    struct diags *diags) {
  const struct translated_setup *setup = target->settings;
  VEC(const struct program *) programs = {0};
  if (!setup->nvptx) return true;
  for (size_t i = 0; i < compiled_family_count(family); i++) {
    struct family_judged program;
    if (compiled_family_at(family, i, &program)) *vec_push(arena, &programs) = program.test->program;
  }
  return nvptx_prepare(setup->nvptx, programs.at, programs.count, diags);
}

static bool sweep_all(struct sweeping *s, struct arena *arena, struct diags *diags) {
  size_t count = compiled_family_count(s->family);
  s->answers = ARENA_ARRAY(arena, struct compiled_answer, count + 1);
  if (!prepare(s->family, s->target, arena, diags)) return false;
  struct pool_jobs jobs = {s, sweep_block, go_on, drop};
  pool_run(blocks(count), s->options->workers, &jobs);
  return true;
}

/* ---- in parts ---- */

static void ask_emitted(void *context, size_t index, struct explorer *explorer, struct arena *arena,
                        struct compiled_answer *answer) {
  const struct sweeping *s = context;
  const struct translated_setup *setup = s->target->settings;
  struct family_judged program;
  if (!compiled_family_at(s->family, index, &program)) return;
  ask(s->target, &program, s->options, explorer, arena, answer);
  if (!setup->nvptx) answer->message = NULL;
}

static unsigned emitted_threads(void *context, size_t index, struct arena *arena, unsigned *numbers) {
  const struct sweeping *s = context;
  const struct translated_setup *setup = s->target->settings;
  struct family_judged program;
  bool counted = setup->nvptx && compiled_family_at(s->family, index, &program);
  return counted ? nvptx_numbers(setup->nvptx, arena, program.test->program, numbers) : 0;
}

bool translated_emitted(struct arena *arena, const struct compiled_family *family, const struct target *target,
                        const struct compiled_options *options, struct emitted *emitted, struct diags *diags) {
  struct sweeping *s = ARENA_NEW(arena, struct sweeping);
  *s = (struct sweeping){family, target, options, NULL};
  *emitted = (struct emitted){s, ask_emitted, emitted_threads};
  return prepare(family, target, arena, diags);
}

/* ---- weaker instructions ---- */

/* A word of an instruction, and what weakens it in its place; "": leaving it out. */
static const struct {
  const char *word, *as;
} WEAKER[] = {
    {"sc", "acq_rel"}, {"acq_rel", "acquire"}, {"acq_rel", "release"}, {"acquire", "relaxed"}, {"release", "relaxed"},
    {"sys", "gpu"},    {"gpu", "cta"},         {"acq_rel", "acq"},     {"acq_rel", "rel"},     {"semav", ""},
    {"semvis", ""},    {"dv", "wg"},           {"wg", "sg"},
};
enum { WEAKER_COUNT = sizeof WEAKER / sizeof *WEAKER };

struct change {
  unsigned thread;
  size_t cell;
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

static void add_changes(struct arena *arena, bool by_operation, const struct column *column, unsigned thread,
                        size_t cell, changes *all) {
  const char *text = column->at[cell].text, *rest = text + strcspn(text, " ");
  const char *opcode = arena_strndup(arena, text, (size_t)(rest - text));
  if (column->at[cell].label || !strchr(opcode, '.')) return;
  bool fence = !strncmp(opcode, "fence.", 6) || !strncmp(opcode, "membar.", 7);
  struct change change = {.thread = thread, .cell = cell};
  const char *operation = "";
  if (by_operation) operation = arena_printf(arena, "%s: ", compiled_operation_of_line(arena, column->at[cell].line));
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

/* A translator whose columns have one change. */
struct changed {
  const struct translator *inner;
  const struct change *change;
};

static bool changed_columns(const struct translator *translator, struct arena *arena, const struct program *program,
                            const char *const *locations, struct column *columns, struct diags *diags) {
  const struct changed *changed = translator->self;
  const struct change *change = changed->change;
  if (!changed->inner->columns(changed->inner, arena, program, locations, columns, diags)) return false;
  struct column *column = &columns[change->thread];
  if (change->text) {
    column->at[change->cell].text = change->text;
  } else {
    memmove(&column->at[change->cell], &column->at[change->cell + 1],
            (column->count - change->cell - 1) * sizeof *column->at);
    column->count--;
  }
  return true;
}

/* ---- what may go together ---- */

/* A translator whose columns have all changes of some kinds; their names are those that
 * they have in the columns as they were. */
struct thinned {
  const struct translator *inner;
  const struct ablation_kinds *kinds;
  bool by_operation;
};

/* What is left of a cell, NULL: nothing. */
static const char *thin(struct arena *arena, const struct thinned *thinned, const struct column *column, size_t cell) {
  const char *text = column->at[cell].text;
  changes all = {0};
  add_changes(arena, thinned->by_operation, column, 0, cell, &all);
  for (size_t i = 0; i < all.count; i++) {
    if (!thinned->kinds->has(thinned->kinds->set, all.at[i].name)) continue;
    if (!all.at[i].text) return NULL;
    const char *rest = text + strcspn(text, " "), *opcode = arena_strndup(arena, text, (size_t)(rest - text));
    const char *from = WEAKER[all.at[i].weaker].word,
               *weaker = weaken(arena, opcode, from, WEAKER[all.at[i].weaker].as);
    if (!weaker && !strcmp(from, "acq_rel")) weaker = weaken(arena, opcode, "acquire", "relaxed"); /* the other half */
    if (weaker) text = arena_printf(arena, "%s%s", weaker, rest);
  }
  return text;
}

static bool thinned_columns(const struct translator *translator, struct arena *arena, const struct program *program,
                            const char *const *locations, struct column *columns, struct diags *diags) {
  const struct thinned *thinned = translator->self;
  if (!thinned->inner->columns(thinned->inner, arena, program, locations, columns, diags)) return false;
  for (unsigned t = 0; t < program->thread_count; t++) {
    struct column *column = &columns[t];
    size_t count = 0;
    for (size_t i = 0; i < column->count; i++) {
      const char *text = column->at[i].label ? column->at[i].text : thin(arena, thinned, column, i);
      if (!text) continue;
      column->at[count] = column->at[i];
      column->at[count++].text = text;
    }
    column->count = count;
  }
  return true;
}

struct ablating {
  const struct compiled_family *family;
  const struct target *target;
  const struct compiled_options *options;
};

static void try_change(const struct ablating *a, const struct family_judged *program, const struct change *change,
                       struct explorer *explorer, struct ablation_block *block) {
  struct arena *arena = arena_new();
  struct translated_setup setup = *(const struct translated_setup *)a->target->settings;
  struct changed changed = {&((const struct translated_setup *)a->target->settings)->translator, change};
  struct target target = *a->target;
  struct compiled_answer answer = {.taken = false};
  setup.translator.self = &changed;
  setup.translator.columns = changed_columns;
  target.settings = &setup;
  ask(&target, program, a->options, explorer, arena, &answer);
  if (!answer.refused) ablation_note(block, change->name, answer.unsound, answer.hazard);
  arena_free(arena);
}

static changes changes_of_program(struct arena *arena, const struct ablating *a, const struct program *source) {
  const struct translated_setup *setup = a->target->settings;
  struct diags quiet = diags_new(arena);
  struct column *columns = ARENA_ARRAY(arena, struct column, source->thread_count + 1);
  changes all = {0};
  if (setup->translator.columns(&setup->translator, arena, source, compose_names(arena, source), columns, &quiet))
    for (unsigned t = 0; t < source->thread_count; t++)
      for (size_t i = 0; i < columns[t].count; i++)
        add_changes(arena, a->options->by_operation, &columns[t], t, i, &all);
  return all;
}

static const struct family_program *ablate_program(const void *context, size_t index, struct explorer *explorer,
                                                   struct ablation_block *block) {
  const struct ablating *a = context;
  struct family_judged program;
  if (!compiled_family_at(a->family, index, &program)) return NULL;
  struct arena *arena = arena_new();
  changes all = changes_of_program(arena, a, program.test->program);
  for (size_t i = 0; i < all.count && !cancelled(a->options); i++) try_change(a, &program, &all.at[i], explorer, block);
  arena_free(arena);
  return program.from;
}

static enum ablation_answer sound_without(const void *context, size_t index, const struct ablation_kinds *kinds,
                                          struct explorer *explorer) {
  const struct ablating *a = context;
  struct family_judged program;
  if (!compiled_family_at(a->family, index, &program)) return ABLATION_SOUND;
  struct arena *arena = arena_new();
  struct translated_setup setup = *(const struct translated_setup *)a->target->settings;
  struct thinned thinned = {&((const struct translated_setup *)a->target->settings)->translator, kinds,
                            a->options->by_operation};
  struct target target = *a->target;
  struct compiled_answer answer = {.taken = false};
  setup.translator.self = &thinned;
  setup.translator.columns = thinned_columns;
  target.settings = &setup;
  ask(&target, &program, a->options, explorer, arena, &answer);
  arena_free(arena);
  return ablation_answer_of(&answer);
}

static void list_changes(const void *context, size_t index, void (*name)(void *to, const char *change), void *to) {
  const struct ablating *a = context;
  struct family_judged program;
  if (!compiled_family_at(a->family, index, &program)) return;
  struct arena *arena = arena_new();
  changes all = changes_of_program(arena, a, program.test->program);
  for (size_t i = 0; i < all.count; i++) name(to, all.at[i].name);
  arena_free(arena);
}

struct family_ablation *translated_ablation(struct arena *arena, const struct compiled_family *family,
                                            const struct target *target, const struct compiled_options *options,
                                            unsigned every, struct diags *diags) {
  struct sweeping s = {family, target, options, NULL};
  size_t count = compiled_family_count(family);
  if (!sweep_all(&s, arena, diags)) return NULL;
  bool *sound = ARENA_ARRAY(arena, bool, count + 1);
  for (size_t i = 0; i < count; i++) sound[i] = compiled_is_sound(&s.answers[i]);
  struct ablating *context = ARENA_NEW(arena, struct ablating);
  struct family_ablation *ablation = ARENA_NEW(arena, struct family_ablation);
  *context = (struct ablating){family, target, options};
  *ablation = (struct family_ablation){.context = context,
                                       .list = list_changes,
                                       .change = ablate_program,
                                       .sound_without = sound_without,
                                       .cancel = options->explore.cancel,
                                       .workers = options->workers};
  ablation_choose(arena, ablation, sound, sound, count, every);
  return ablation;
}
