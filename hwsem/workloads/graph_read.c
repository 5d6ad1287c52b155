/* SPDX-License-Identifier: MIT */
/* Readers of graphs: Matrix Market (its coordinate format, NIST), and the formats of
 * the DIMACS challenges: the 2nd (p edge, e U V), the 9th (p sp, a U V W) and the
 * 10th (that of METIS), told apart by their first lines.  A file must hold as many
 * edges as it says: one that was cut is no smaller graph.  zlib opens files that are
 * compressed and files that are not. */
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include <zlib.h>

#include "checker/base/infile.h"
#include "checker/base/vec.h"
#include "hwsem/workloads/graph.h"
#include "hwsem/workloads/line_error.h"

enum { LINE_ROOM = 1 << 16 }; /* at first */

struct reader {
  gzFile file;
  const char *path;
  char *line, *at;
  size_t room;
  unsigned number;
  struct arena *arena;
  struct diags *diags;
  uint64_t vertices, entries;
  VEC(uint32_t) ends;
  VEC(int32_t) weights;
};

/* About what is at r->at of the line. */
static bool fail(struct reader *r, const char *what) {
  line_error(r->diags, r->path, r->number, r->line, r->at, what);
  return false;
}

static bool fail_line(struct reader *r, const char *what) {
  line_error(r->diags, r->path, r->number, r->line, NULL, what);
  return false;
}

/* About what is missing. */
static bool fail_file(struct reader *r, const char *what) {
  diag_error(r->diags, NULL, (struct span){0}, "%s: %s", r->path, what);
  return false;
}

/* The next line, however long; false at the end, or where the file is damaged. */
static bool next_line(struct reader *r) {
  size_t length = 0;
  while (gzgets(r->file, r->line + length, (int)(r->room - length))) {
    length += strlen(r->line + length);
    if (length + 1 < r->room || r->line[length - 1] == '\n') break;
    char *longer = arena_array(r->arena, r->room, 2);
    memcpy(longer, r->line, length);
    r->line = longer;
    r->room *= 2;
  }
  r->number += length > 0;
  return length > 0;
}

static bool is_blank(const char *line) {
  return line[strspn(line, " \t\r\n")] == '\0';
}

/* The next line that is no comment and not empty. */
static bool next_entry(struct reader *r) {
  do
    if (!next_line(r)) return false;
  while (*r->line == '%' || is_blank(r->line));
  return true;
}

