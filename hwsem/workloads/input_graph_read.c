/* SPDX-License-Identifier: MIT */
/* Readers of graphs: Matrix Market (its coordinate format, NIST), and the formats of
 * the DIMACS challenges: the 2nd (p edge, e U V), the 9th (p sp, a U V W) and the
 * 10th (that of METIS), told apart by their first lines.  A file must hold as many
 * edges as it says: one that was cut is no smaller graph. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "checker/base/vec.h"
#include "hwsem/workloads/input_graph.h"
#include "hwsem/workloads/line_file.h"

struct reader {
  struct line_file f;
  uint64_t vertices, entries;
  VEC(uint32_t) ends;
  VEC(int32_t) weights;
};

static bool is_blank(const char *line) {
  return line[strspn(line, " \t\r\n")] == '\0';
}

/* The next line that is no comment and not empty. */
static bool next_entry(struct reader *r) {
  do
    if (!line_file_next(&r->f)) return false;
  while (*r->f.line == '%' || is_blank(r->f.line));
  return true;
}

/* All has been read: is it as much as was promised? */
static bool check_end(struct reader *r, uint64_t edges, uint64_t promised) {
  if (!line_file_is_whole(&r->f)) return false;
  if (edges == promised) return true;
  return line_file_fail(&r->f, arena_printf(r->f.arena, "the file announces %llu edges, but has %llu",
                                            (unsigned long long)promised, (unsigned long long)edges));
}

/* The number at *at, which moves past it; false when there is none. */
static bool take_number(char **at, double *value) {
  char *end;
  *value = strtod(*at, &end);
  if (end == *at) return false;
  *at = end;
  return true;
}

static bool take_count(char **at, uint64_t *value) {
  double number;
  char *behind = *at;
  if (!take_number(&behind, &number) || !(number >= 0) || number > 4e9) return false;
  *at = behind;
  *value = (uint64_t)number;
  return true;
}

static bool ends(struct reader *r) {
  return is_blank(r->f.at) || line_file_fail_at(&r->f, r->f.at, "there is more on the line than it should hold");
}

static bool check_size(struct reader *r) {
  if (r->vertices < 1 || r->vertices > GRAPH_VERTICES)
    return line_file_fail_at(&r->f, NULL, "the number of vertices is out of range");
  if (r->entries > GRAPH_ARCS) return line_file_fail_at(&r->f, NULL, "too many edges");
  return true;
}

/* An edge between vertices that count from 1. */
static bool add(struct reader *r, uint64_t u, uint64_t v, double weight) {
  if (u < 1 || v < 1 || u > r->vertices || v > r->vertices)
    return line_file_fail_at(&r->f, NULL, "a vertex is out of range");
  if (r->weights.count >= GRAPH_ARCS) return line_file_fail_at(&r->f, NULL, "too many edges");
  if (weight < 0) weight = -weight;
  *vec_push(r->f.arena, &r->ends) = (uint32_t)u - 1;
  *vec_push(r->f.arena, &r->ends) = (uint32_t)v - 1;
  *vec_push(r->f.arena, &r->weights) = !(weight >= 1) ? 1 : weight > 1000000 ? 1000000 : (int32_t)weight;
  return true;
}

/* %%MatrixMarket ...; comments; ROWS COLUMNS ENTRIES; ROW COLUMN [VALUE] ... */
static bool read_matrix(struct reader *r) {
  uint64_t columns, u, v, count = 0;
  if (!strcasestr(r->f.line, "coordinate"))
    return line_file_fail_at(&r->f, NULL, "only Matrix Market's coordinate format holds a graph");
  if (!next_entry(r)) return line_file_fail(&r->f, "the line with the size is missing");
  if (!take_count(&r->f.at, &r->vertices) || !take_count(&r->f.at, &columns) || !take_count(&r->f.at, &r->entries))
    return line_file_fail_at(&r->f, r->f.at, "expected ROWS COLUMNS ENTRIES");
  if (columns > r->vertices) r->vertices = columns;
  if (!check_size(r)) return false;
  for (; next_entry(r); count++) {
    double weight = 1, imaginary;
    if (!take_count(&r->f.at, &u) || !take_count(&r->f.at, &v))
      return line_file_fail_at(&r->f, r->f.at, "expected ROW COLUMN [VALUE]");
    if (take_number(&r->f.at, &weight)) take_number(&r->f.at, &imaginary);
    if (!ends(r) || !add(r, u, v, weight)) return false;
  }
  return check_end(r, count, r->entries);
}

