/* SPDX-License-Identifier: MIT */
/* Programs are changed side by side and summed in order, so that the counts and the
 * smallest program of each change are those of one thread. */
#include "checker/verify/target_code_ablation.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/limit.h"
#include "checker/base/pool.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/verify/sweep_result.h"

enum { BLOCK = 32 }; /* programs of one job */

static bool cancelled(const struct target_code_ablation *a) {
  return is_cancelled(a->options->explore.cancel);
}

static size_t blocks(size_t count) {
  return (count + BLOCK - 1) / BLOCK;
}

/* ---- what is changed ---- */

/* Which programs are sound as they are, and of which is that not known? */
struct choosing {
  const struct target_code_ablation *ablation;
  size_t count; /* of the family */
  bool *sound, *open;
};

static void *ask_block(void *context, size_t block) {
  const struct choosing *c = context;
  const struct emitted *code = &c->ablation->code;
  struct explorer *explorer = explorer_new();
  for (size_t i = block * BLOCK; i < (block + 1) * BLOCK && i < c->count && !cancelled(c->ablation); i++) {
    struct arena *arena = arena_new();
    struct compiled_answer answer = {.taken = false};
    code->ask(code->context, i, NULL, explorer, arena, &answer);
    c->sound[i] = compiled_is_sound(&answer);
    c->open[i] = answer.taken && (answer.refused || answer.undecided);
    arena_free(arena);
  }
  explorer_free(explorer);
  return NULL;
}

/* The reason of the first is asked for again: what workers are told ends with their arenas. */
static void leave_out(struct arena *arena, struct target_code_ablation *a, size_t program) {
  if (a->left_out++) return;
  struct explorer *explorer = explorer_new();
  struct compiled_answer answer = {.taken = false};
  a->code.ask(a->code.context, program, NULL, explorer, arena, &answer);
  explorer_free(explorer);
  a->first_left_out = program;
  a->reason = answer.refused ? answer.message : "a limit was reached";
}

struct target_code_ablation *target_code_ablation_new(struct arena *arena, const struct target_code_family *family,
                                                      const struct target *target,
                                                      const struct compiled_options *options, unsigned every,
                                                      struct diags *diags) {
  struct target_code_ablation *a = ARENA_NEW(arena, struct target_code_ablation);
  size_t count = target_code_family_count(family), *programs = ARENA_ARRAY(arena, size_t, count + 1);
  struct choosing c = {a, count, ARENA_ARRAY(arena, bool, count + 1), ARENA_ARRAY(arena, bool, count + 1)};
  struct pool_jobs jobs = {.context = &c, .work = ask_block};
  struct target_code_source source = {family, target, options, true};
  *a = (struct target_code_ablation){.family = family, .options = options, .programs = programs};
  if (!target_code_open(arena, &source, &a->code, diags)) return NULL;
  pool_run(blocks(count), options->workers, &jobs);
  unsigned seen = 0;
  for (size_t i = 0; i < count; i++) {
    struct family_judged judged;
    if (!target_code_family_at(family, i, &judged) || seen++ % every) continue;
    if (c.sound[i]) programs[a->count++] = i;
    if (c.open[i]) leave_out(arena, a, i);
  }
  return a;
}

enum ablation_answer ablation_without(const struct target_code_ablation *a, size_t program,
                                      bool (*has)(const void *set, const char *kind), const void *set,
                                      struct explorer *explorer) {
  struct arena *arena = arena_new();
  struct target_code_choice choice = {.has = has, .set = set};
  struct compiled_answer answer = {.taken = false};
  a->code.ask(a->code.context, program, &choice, explorer, arena, &answer);
  arena_free(arena);
  if (answer.refused) return ABLATION_REFUSED;
  if (answer.unsound || answer.hazard || answer.deadlock) return ABLATION_UNSOUND;
  return answer.undecided ? ABLATION_UNDECIDED : ABLATION_SOUND;
}

/* ---- sums ---- */

static struct compiled_ablation *find_change(struct arena *arena, struct compiled_ablations *result, const char *name) {
  struct compiled_ablation *known = FIND_ROW(result->at, result->count, change, name);
  if (!known) *vec_push(arena, result) = (struct compiled_ablation){.change = arena_strdup(arena, name)};
  return known ? known : &result->at[result->count - 1];
}

struct change_effect {
  bool needed, hazard, undecided;
};

static void count_change(struct arena *arena, struct compiled_ablations *result, const struct small_listed *program,
                         const char *name, struct change_effect effect) {
  struct compiled_ablation *to = find_change(arena, result, name);
  result->explored++;
  to->occurs++;
  to->needed += effect.needed;
  to->hazards += effect.hazard;
  to->undecided += effect.undecided;
  if (effect.needed && (!to->smallest || sweep_is_simpler(program, to->smallest))) to->smallest = program;
}