/* All has been read: is it as much as was promised? */
static bool check_end(struct reader *r, uint64_t edges, uint64_t promised) {
  int error;
  gzerror(r->file, &error);
  if (error != Z_OK && error != Z_STREAM_END) return fail_file(r, "the file is damaged");
  if (edges == promised) return true;
  return fail_file(r, arena_printf(r->arena, "the file announces %llu edges, but has %llu",
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
  return is_blank(r->at) || fail(r, "there is more on the line than it should hold");
}

static bool check_size(struct reader *r) {
  if (r->vertices < 1 || r->vertices > GRAPH_VERTICES) return fail_line(r, "the number of vertices is out of range");
  if (r->entries > GRAPH_ARCS) return fail_line(r, "too many edges");
  return true;
}

/* An edge between vertices that count from 1. */
static bool add(struct reader *r, uint64_t u, uint64_t v, double weight) {
  if (u < 1 || v < 1 || u > r->vertices || v > r->vertices) return fail_line(r, "a vertex is out of range");
  if (r->weights.count >= GRAPH_ARCS) return fail_line(r, "too many edges");
  if (weight < 0) weight = -weight;
  *vec_push(r->arena, &r->ends) = (uint32_t)u - 1;
  *vec_push(r->arena, &r->ends) = (uint32_t)v - 1;
  *vec_push(r->arena, &r->weights) = !(weight >= 1) ? 1 : weight > 1000000 ? 1000000 : (int32_t)weight;
  return true;
}

/* %%MatrixMarket ...; comments; ROWS COLUMNS ENTRIES; ROW COLUMN [VALUE] ... */
static bool read_matrix(struct reader *r) {
  uint64_t columns, u, v, count = 0;
  if (!strcasestr(r->line, "coordinate")) return fail_line(r, "only Matrix Market's coordinate format holds a graph");
  if (!next_entry(r)) return fail_file(r, "the line with the size is missing");
  r->at = r->line;
  if (!take_count(&r->at, &r->vertices) || !take_count(&r->at, &columns) || !take_count(&r->at, &r->entries))
    return fail(r, "expected ROWS COLUMNS ENTRIES");
  if (columns > r->vertices) r->vertices = columns;
  if (!check_size(r)) return false;
  for (; next_entry(r); count++) {
    double weight = 1, imaginary;
    r->at = r->line;
    if (!take_count(&r->at, &u) || !take_count(&r->at, &v)) return fail(r, "expected ROW COLUMN [VALUE]");
    if (take_number(&r->at, &weight)) take_number(&r->at, &imaginary);
    if (!ends(r) || !add(r, u, v, weight)) return false;
  }
  return check_end(r, count, r->entries);
}

/* c ...; p sp N M; a U V W ...; or p edge N M; e U V ... */
static bool read_problem(struct reader *r) {
  do {
    r->at = r->line + 1;
    uint64_t u, v;
    double weight = 1;
    if (*r->line == 'p') {
      r->at += strspn(r->at, " \t");
      r->at += strcspn(r->at, " \t\r\n");
      if (!take_count(&r->at, &r->vertices) || !take_count(&r->at, &r->entries)) return fail(r, "expected p sp N M");
      if (!check_size(r)) return false;
    } else if (*r->line == 'a' || *r->line == 'e') {
      if (!take_count(&r->at, &u) || !take_count(&r->at, &v) || (*r->line == 'a' && !take_number(&r->at, &weight)))
        return fail(r, *r->line == 'a' ? "expected a U V W" : "expected e U V");
      if (!ends(r) || !add(r, u, v, weight)) return false;
    } else if (*r->line != 'c' && !is_blank(r->line)) {
      return fail_line(r, "expected a line that starts with c, p, a or e");
    }
  } while (next_line(r));
  if (!r->vertices) return fail_file(r, "the line p sp N M is missing");
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
  r->at = r->line;
  uint64_t format = 0, own = 1;
  if (!take_count(&r->at, &r->vertices) || !take_count(&r->at, &r->entries))
    return fail(r, "this is not a graph in a known format");
  if (take_count(&r->at, &format)) take_count(&r->at, &own);
  bool weighted = format % 10 == 1;
  uint64_t before = (format / 100 % 10 == 1) + (format / 10 % 10 == 1 ? own : 0);
  if (!check_size(r)) return false;
  for (uint64_t u = 1; u <= r->vertices; u++) {
    uint64_t v;
    double weight = 1;
    do
      if (!next_line(r)) return fail_file(r, "lines of vertices are missing");
    while (*r->line == '%');
    r->at = r->line;
    if (!skip_numbers(&r->at, before)) return fail(r, "a weight is missing");
    while (take_count(&r->at, &v)) {
      if (weighted && !take_number(&r->at, &weight)) return fail(r, "a weight is missing");
      if (!add(r, u, v, weight)) return false;
    }
    if (!ends(r)) return false;
  }
  /* Each edge is with both of its vertices. */
  return check_end(r, (r->weights.count + 1) / 2, r->entries);
}

static bool read_any(struct reader *r) {
  do
    if (!next_line(r)) return fail_file(r, "the file is empty or damaged");
  while ((*r->line == '%' && r->line[1] != '%') || is_blank(r->line));
  if (!strncasecmp(r->line, "%%MatrixMarket", 14)) return read_matrix(r);
  return *r->line == 'c' || *r->line == 'p' ? read_problem(r) : read_tenth(r);
}

struct graph *graph_read(struct arena *arena, const char *path, struct diags *diags) {
  struct arena *scratch = arena_new();
  int descriptor = infile_descriptor(path, false);
  struct reader r = {.path = path, .arena = scratch, .diags = diags};
  if (descriptor >= 0 && !(r.file = gzdopen(descriptor, "rb"))) close(descriptor);
  struct graph *graph = NULL;
  if (!r.file) {
    diag_error(diags, NULL, (struct span){0}, "%s: %s", path, infile_reason());
  } else {
    r.line = arena_array(scratch, r.room = LINE_ROOM, 1);
    if (read_any(&r))
      graph = graph_of_edges(arena, (uint32_t)r.vertices, (struct edge_list){r.ends.at, r.weights.at, r.weights.count},
                             1, NULL);
    gzclose(r.file);
  }
  arena_free(scratch);
  return graph;
}
