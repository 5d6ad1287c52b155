/* SPDX-License-Identifier: MIT */
/* Generators draw edges, and graph_of_edges sorts them into rows, once in each
 * direction, and drops loops and duplicates. */
#include "hwsem/workloads/input_graph.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"
#include "hwsem/timing/splitmix.h"

/* ---- edges to rows ---- */

struct arc {
  uint32_t target;
  int32_t weight;
};

static int compare_arcs(const void *a, const void *b) {
  const struct arc *s = a, *t = b;
  if (s->target != t->target) return s->target < t->target ? -1 : 1;
  return (s->weight > t->weight) - (s->weight < t->weight);
}

/* A weight by chance that both directions agree on. */
static int32_t weight_of(uint32_t u, uint32_t v, uint64_t seed) {
  uint64_t state = seed ^ ((uint64_t)(u < v ? u : v) << 32 | (u < v ? v : u));
  return 1 + (int32_t)(splitmix_next(&state) % 16);
}

static void add_arc(struct arc *arcs, uint32_t *next, uint32_t from, uint32_t to, int32_t weight) {
  if (from != to) arcs[next[from]++] = (struct arc){to, weight};
}

/* Sorts a row and keeps the first arc to each target; returns how many. */
static uint32_t tidy_row(struct arc *row, uint32_t count) {
  if (count) qsort(row, count, sizeof *row, compare_arcs);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < count; i++)
    if (kept == 0 || row[kept - 1].target != row[i].target) row[kept++] = row[i];
  return kept;
}

static bool late(struct cost_limit *limit) {
  return limit && cost_limit_met(limit);
}

struct graph *graph_of_edges(struct arena *arena, uint32_t vertices, struct edge_list edges, uint64_t seed,
                             struct cost_limit *limit) {
  const uint32_t *ends = edges.ends;
  const int32_t *weights = edges.weights;
  struct arena *scratch = arena_new();
  uint32_t *next = ARENA_ARRAY(scratch, uint32_t, (size_t)vertices + 1);
  for (size_t e = 0; e < edges.count; e++)
    if (ends[2 * e] != ends[2 * e + 1]) next[ends[2 * e]]++, next[ends[2 * e + 1]]++;
  uint32_t sum = 0;
  for (uint32_t v = 0; v <= vertices; v++) {
    uint32_t count = v < vertices ? next[v] : 0;
    next[v] = sum;
    sum += count;
  }
  uint32_t *start = ARENA_ARRAY(scratch, uint32_t, (size_t)vertices + 1);
  memcpy(start, next, ((size_t)vertices + 1) * sizeof *start);
  struct arc *arcs = ARENA_ARRAY(scratch, struct arc, (size_t)sum + 1);
  for (size_t e = 0; e < edges.count && !late(limit); e++) {
    uint32_t u = ends[2 * e], v = ends[2 * e + 1];
    int32_t weight = weights ? weights[e] : weight_of(u, v, seed);
    add_arc(arcs, next, u, v, weight);
    add_arc(arcs, next, v, u, weight);
  }
  struct graph *g = ARENA_MAKE(arena, struct graph, .vertices = vertices,
                               .first = ARENA_ARRAY(arena, uint32_t, (size_t)vertices + 1));
  g->target = ARENA_ARRAY(arena, uint32_t, (size_t)sum + 1);
  g->weight = ARENA_ARRAY(arena, int32_t, (size_t)sum + 1);
  for (uint32_t v = 0; v < vertices; v++) {
    uint32_t kept = late(limit) ? 0 : tidy_row(&arcs[start[v]], start[v + 1] - start[v]);
    for (uint32_t i = 0; i < kept; i++) {
      g->target[g->arcs] = arcs[start[v] + i].target;
      g->weight[g->arcs++] = arcs[start[v] + i].weight;
    }
    g->first[v + 1] = g->arcs;
  }
  arena_free(scratch);
  return g;
}

/* ---- generators ---- */

struct edges {
  struct arena *arena;
  VEC(uint32_t) ends;
  uint64_t seed;
  struct cost_limit *limit; /* NULL: none */
};

static uint32_t draw(struct edges *e, uint32_t below) {
  return (uint32_t)(splitmix_next(&e->seed) % below);
}

static void join(struct edges *e, uint32_t u, uint32_t v) {
  *vec_push(e->arena, &e->ends) = u;
  *vec_push(e->arena, &e->ends) = v;
}

static uint32_t root(uint32_t n, unsigned power) {
  uint32_t side = 1;
  for (;; side++) {
    uint64_t next = 1;
    for (unsigned i = 0; i < power; i++) next *= side + 1;
    if (next > n) return side;
  }
}

static uint32_t generate_rmat(struct edges *e, uint32_t vertices, uint32_t degree, bool renamed) {
  unsigned bits = 0;
  while (bits < 24 && (uint32_t)1 << (bits + 1) <= vertices) bits++;
  uint32_t n = (uint32_t)1 << bits, blocks = n / 64 ? n / 64 : 1;
  uint32_t *name = ARENA_ARRAY(e->arena, uint32_t, blocks);
  for (uint32_t i = 0; i < blocks; i++) name[i] = i;
  for (uint32_t i = blocks - 1; renamed && i > 0; i--) {
    uint32_t other = draw(e, i + 1), kept = name[i];
    name[i] = name[other];
    name[other] = kept;
  }
  for (uint64_t i = (uint64_t)n * degree / 2; i > 0 && !late(e->limit); i--) {
    uint32_t u = 0, v = 0;
    for (unsigned b = 0; b < bits; b++) {
      uint32_t part = draw(e, 100);
      u = u << 1 | (part >= 76);
      v = v << 1 | ((part >= 57 && part < 76) || part >= 95);
    }
    if (n >= 64) u = name[u / 64] * 64 + u % 64, v = name[v / 64] * 64 + v % 64;
    join(e, u, v);
  }
  return n;
}

