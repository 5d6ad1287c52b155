/* SPDX-License-Identifier: MIT */
/* Readers of graphs: Matrix Market (its coordinate format, NIST), and the formats
 * of the 9th (.gr) and 10th (.graph, that of METIS) DIMACS challenges, told apart
 * by their first lines.  zlib opens files that are compressed and files that are not. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "checker/base/vec.h"
#include "hwsem/workloads/graph.h"

enum { LINE_ROOM = 1 << 20 };

struct reader {
  gzFile file;
  const char *path;
  char *line;
  unsigned number;
  struct arena *arena;
  struct diags *diags;
  uint64_t vertices, entries;
  VEC(uint32_t) ends;
  VEC(int32_t) weights;
};

static bool fail(struct reader *r, const char *what) {
  diag_error(r->diags, NULL, (struct span){0}, "%s:%u: %s", r->path, r->number, what);
  return false;
}

static bool next_line(struct reader *r) {
  if (!gzgets(r->file, r->line, LINE_ROOM)) return false;
  r->number++;
  return true;
}

/* The number at *at, which moves behind it; false when there is none. */
static bool take_number(char **at, double *value) {
  char *end;
  *value = strtod(*at, &end);
  if (end == *at) return false;
  *at = end;
  return true;
}

static bool take_count(char **at, uint64_t *value) {
  double number;
  if (!take_number(at, &number) || number < 0 || number > 4e9) return false;
  *value = (uint64_t)number;
  return true;
}

static bool check_size(struct reader *r) {
  if (r->vertices < 1 || r->vertices > GRAPH_VERTICES) return fail(r, "the number of vertices is out of range");
  if (r->entries > GRAPH_ARCS) return fail(r, "too many edges");
  return true;
}

/* An edge between vertices that count from 1. */
static bool add(struct reader *r, uint64_t u, uint64_t v, double weight) {
  if (u < 1 || v < 1 || u > r->vertices || v > r->vertices) return fail(r, "a vertex is out of range");
  if (r->weights.count >= GRAPH_ARCS) return fail(r, "too many edges");
  if (weight < 0) weight = -weight;
  *vec_push(r->arena, &r->ends) = (uint32_t)u - 1;
  *vec_push(r->arena, &r->ends) = (uint32_t)v - 1;
  *vec_push(r->arena, &r->weights) = !(weight >= 1) ? 1 : weight > 1000000 ? 1000000 : (int32_t)weight;
  return true;
}

/* %%MatrixMarket ...; comments; ROWS COLUMNS ENTRIES; ROW COLUMN [VALUE] ... */
static bool read_matrix(struct reader *r) {
  uint64_t columns, u, v;
  char *at = r->line;
  if (!strstr(r->line, "coordinate")) return fail(r, "only Matrix Market's coordinate format holds a graph");
  do {
    if (!next_line(r)) return fail(r, "the line with the size is missing");
    at = r->line;
  } while (*at == '%' || *at == '\n');
  if (!take_count(&at, &r->vertices) || !take_count(&at, &columns) || !take_count(&at, &r->entries))
    return fail(r, "expected ROWS COLUMNS ENTRIES");
  if (columns > r->vertices) r->vertices = columns;
  if (!check_size(r)) return false;
  for (uint64_t i = 0; i < r->entries; i++) {
    double weight = 1;
    if (!next_line(r)) return fail(r, "entries are missing");
    at = r->line;
    if (!take_count(&at, &u) || !take_count(&at, &v)) return fail(r, "expected ROW COLUMN [VALUE]");
    take_number(&at, &weight);
    if (!add(r, u, v, weight)) return false;
  }
  return true;
}

/* c ...; p sp N M; a U V W ... */
static bool read_ninth(struct reader *r) {
  do {
    char *at = r->line + 1;
    uint64_t u, v;
    double weight;
    if (*r->line == 'p') {
      at += strspn(at, " ");
      at += strcspn(at, " \n");
      if (!take_count(&at, &r->vertices) || !take_count(&at, &r->entries)) return fail(r, "expected p sp N M");
      if (!check_size(r)) return false;
    } else if (*r->line == 'a') {
      if (!take_count(&at, &u) || !take_count(&at, &v) || !take_number(&at, &weight))
        return fail(r, "expected a U V W");
      if (!add(r, u, v, weight)) return false;
    } else if (*r->line != 'c' && *r->line != '\n') {
      return fail(r, "expected a line that starts with c, p or a");
    }
  } while (next_line(r));
  return r->vertices ? true : fail(r, "the line p sp N M is missing");
}

/* N M [FORMAT], then a line for each vertex: its neighbours, with weights when
 * FORMAT ends in 1, behind a weight of its own when that has a 1 before it. */
static bool read_tenth(struct reader *r) {
  char *at = r->line;
  double format = 0;
  if (!take_count(&at, &r->vertices) || !take_count(&at, &r->entries)) return fail(r, "this is no graph that is known");
  take_number(&at, &format);
  bool weighted = (int)format % 10 == 1, own = (int)format / 10 % 10 == 1;
  if (!check_size(r)) return false;
  for (uint64_t u = 1; u <= r->vertices; u++) {
    uint64_t v;
    double weight = 1;
    do
      if (!next_line(r)) return fail(r, "lines of vertices are missing");
    while (*r->line == '%');
    at = r->line;
    if (own) take_number(&at, &weight);
    while (take_count(&at, &v)) {
      weight = 1;
      if (weighted && !take_number(&at, &weight)) return fail(r, "a weight is missing");
      if (!add(r, u, v, weight)) return false;
    }
  }
  return true;
}

static bool read_any(struct reader *r) {
  do
    if (!next_line(r)) return fail(r, "the file is empty or damaged");
  while ((*r->line == '%' && r->line[1] != '%') || *r->line == '\n');
  if (!strncmp(r->line, "%%MatrixMarket", 14)) return read_matrix(r);
  return *r->line == 'c' || *r->line == 'p' ? read_ninth(r) : read_tenth(r);
}

struct graph *graph_read(struct arena *arena, const char *path, struct diags *diags) {
  struct arena *scratch = arena_new();
  struct reader r = {.path = path, .arena = scratch, .diags = diags, .file = gzopen(path, "rb")};
  struct graph *graph = NULL;
  if (!r.file) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, strerror(errno));
  } else {
    r.line = arena_array(scratch, LINE_ROOM, 1);
    if (read_any(&r)) graph = graph_of_edges(arena, (uint32_t)r.vertices, r.ends.at, r.weights.at, r.weights.count, 1);
    gzclose(r.file);
  }
  arena_free(scratch);
  return graph;
}
