/* SPDX-License-Identifier: MIT */
/* Blocks of programs are changed side by side and summed in order, so that the
 * counts and the smallest program of each change are those of one thread. */
#include "checker/verify/family_ablation.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/pool.h"
#include "checker/base/vec.h"

enum { BLOCK = 32 }; /* programs of one job */

struct tried {
  const char *name;
  bool needed, hazard;
};

typedef VEC(struct tried) tried_list;

struct ablation_block {
  struct arena *arena;
  const struct family_program *program[BLOCK]; /* NULL: not in the family */
  tried_list tried[BLOCK];
  unsigned at; /* the one being tried */
};

void ablation_note(struct ablation_block *block, const char *change, bool needed, bool hazard) {
  *vec_push(block->arena, &block->tried[block->at]) =
      (struct tried){arena_strdup(block->arena, change), needed, hazard};
}

/* ---- jobs ---- */

struct running {
  const struct family_ablation *ablation;
  struct arena *arena;
  struct compiled_ablations *result;
};

static void *change_block(void *context, size_t index) {
  const struct family_ablation *a = ((const struct running *)context)->ablation;
  struct ablation_block *block = calloc(1, sizeof *block);
  if (!block) arena_out_of_memory();
  block->arena = arena_new();
  struct explorer *explorer = explorer_new();
  for (; block->at < BLOCK && index * BLOCK + block->at < a->count; block->at++)
    block->program[block->at] = a->change(a->context, a->programs[index * BLOCK + block->at], explorer, block);
  explorer_free(explorer);
  return block;
}

static void drop_block(void *context, void *from) {
  struct ablation_block *block = from;
  (void)context;
  arena_free(block->arena);
  free(block);
}

/* ---- sums ---- */

static struct compiled_ablation *find_change(struct arena *arena, struct compiled_ablations *result, const char *name) {
  for (size_t i = 0; i < result->count; i++)
    if (!strcmp(result->at[i].change, name)) return &result->at[i];
  vec_reserve(arena, (void **)&result->at, &result->room, result->count + 1, sizeof *result->at);
  result->at[result->count] = (struct compiled_ablation){.change = arena_strdup(arena, name)};
  return &result->at[result->count++];
}

/* Guards count too. */
static size_t words(const char *text) {
  size_t count = 0;
  for (; *text; text++) count += *text == ' ';
  return count;
}

static bool is_smaller(const struct family_program *a, const struct family_program *b) {
  size_t words_a = words(a->text), words_b = words(b->text);
  return words_a != words_b ? words_a < words_b : strcmp(a->text, b->text) < 0;
}

static void count_change(const struct running *r, const struct family_program *program, const struct tried *tried) {
  struct compiled_ablation *to = find_change(r->arena, r->result, tried->name);
  r->result->explored++;
  to->occurs++;
  to->needed += tried->needed;
  to->hazards += tried->hazard;
  if (tried->needed && (!to->smallest || is_smaller(program, to->smallest))) to->smallest = program;
}

static int by_change(const void *a, const void *b) {
  return strcmp(((const struct compiled_ablation *)a)->change, ((const struct compiled_ablation *)b)->change);
}

/* ---- what may go together ---- */

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
  const struct family_ablation *ablation;
  struct ablation_kinds kinds;
  bool sound;
};

static bool cancelled(const struct family_ablation *a) {
  return a->cancel && *a->cancel;
}

static void *try_together(void *context, size_t block) {
  const struct together *t = context;
  const struct family_ablation *a = t->ablation;
  struct explorer *explorer = explorer_new();
  bool sound = true;
  for (size_t i = block * BLOCK; sound && i < (block + 1) * BLOCK && i < a->count; i++)
    sound = !cancelled(a) && a->sound_without(a->context, a->programs[i], &t->kinds, explorer) == ABLATION_SOUND;
  explorer_free(explorer);
  return sound ? context : NULL;
}

static bool note_together(void *context, size_t block, void *result) {
  struct together *t = context;
  (void)block;
  t->sound = result != NULL;
  return t->sound;
}

static void go_together(const struct family_ablation *a, struct compiled_ablations *result) {
  for (size_t i = 0; i < result->count; i++) {
    struct compiled_ablation *kind = &result->at[i];
    if (kind->needed || kind->hazards) continue;
    struct gone gone = {result, kind};
    struct together together = {a, {is_gone, &gone}, true};
    struct pool_jobs jobs = {&together, try_together, note_together, NULL};
    pool_run((a->count + BLOCK - 1) / BLOCK, a->workers, &jobs);
    kind->goes = together.sound && !cancelled(a);
  }
}

void ablation_choose(struct arena *arena, struct family_ablation *ablation, const bool *counted, const bool *sound,
                     size_t count, unsigned every) {
  size_t *programs = ARENA_ARRAY(arena, size_t, count + 1);
  unsigned seen = 0;
  for (size_t i = 0; i < count; i++)
    if (counted[i] && seen++ % every == 0 && sound[i]) programs[ablation->count++] = i;
  ablation->programs = programs;
}

/* ---- in parts ---- */

uint64_t ablation_parts(size_t family, unsigned every) {
  return ((uint64_t)family / every + BLOCK) / BLOCK;
}

/* A line for each program, and one for each of its changes. */
void ablation_do_part(const struct family_ablation *a, uint64_t part, FILE *out) {
  struct arena *arena = arena_new();
  struct running running = {a, arena, NULL};
  struct ablation_block *block = change_block(&running, (size_t)part);
  for (unsigned i = 0; i < block->at; i++) {
    if (block->program[i]) fprintf(out, "p %zu\n", a->programs[part * BLOCK + i]);
    for (size_t k = 0; k < block->tried[i].count; k++) {
      const struct tried *tried = &block->tried[i].at[k];
      fprintf(out, "c %d %d %s\n", tried->needed, tried->hazard, tried->name);
    }
  }
  drop_block(&running, block);
  arena_free(arena);
}

static void sum_part(const struct running *r, const struct compiled_family *family, const char *text) {
  const struct family_program *program = NULL;
  for (const char *line = text; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
    int needed, hazard, used = 0;
    size_t index;
    if (sscanf(line, "p %zu", &index) == 1 && index < compiled_family_count(family)) {
      program = compiled_family_program(family, index);
      r->result->programs++;
    } else if (program && sscanf(line, "c %d %d %n", &needed, &hazard, &used) == 2 && used) {
      struct tried tried = {arena_strndup(r->arena, line + used, strcspn(line + used, "\n")), needed != 0, hazard != 0};
      count_change(r, program, &tried);
    }
  }
}

void ablation_sum(struct arena *arena, const struct family_ablation *a, const struct compiled_family *family,
                  struct parts *parts, uint64_t first, uint64_t count, struct compiled_ablations *result) {
  struct running running = {a, arena, result};
  for (uint64_t i = 0; i < count; i++) sum_part(&running, family, parts_text(parts, first + i));
  if (result->count) qsort(result->at, result->count, sizeof *result->at, by_change);
  go_together(a, result);
}
