/* SPDX-License-Identifier: MIT */
/* A longest common subsequence of the lines that differ, in hunks. */
#include "checker/report/patch.h"

#include <string.h>

#include "checker/base/vec.h"

enum { CONTEXT = 3 };

struct line {
  const char *at;
  size_t length; /* with its newline, if it has one */
};

struct lines {
  VEC(struct line) all;
};

/* A line of the patch: of both texts (' '), of the first ('-') or of the second ('+'). */
struct step {
  char mark;
  struct line line;
};

struct script {
  VEC(struct step) steps;
};

static void split(struct arena *arena, const struct source *source, struct lines *lines) {
  for (size_t at = 0; at < source->size;) {
    const char *newline = memchr(source->text + at, '\n', source->size - at);
    size_t end = newline ? (size_t)(newline - source->text) + 1 : source->size;
    *vec_push(arena, &lines->all) = (struct line){source->text + at, end - at};
    at = end;
  }
}

static bool same(struct line a, struct line b) {
  return a.length == b.length && !memcmp(a.at, b.at, a.length);
}

static void add(struct arena *arena, struct script *script, char mark, struct line line) {
  *vec_push(arena, &script->steps) = (struct step){mark, line};
}

/* The steps from a[0 .. n) to b[0 .. m), which share neither their first nor their last line. */
static void compare(struct arena *arena, const struct line *a, size_t n, const struct line *b, size_t m,
                    struct script *script) {
  uint32_t *common = ARENA_ARRAY(arena, uint32_t, (n + 1) * (m + 1)); /* of a[i ..) and b[j ..) */
  for (size_t i = n; i-- > 0;)
    for (size_t j = m; j-- > 0;) {
      uint32_t below = common[(i + 1) * (m + 1) + j], right = common[i * (m + 1) + j + 1];
      common[i * (m + 1) + j] =
          same(a[i], b[j]) ? common[(i + 1) * (m + 1) + j + 1] + 1 : (below > right ? below : right);
    }
  size_t i = 0, j = 0;
  while (i < n || j < m) {
    bool both = i < n && j < m && same(a[i], b[j]);
    if (both)
      add(arena, script, ' ', a[i]), i++, j++;
    else if (i < n && (j == m || common[(i + 1) * (m + 1) + j] >= common[i * (m + 1) + j + 1]))
      add(arena, script, '-', a[i++]);
    else
      add(arena, script, '+', b[j++]);
  }
}

static void write_line(FILE *out, const struct step *step) {
  putc(step->mark, out);
  fwrite(step->line.at, 1, step->line.length, out);
  if (!step->line.length || step->line.at[step->line.length - 1] != '\n')
    fputs("\n\\ No newline at end of file\n", out);
}

/* How many of the steps stand in a text: those that are not of the other alone. */
static size_t count(const struct script *script, size_t from, size_t to, char other) {
  size_t lines = 0;
  for (size_t i = from; i < to; i++) lines += script->steps.at[i].mark != other;
  return lines;
}

static void write_hunks(FILE *out, const struct script *script) {
  size_t total = script->steps.count, done = 0;
  for (size_t i = 0; i < total; i++) {
    if (i < done || script->steps.at[i].mark == ' ') continue;
    size_t from = i > done + CONTEXT ? i - CONTEXT : done, to = i + 1;
    for (size_t next = to; next < total && next <= to + 2 * CONTEXT; next++)
      if (script->steps.at[next].mark != ' ') to = next + 1;
    to = to + CONTEXT < total ? to + CONTEXT : total;
    size_t before = count(script, from, to, '+'), after = count(script, from, to, '-');
    fprintf(out, "@@ -%zu,%zu +%zu,%zu @@\n", count(script, 0, from, '+') + (before > 0), before,
            count(script, 0, from, '-') + (after > 0), after);
    for (size_t k = from; k < to; k++) write_line(out, &script->steps.at[k]);
    done = to;
  }
}

void patch_write(FILE *out, const struct source *from, const struct source *to) {
  struct arena *arena = arena_new();
  struct lines a = {0}, b = {0};
  struct script script = {0};
  split(arena, from, &a);
  split(arena, to, &b);
  size_t head = 0, tail = 0, n = a.all.count, m = b.all.count;
  while (head < n && head < m && same(a.all.at[head], b.all.at[head])) head++;
  while (tail < n - head && tail < m - head && same(a.all.at[n - 1 - tail], b.all.at[m - 1 - tail])) tail++;
  if (head + tail < n || head + tail < m) {
    for (size_t i = 0; i < head; i++) add(arena, &script, ' ', a.all.at[i]);
    compare(arena, a.all.at + head, n - head - tail, b.all.at + head, m - head - tail, &script);
    for (size_t i = n - tail; i < n; i++) add(arena, &script, ' ', a.all.at[i]);
    fprintf(out, "--- %s\n+++ %s\n", from->name, from->name);
    write_hunks(out, &script);
  }
  arena_free(arena);
}