/* c ...; p sp N M; a U V W ...; or p edge N M; e U V ... */
static bool read_problem(struct reader *r) {
  do {
    r->f.at = r->f.line + 1;
    uint64_t u, v;
    double weight = 1;
    if (*r->f.line == 'p') {
      r->f.at += strspn(r->f.at, " \t");
      r->f.at += strcspn(r->f.at, " \t\r\n");
      if (!take_count(&r->f.at, &r->vertices) || !take_count(&r->f.at, &r->entries))
        return line_file_fail_at(&r->f, r->f.at, "expected p sp N M");
      if (!check_size(r)) return false;
    } else if (*r->f.line == 'a' || *r->f.line == 'e') {
      if (!take_count(&r->f.at, &u) || !take_count(&r->f.at, &v) ||
          (*r->f.line == 'a' && !take_number(&r->f.at, &weight)))
        return line_file_fail_at(&r->f, r->f.at, *r->f.line == 'a' ? "expected a U V W" : "expected e U V");
      if (!ends(r) || !add(r, u, v, weight)) return false;
    } else if (*r->f.line != 'c' && !is_blank(r->f.line)) {
      return line_file_fail_at(&r->f, NULL, "expected a line that starts with c, p, a or e");
    }
  } while (line_file_next(&r->f));
  if (!r->vertices) return line_file_fail(&r->f, "the line p sp N M is missing");
  return check_end(r, r->weights.count, r->entries);
}

/* The numbers before a vertex's neighbours: its size and weights. */
static bool skip_numbers(char **at, uint64_t count) {
  double number;
  for (; count; count--)
    if (!take_number(at, &number)) return false;
  return true;
}

/* N M [FORMAT [WEIGHTS]], then a line for each vertex: its neighbours.  The digits of FORMAT say
 * whether a size of the vertex, WEIGHTS (1) weights of it and one for each edge are there. */
static bool read_tenth(struct reader *r) {
  uint64_t format = 0, own = 1;
  if (!take_count(&r->f.at, &r->vertices) || !take_count(&r->f.at, &r->entries))
    return line_file_fail_at(&r->f, r->f.at, "this is not a graph in a known format");
  if (take_count(&r->f.at, &format)) take_count(&r->f.at, &own);
  bool weighted = format % 10 == 1;
  uint64_t before = (format / 100 % 10 == 1) + (format / 10 % 10 == 1 ? own : 0);
  if (!check_size(r)) return false;
  for (uint64_t u = 1; u <= r->vertices; u++) {
    uint64_t v;
    double weight = 1;
    do
      if (!line_file_next(&r->f)) return line_file_fail(&r->f, "lines of vertices are missing");
    while (*r->f.line == '%');
    if (!skip_numbers(&r->f.at, before)) return line_file_fail_at(&r->f, r->f.at, "a weight is missing");
    while (take_count(&r->f.at, &v)) {
      if (weighted && !take_number(&r->f.at, &weight)) return line_file_fail_at(&r->f, r->f.at, "a weight is missing");
      if (!add(r, u, v, weight)) return false;
    }
    if (!ends(r)) return false;
  }
  /* Each edge is with both of its vertices. */
  return check_end(r, (r->weights.count + 1) / 2, r->entries);
}

static bool read_any(struct reader *r) {
  do
    if (!line_file_next(&r->f)) return line_file_fail(&r->f, "the file is empty or damaged");
  while ((*r->f.line == '%' && r->f.line[1] != '%') || is_blank(r->f.line));
  if (!strncasecmp(r->f.line, "%%MatrixMarket", 14)) return read_matrix(r);
  return *r->f.line == 'c' || *r->f.line == 'p' ? read_problem(r) : read_tenth(r);
}

struct graph *graph_read(struct arena *arena, const char *path, struct diags *diags) {
  struct arena *scratch = arena_new();
  struct reader r = {.vertices = 0};
  struct graph *graph = NULL;
  if (line_file_open(&r.f, scratch, path, diags)) {
    if (read_any(&r))
      graph = graph_of_edges(arena, (uint32_t)r.vertices, (struct edge_list){r.ends.at, r.weights.at, r.weights.count},
                             1, NULL);
    line_file_close(&r.f);
  }
  arena_free(scratch);
  return graph;
}
