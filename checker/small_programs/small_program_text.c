/* SPDX-License-Identifier: MIT */
/* Small programs as litmus tests: what is around their threads. */
#include "checker/small_programs/small_program_text.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/small_programs/small_language_words.h"

/* The locations that a test has: global ones up to the last that is used, as their numbers
 * are the notation's, and those in local memory that are used. */
static bool has_location(const struct small_program *p, unsigned location) {
  for (unsigned t = 0; t < p->threads; t++)
    ARRAY_EACH (const struct small_op, op, p->ops[t], p->count[t]) {
      if (!small_is_access(op)) continue;
      if (op->location == location || (op->location > location && op->location < SMALL_GLOBALS)) return true;
    }
  return location < p->globals;
}

/* Calls for each register: of which thread, its number, whether it is read under a guard. */
static void each_register(const struct small_program *p, FILE *out,
                          void (*print)(FILE *out, unsigned thread, unsigned reg, bool guarded)) {
  for (unsigned t = 0; t < p->threads; t++) {
    unsigned reg = 0;
    bool guarded = false;
    for (unsigned i = 0; i < p->count[t]; i++) {
      guarded |= p->ops[t][i].guard && reg;
      if (small_reads(&p->ops[t][i])) print(out, t, reg++, guarded);
    }
  }
}

static void print_initial(FILE *out, unsigned thread, unsigned reg, bool guarded) {
  if (guarded) fprintf(out, " %u:r%u=-1;", thread, reg);
}

static void print_shown(FILE *out, unsigned thread, unsigned reg, bool guarded) {
  (void)guarded;
  fprintf(out, "%u:r%u; ", thread, reg);
}

/* ` x_surface @ surface aliases x;`, once. */
static void write_aliases(const struct small_program *p, FILE *out) {
  struct arena *arena = arena_new();
  VEC(const char *) done = {0};
  for (unsigned t = 0; t < p->threads; t++)
    ARRAY_EACH (const struct small_op, op, p->ops[t], p->count[t]) {
      const char *proxy, *name = small_name_used(arena, op);
      small_words_of(op, &proxy);
      if (!proxy || text_index(name, done.at, done.count) >= 0) continue;
      *vec_push(arena, &done) = name;
      fprintf(out, " %s @ %.*s aliases %s;", name, (int)(op->words + op->word_length - proxy), proxy,
              small_location_of(op));
    }
  arena_free(arena);
}

static void write_initial(const struct small_program *p, FILE *out) {
  fputc('{', out);
  for (unsigned x = 0; x < SMALL_LOCATIONS; x++)
    if (has_location(p, x)) fprintf(out, p->language->functions ? " [%s]=0;" : " %s=0;", small_location_names[x]);
  write_aliases(p, out);
  each_register(p, out, print_initial);
  fputs(" }\n", out);
}

static void write_end(const struct small_program *p, const char *condition, FILE *out) {
  fputs("locations [", out);
  each_register(p, out, print_shown);
  for (unsigned x = 0; x < SMALL_GLOBALS && has_location(p, x); x++)
    fprintf(out, "%s%s;", x ? " " : "", small_location_names[x]);
  fprintf(out, "]\n%s\n", condition);
}

/* A level of the scope tree, `(device (work_group P0 P1)) (device (work_group P2))`, outermost first, and each thread's
 * instance of it. */
struct tree_level {
  const char *word;
  const uint8_t *instances;
};

/* Are two threads in the same instance of so many levels? */
static bool are_together(const struct tree_level *levels, unsigned count, unsigned t, unsigned u) {
  for (unsigned i = 0; i < count; i++)
    if (levels[i].instances[t] != levels[i].instances[u]) return false;
  return true;
}

/* What a tree of `count` levels has below the first `depth`, where they are those of a thread. */
static void write_below(unsigned threads, const struct tree_level *levels, unsigned count, unsigned depth, unsigned of,
                        FILE *out) {
  for (unsigned t = 0; t < threads; t++) {
    if (!are_together(levels, depth, of, t)) continue;
    unsigned first = 0;
    while (depth < count && !are_together(levels, depth + 1, first, t)) first++;
    if (depth == count) {
      fprintf(out, " P%u", t);
    } else if (first == t) {
      fprintf(out, " (%s", levels[depth].word);
      write_below(threads, levels, count, depth + 1, t, out);
      fputc(')', out);
    }
  }
}

/* Clusters are CUDA's, and so are then the other words. */
static void write_tree(const struct small_program *p, FILE *out) {
  const char *const *words = p->language->tree;
  struct tree_level clusters[] = {{"device", p->dev}, {"cluster", p->cluster}, {"block", p->wg}};
  struct tree_level levels[] = {{words[0], p->dev}, {words[1], p->wg}};
  fputs("scopeTree", out);
  write_below(p->threads, p->clusters ? clusters : levels, p->clusters ? 3 : 2, 0, 0, out);
  fputc('\n', out);
}

void small_write(const struct small_program *p, const char *name, const char *comment, const char *condition,
                 FILE *out) {
  fprintf(out, "%s %s\n", litmus_language_word(p->language->tests), name);
  if (comment) fprintf(out, "(* %s *)\n", comment);
  write_initial(p, out);
  (p->language->functions ? small_write_functions : small_write_columns)(p, out);
  if (p->language->tree[0]) write_tree(p, out);
  write_end(p, condition, out);
}

const struct source *small_source(struct arena *arena, const struct small_program *p, const char *file,
                                  const char *name, const char *comment, const char *condition) {
  const char *text = TEXT_PRINTED(arena, out, small_write(p, name, comment, condition, out));
  return source_from_text(arena, file, text, strlen(text));
}