/* ---- what can be left out together ---- */

/* Those that may go so far, and one more. */
struct gone {
  const struct compiled_ablations *all;
  const struct compiled_ablation *added;
};

static bool is_gone(const void *set, const char *change) {
  const struct gone *gone = set;
  if (!strcmp(gone->added->change, change)) return true;
  for (size_t i = 0; i < gone->all->count; i++)
    if (gone->all->at[i].goes && !strcmp(gone->all->at[i].change, change)) return true;
  return false;
}

struct together {
  const struct target_code_ablation *ablation;
  struct gone gone;
  bool sound;
};

static void *try_together(void *context, size_t block) {
  const struct together *t = context;
  const struct target_code_ablation *a = t->ablation;
  struct explorer *explorer = explorer_new();
  bool sound = true;
  for (size_t i = block * BLOCK; sound && i < (block + 1) * BLOCK && i < a->count; i++)
    sound = !cancelled(a) && ablation_without(a, a->programs[i], is_gone, &t->gone, explorer) == ABLATION_SOUND;
  explorer_free(explorer);
  return sound ? context : NULL;
}

static bool note_together(void *context, size_t block, void *result) {
  struct together *t = context;
  (void)block;
  t->sound = result != NULL;
  return t->sound;
}

static void go_together(const struct target_code_ablation *a, struct compiled_ablations *result) {
  ARRAY_EACH (struct compiled_ablation, kind, result->at, result->count) {
    if (kind->needed || kind->hazards || kind->undecided) continue;
    struct together together = {a, {result, kind}, true};
    struct pool_jobs jobs = {&together, try_together, note_together, NULL};
    pool_run(blocks(a->count), a->options->workers, &jobs);
    kind->goes = together.sound && !cancelled(a);
  }
}

/* ---- in parts ---- */

uint64_t ablation_parts(size_t family, unsigned every) {
  return ((uint64_t)family / every + BLOCK) / BLOCK;
}

/* A line for each program, and one for each of its changes. */
static void do_program(const struct target_code_ablation *a, size_t program, struct explorer *explorer, FILE *out) {
  struct arena *arena = arena_new();
  size_t count;
  const char **changes = a->code.changes(a->code.context, program, false, arena, &count);
  fprintf(out, "p %zu\n", program);
  for (size_t i = 0; i < count && !cancelled(a); i++) {
    struct target_code_choice choice = {.number = i};
    struct compiled_answer answer = {.taken = false};
    if (!changes[i]) continue;
    struct arena *own = arena_new();
    a->code.ask(a->code.context, program, &choice, explorer, own, &answer);
    arena_free(own);
    if (!answer.refused)
      fprintf(out, "c %d %d %d %s\n", answer.unsound || answer.deadlock, answer.hazard, answer.undecided, changes[i]);
  }
  arena_free(arena);
}

void ablation_do_part(const struct target_code_ablation *a, uint64_t part, FILE *out) {
  struct explorer *explorer = explorer_new();
  double start = monotonic_seconds();
  for (size_t i = (size_t)part * BLOCK; i < (part + 1) * BLOCK && i < a->count; i++)
    do_program(a, a->programs[i], explorer, out);
  fprintf(out, "t %.6f\n", monotonic_seconds() - start);
  explorer_free(explorer);
}

static void sum_part(struct arena *arena, const struct target_code_family *family, const char *text,
                     struct compiled_ablations *result) {
  const struct small_listed *program = NULL;
  for (const char **at = text_split(arena, text ? text : "", "\n", NULL), *line; (line = *at); at++) {
    int needed, hazard, undecided, used = 0;
    size_t index;
    if (*line == 't') result->seconds += strtod(line + 1, NULL);
    if (sscanf(line, "p %zu", &index) == 1 && index < target_code_family_count(family)) {
      program = target_code_family_program(family, index);
      result->programs++;
    } else if (program && sscanf(line, "c %d %d %d %n", &needed, &hazard, &undecided, &used) == 3 && used) {
      count_change(arena, result, program, line + used,
                   (struct change_effect){needed != 0, hazard != 0, undecided != 0});
    }
  }
}

void ablation_sum(struct arena *arena, const struct target_code_ablation *a, struct parts *parts, uint64_t first,
                  uint64_t count, struct compiled_ablations *result) {
  for (uint64_t i = 0; i < count; i++) sum_part(arena, a->family, parts_text(parts, first + i), result);
  if (result->count) qsort(result->at, result->count, sizeof *result->at, text_compare);
  go_together(a, result);
}