/* A square or a cube, in which `keep` of a hundred edges stay. */
static uint32_t generate_grid(struct edges *e, uint32_t vertices, unsigned dimensions, uint32_t keep) {
  uint32_t side = root(vertices, dimensions), n = 1;
  assert(side > 0);
  for (unsigned i = 0; i < dimensions; i++) n *= side;
  for (uint32_t v = 0; v < n && !late(e->limit); v++)
    for (uint32_t i = 0, step = 1; i < dimensions; i++, step *= side)
      if (v / step % side + 1 < side && (keep == 100 || draw(e, 100) < keep)) join(e, v, v + step);
  return n;
}

/* Points lie in cells of a square grid, one in each; those within a distance that
 * gives the degree are joined.  Distances are in 1/1024 of a cell. */
static uint32_t generate_geometric(struct edges *e, uint32_t vertices, uint32_t degree) {
  uint32_t side = root(vertices, 2), n = side * side;
  assert(side > 0);
  uint64_t reach2 = (uint64_t)degree * 1024 * 1024 * 7 / 22;
  uint32_t *x = ARENA_ARRAY(e->arena, uint32_t, n), *y = ARENA_ARRAY(e->arena, uint32_t, n), span = 1;
  while ((uint64_t)(span - 1) * (span - 1) * 1024 * 1024 < reach2) span++;
  for (uint32_t v = 0; v < n; v++) {
    x[v] = v % side * 1024 + draw(e, 1024);
    y[v] = v / side * 1024 + draw(e, 1024);
  }
  for (uint32_t v = 0; v < n && !late(e->limit); v++)
    for (uint32_t row = v / side; row <= v / side + span && row < side; row++) {
      uint32_t from = v % side > span ? v % side - span : 0;
      for (uint32_t column = from; column <= v % side + span && column < side; column++) {
        uint32_t u = row * side + column;
        int64_t dx = (int64_t)x[u] - x[v], dy = (int64_t)y[u] - y[v];
        if (u > v && (uint64_t)(dx * dx + dy * dy) < reach2) join(e, v, u);
      }
    }
  return n;
}

static uint32_t generate_small_world(struct edges *e, uint32_t vertices, uint32_t degree) {
  for (uint32_t v = 0; v < vertices && !late(e->limit); v++)
    for (uint32_t k = 1; k <= degree / 2; k++) join(e, v, draw(e, 100) < 10 ? draw(e, vertices) : (v + k) % vertices);
  return vertices;
}

static uint32_t generate_uniform(struct edges *e, uint32_t vertices, uint32_t degree) {
  for (uint64_t i = (uint64_t)vertices * degree / 2; i > 0 && !late(e->limit); i--) {
    uint32_t u = draw(e, vertices);
    join(e, u, draw(e, vertices));
  }
  return vertices;
}

static uint32_t generate(struct edges *e, enum graph_kind kind, uint32_t vertices, uint32_t degree) {
  switch (kind) {
    case GRAPH_RMAT:
    case GRAPH_WEB:
      return generate_rmat(e, vertices, degree, kind == GRAPH_WEB);
    case GRAPH_GRID:
    case GRAPH_ROAD:
      return generate_grid(e, vertices, 2, kind == GRAPH_GRID ? 100 : 67);
    case GRAPH_MESH:
      return generate_grid(e, vertices, 3, 100);
    case GRAPH_GEOMETRIC:
      return generate_geometric(e, vertices, degree);
    case GRAPH_SMALL_WORLD:
      return generate_small_world(e, vertices, degree);
    case GRAPH_UNIFORM:
    case GRAPH_KINDS:
      break;
  }
  return generate_uniform(e, vertices, degree);
}

struct graph *graph_generate(struct arena *arena, enum graph_kind kind, uint32_t vertices, uint32_t degree,
                             uint64_t seed, struct cost_limit *limit) {
  struct edges e = {.arena = arena_new(), .seed = seed, .limit = limit};
  uint32_t n = generate(&e, kind, vertices, degree);
  struct edge_list edges = {e.ends.at, NULL, late(limit) ? 0 : e.ends.count / 2};
  struct graph *g = graph_of_edges(arena, n, edges, seed, limit);
  arena_free(e.arena);
  return g;
}

/* ---- keys ---- */

uint32_t *keys_uniform(struct arena *arena, size_t count, uint32_t range, uint64_t seed) {
  uint32_t *keys = ARENA_ARRAY(arena, uint32_t, count + 1);
  for (size_t i = 0; i < count; i++) keys[i] = (uint32_t)(splitmix_next(&seed) % range);
  return keys;
}

/* By inversion over the sums of 1/k, in units of 2^-32. */
uint32_t *keys_zipf(struct arena *arena, size_t count, uint32_t range, uint64_t seed) {
  struct arena *scratch = arena_new();
  uint64_t *sum = ARENA_ARRAY(scratch, uint64_t, (size_t)range + 1);
  for (uint32_t k = 0; k < range; k++) sum[k + 1] = sum[k] + ((uint64_t)1 << 32) / (k + 1);
  uint32_t *keys = ARENA_ARRAY(arena, uint32_t, count + 1);
  for (size_t i = 0; i < count; i++) {
    uint64_t drawn = splitmix_next(&seed) % sum[range];
    uint32_t low = 0, high = range - 1;
    while (low < high) {
      uint32_t middle = low + (high - low) / 2;
      if (sum[middle + 1] > drawn)
        high = middle;
      else
        low = middle + 1;
    }
    keys[i] = low;
  }
  arena_free(scratch);
  return keys;
}
