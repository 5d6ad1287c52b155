/* SPDX-License-Identifier: MIT */
/* All lanes of a task go over the edges of their vertices in step; a lane whose
 * edges are done waits for the others, which is where skewed degrees cost time. */
#include "hwsem/workloads/graph_programs.h"

#include <string.h>

#include "hwsem/timing/splitmix.h"

enum { FAR = 1 << 28, NO_COLOR = -1, RANK_UNIT = 100000, CHILDREN = 3 };

struct graphs {
  struct graphs_options o;
  struct arena *arena;
  struct work *work;
  struct deques deques;
  uint32_t vertices, tasks;
  /* In simulated memory. */
  uint32_t first, target, weight; /* the graph */
  uint32_t now, next;             /* distances; contributions and ranks; colours and the greatest neighbour */
  uint32_t value;                 /* colouring: of each vertex, all different; page rank: its degree */
  uint32_t left, found;           /* tree: tasks that are not done; nodes counted */
  unsigned iteration, half;       /* an iteration of some programs is two kernels */
  int64_t dealt, executed;        /* tasks */
};

typedef void task_function(struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes);

/* ---- lanes ---- */

struct lanes {
  uint32_t edge[WORK_LANES], end[WORK_LANES];
  unsigned who[WORK_LANES], active; /* lanes that still have edges */
};

/* The addresses of `lanes` words in a row. */
static const uint32_t *run_of(uint32_t *at, uint32_t first, unsigned lanes) {
  for (unsigned i = 0; i < lanes; i++) at[i] = first + i;
  return at;
}

static void gather_run(struct work_thread *t, uint32_t first, unsigned lanes, int32_t *values) {
  uint32_t at[WORK_LANES];
  work_gather(t, lanes, run_of(at, first, lanes), values);
}

static void scatter_run(struct work_thread *t, uint32_t first, unsigned lanes, const int32_t *values) {
  uint32_t at[WORK_LANES];
  work_scatter(t, lanes, run_of(at, first, lanes), values);
}

static void begin_edges(const struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes, struct lanes *l) {
  int32_t values[WORK_LANES];
  gather_run(t, g->first + from, lanes, values);
  for (unsigned i = 0; i < lanes; i++) l->edge[i] = (uint32_t)values[i];
  gather_run(t, g->first + from + 1, lanes, values);
  for (unsigned i = 0; i < lanes; i++) l->end[i] = (uint32_t)values[i];
}

/* The lanes with an edge left, and the edge's end of each; false when none has. */
static bool next_edges(const struct graphs *g, struct work_thread *t, unsigned lanes, struct lanes *l, uint32_t *edges,
                       int32_t *targets) {
  l->active = 0;
  for (unsigned i = 0; i < lanes; i++) {
    if (l->edge[i] == l->end[i]) continue;
    edges[l->active] = l->edge[i]++;
    l->who[l->active++] = i;
  }
  if (!l->active) return false;
  uint32_t at[WORK_LANES];
  for (unsigned k = 0; k < l->active; k++) at[k] = g->target + edges[k];
  work_gather(t, l->active, at, targets);
  work_compute(t, g->o.alu);
  return true;
}

/* array[target] for every active lane. */
static void gather_at(struct work_thread *t, uint32_t array, const struct lanes *l, const int32_t *targets,
                      int32_t *values) {
  uint32_t at[WORK_LANES];
  for (unsigned k = 0; k < l->active; k++) at[k] = array + (uint32_t)targets[k];
  work_gather(t, l->active, at, values);
}

/* ---- shortest paths ---- */

/* next[v] = min of now[v] and now[u] + weight over the neighbours u. */
static void relax(struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes) {
  struct lanes l;
  uint32_t edges[WORK_LANES];
  int32_t best[WORK_LANES], targets[WORK_LANES], weights[WORK_LANES], distances[WORK_LANES];
  gather_run(t, g->now + from, lanes, best);
  begin_edges(g, t, from, lanes, &l);
  while (next_edges(g, t, lanes, &l, edges, targets)) {
    for (unsigned k = 0; k < l.active; k++) edges[k] += g->weight;
    work_gather(t, l.active, edges, weights);
    gather_at(t, g->now, &l, targets, distances);
    for (unsigned k = 0; k < l.active; k++)
      if (distances[k] + weights[k] < best[l.who[k]]) best[l.who[k]] = distances[k] + weights[k];
  }
  scatter_run(t, g->next + from, lanes, best);
}

/* ---- colouring ---- */

/* next[v]: the greatest value among the neighbours without a colour. */
static void find_greatest(struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes) {
  struct lanes l;
  uint32_t edges[WORK_LANES];
  int32_t best[WORK_LANES], own[WORK_LANES], targets[WORK_LANES], colors[WORK_LANES], values[WORK_LANES];
  gather_run(t, g->now + from, lanes, own);
  begin_edges(g, t, from, lanes, &l);
  for (unsigned i = 0; i < lanes; i++) {
    best[i] = -1;
    if (own[i] != NO_COLOR) l.edge[i] = l.end[i]; /* has one: nothing to do */
  }
  while (next_edges(g, t, lanes, &l, edges, targets)) {
    gather_at(t, g->now, &l, targets, colors);
    gather_at(t, g->value, &l, targets, values);
    for (unsigned k = 0; k < l.active; k++)
      if (colors[k] == NO_COLOR && values[k] > best[l.who[k]]) best[l.who[k]] = values[k];
  }
  scatter_run(t, g->next + from, lanes, best);
}

/* Those with no greater neighbour take this iteration's colour. */
static void take_color(struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes) {
  int32_t color[WORK_LANES], value[WORK_LANES], greatest[WORK_LANES];
  uint32_t at[WORK_LANES];
  unsigned count = 0;
  gather_run(t, g->now + from, lanes, color);
  gather_run(t, g->value + from, lanes, value);
  gather_run(t, g->next + from, lanes, greatest);
  work_compute(t, g->o.alu);
  for (unsigned i = 0; i < lanes; i++)
    if (color[i] == NO_COLOR && value[i] > greatest[i]) at[count++] = g->now + from + i;
  for (unsigned i = 0; i < count; i++) color[i] = (int32_t)g->iteration;
  work_scatter(t, count, at, color);
}

/* ---- page rank ---- */

static int32_t rank_of(int64_t sum) {
  return (int32_t)(RANK_UNIT * 15 / 100 + sum * 85 / 100);
}

/* next[v]: its rank, from what its neighbours contribute. */
static void sum_ranks(struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes) {
  struct lanes l;
  uint32_t edges[WORK_LANES];
  int64_t sum[WORK_LANES] = {0};
  int32_t ranks[WORK_LANES], targets[WORK_LANES] = {0}, shares[WORK_LANES] = {0};
  begin_edges(g, t, from, lanes, &l);
  while (next_edges(g, t, lanes, &l, edges, targets)) {
    gather_at(t, g->now, &l, targets, shares);
    for (unsigned k = 0; k < l.active; k++) sum[l.who[k]] += shares[k];
  }
  for (unsigned i = 0; i < lanes; i++) ranks[i] = rank_of(sum[i]);
  scatter_run(t, g->next + from, lanes, ranks);
}

/* now[v] = rank over degree. */
static void share_ranks(struct graphs *g, struct work_thread *t, uint32_t from, unsigned lanes) {
  int32_t ranks[WORK_LANES] = {0}, degrees[WORK_LANES] = {0};
  gather_run(t, g->next + from, lanes, ranks);
  gather_run(t, g->value + from, lanes, degrees);
  work_compute(t, g->o.alu);
  for (unsigned i = 0; i < lanes; i++) ranks[i] = degrees[i] ? ranks[i] / degrees[i] : 0;
  scatter_run(t, g->now + from, lanes, ranks);
}

/* ---- a tree whose nodes spawn tasks ---- */

/* Children of a node, by chance but for the first levels; a task is a node's number. */
static unsigned children_of(const struct graphs *g, int32_t node) {
  uint64_t state = g->o.seed ^ (uint64_t)node << 20;
  if ((uint32_t)node >= g->o.nodes / CHILDREN) return 0;
  return (uint32_t)node < 16 ? CHILDREN : (unsigned)(splitmix_next(&state) % (CHILDREN + 1));
}

static void expand(struct graphs *g, struct work_thread *t, int32_t node) {
  unsigned children = children_of(g, node);
  work_compute(t, g->o.alu * (1 + node % 7));
  for (unsigned k = 0; k < children; k++) {
    int32_t child = node * CHILDREN + (int32_t)k + 1;
    while (!deques_push(&g->deques, t, child)) work_compute(t, 100);
  }
  work_update(t, WORK_ADD, g->found, 1, WORK_PLAIN);
  work_update(t, WORK_ADD, g->left, (int32_t)children - 1, WORK_PLAIN);
}

/* ---- kernels ---- */

static task_function *task_of(const struct graphs *g) {
  static task_function *const tasks[GRAPHS_PROGRAMS][2] = {[GRAPHS_SSSP] = {relax, relax},
                                                           [GRAPHS_COLOR] = {find_greatest, take_color},
                                                           [GRAPHS_PAGERANK] = {sum_ranks, share_ranks}};
  return tasks[g->o.program][g->half];
}

static void run_task(struct graphs *g, struct work_thread *t, int32_t task) {
  g->executed++;
  if (g->o.program == GRAPHS_TREE) {
    expand(g, t, task);
    return;
  }
  uint32_t from = (uint32_t)task * g->o.lanes, rest = g->vertices - from;
  task_of(g)(g, t, from, rest < g->o.lanes ? rest : g->o.lanes);
}

static bool is_done(const struct graphs *g, struct work_thread *t) {
  return g->o.program != GRAPHS_TREE || work_amo(t, WORK_ADD, g->left, 0, WORK_PLAIN) <= 0;
}

static void body(struct work_thread *t) {
  struct graphs *g = t->work->program;
  do {
    do {
      for (int32_t task; deques_take(&g->deques, t, &task);) run_task(g, t, task);
    } while (!is_done(g, t));
  } while (work_barrier(t));
}

/* ---- the host's part ---- */

/* Vertices are dealt evenly, in order. */
static void fill(struct graphs *g) {
  unsigned threads = g->o.threads;
  g->dealt += g->tasks;
  for (unsigned i = 0; i < threads; i++) {
    uint32_t from = (uint32_t)((uint64_t)g->tasks * i / threads);
    deques_fill(&g->deques, g->work, i, (int32_t)from, (uint32_t)((uint64_t)g->tasks * (i + 1) / threads) - from);
  }
}

static bool same(const struct graphs *g, uint32_t a, uint32_t b) {
  return !memcmp(&g->work->memory[a], &g->work->memory[b], g->vertices * sizeof *g->work->memory);
}

static bool all_colored(const struct graphs *g) {
  for (uint32_t v = 0; v < g->vertices; v++)
    if (g->work->memory[g->now + v] == NO_COLOR) return false;
  return true;
}

static bool next_kernel(struct work *work) {
  struct graphs *g = work->program;
  bool settled = false;
  if (g->o.program == GRAPHS_TREE) return false;
  if (g->o.program == GRAPHS_SSSP) {
    settled = same(g, g->now, g->next);
    uint32_t kept = g->now;
    g->now = g->next;
    g->next = kept;
  } else if (g->half == 0) {
    g->half = 1;
    fill(g);
    return true;
  }
  g->half = 0;
  g->iteration++;
  if (g->o.program == GRAPHS_COLOR) settled = all_colored(g);
  if (settled || g->iteration == (g->o.iterations ? g->o.iterations : 1000)) return false;
  fill(g);
  return true;
}

/* A permutation: no two vertices have the same value. */
static int32_t *shuffled(const struct graphs *g) {
  int32_t *value = ARENA_ARRAY(g->arena, int32_t, g->vertices + 1);
  uint64_t seed = g->o.seed;
  for (uint32_t v = 0; v < g->vertices; v++) {
    uint32_t other = (uint32_t)(splitmix_next(&seed) % (v + 1));
    value[v] = value[other];
    value[other] = (int32_t)v;
  }
  return value;
}

static int32_t degree_of(const struct graph *graph, uint32_t v) {
  return (int32_t)(graph->first[v + 1] - graph->first[v]);
}

/* What the arrays hold before the first iteration. */
static int32_t *initial(const struct graphs *g) {
  const struct graph *graph = g->o.graph;
  int32_t *now = ARENA_ARRAY(g->arena, int32_t, g->vertices + 1);
  uint32_t source = 0;
  for (uint32_t v = 0; v < g->vertices; v++) {
    if (degree_of(graph, v) > degree_of(graph, source)) source = v;
    if (g->o.program == GRAPHS_SSSP) now[v] = FAR;
    if (g->o.program == GRAPHS_COLOR) now[v] = NO_COLOR;
    if (g->o.program == GRAPHS_PAGERANK) now[v] = degree_of(graph, v) ? RANK_UNIT / degree_of(graph, v) : 0;
  }
  if (g->o.program == GRAPHS_SSSP && g->vertices) now[source] = 0;
  return now;
}

static int32_t *values_of(const struct graphs *g) {
  if (g->o.program != GRAPHS_PAGERANK) return shuffled(g);
  int32_t *degrees = ARENA_ARRAY(g->arena, int32_t, g->vertices + 1);
  for (uint32_t v = 0; v < g->vertices; v++) degrees[v] = degree_of(g->o.graph, v);
  return degrees;
}

static void place_graph(struct graphs *g) {
  const struct graph *graph = g->o.graph;
  g->vertices = graph->vertices;
  g->tasks = (g->vertices + g->o.lanes - 1) / g->o.lanes;
  g->first = work_place(g->work, graph->first, graph->vertices + 1);
  g->target = work_place(g->work, graph->target, graph->arcs);
  g->weight = work_place(g->work, graph->weight, graph->arcs);
  g->now = work_place(g->work, initial(g), g->vertices);
  g->next = work_place(g->work, initial(g), g->vertices);
  g->value = work_place(g->work, values_of(g), g->vertices);
}

/* ---- the same on the host ---- */

static void relax_on_host(const struct graph *graph, const int32_t *now, int32_t *next) {
  for (uint32_t v = 0; v < graph->vertices; v++) {
    next[v] = now[v];
    for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++)
      if (now[graph->target[e]] + graph->weight[e] < next[v]) next[v] = now[graph->target[e]] + graph->weight[e];
  }
}

static void color_on_host(const struct graph *graph, const int32_t *value, int32_t color, int32_t *now, int32_t *next) {
  for (uint32_t v = 0; v < graph->vertices; v++) {
    next[v] = -1;
    for (uint32_t e = graph->first[v]; e < graph->first[v + 1] && now[v] == NO_COLOR; e++) {
      uint32_t u = graph->target[e];
      if (now[u] == NO_COLOR && value[u] > next[v]) next[v] = value[u];
    }
  }
  for (uint32_t v = 0; v < graph->vertices; v++)
    if (now[v] == NO_COLOR && value[v] > next[v]) now[v] = color;
}

static void rank_on_host(const struct graph *graph, int32_t *now, int32_t *next) {
  for (uint32_t v = 0; v < graph->vertices; v++) {
    int64_t sum = 0;
    for (uint32_t e = graph->first[v]; e < graph->first[v + 1]; e++) sum += now[graph->target[e]];
    next[v] = rank_of(sum);
  }
  for (uint32_t v = 0; v < graph->vertices; v++) now[v] = degree_of(graph, v) ? next[v] / degree_of(graph, v) : 0;
}

/* Sequentially, as many iterations: what the first array must hold. */
static const int32_t *expected(const struct graphs *g) {
  const struct graph *graph = g->o.graph;
  int32_t *now = initial(g), *next = ARENA_ARRAY(g->arena, int32_t, g->vertices + 1), *value = values_of(g);
  for (unsigned i = 0; i < g->iteration; i++) {
    if (g->o.program == GRAPHS_COLOR) color_on_host(graph, value, (int32_t)i, now, next);
    if (g->o.program == GRAPHS_PAGERANK) rank_on_host(graph, now, next);
    if (g->o.program != GRAPHS_SSSP) continue;
    relax_on_host(graph, now, next);
    int32_t *kept = now;
    now = next;
    next = kept;
  }
  return now;
}

static const char *check_tree(struct arena *arena, const struct graphs *g) {
  int64_t nodes = 0, pending[1024] = {0}, depth = 1;
  while (depth > 0) {
    int32_t node = (int32_t)pending[--depth];
    unsigned children = children_of(g, node);
    nodes++;
    for (unsigned k = 0; k < children; k++) pending[depth++] = (int64_t)node * CHILDREN + k + 1;
  }
  if (g->work->memory[g->found] == nodes && g->executed == nodes) return NULL;
  return arena_printf(arena, "the tree has %lld nodes, %d were counted", (long long)nodes, g->work->memory[g->found]);
}

static const char *check(struct arena *arena, const struct work *work) {
  const struct graphs *g = work->program;
  if (g->o.program == GRAPHS_TREE) return check_tree(arena, g);
  const int32_t *right = expected(g), *got = &g->work->memory[g->now];
  for (uint32_t v = 0; v < g->vertices; v++)
    if (got[v] != right[v])
      return arena_printf(arena, "vertex %u has %d after %u iterations, and %d is right", v, got[v], g->iteration,
                          right[v]);
  if (g->executed != g->dealt)
    return arena_printf(arena, "%lld tasks were executed, and %lld dealt", (long long)g->executed, (long long)g->dealt);
  return NULL;
}

/* ---- a program ---- */

struct work *graphs_new(struct arena *arena, const struct graphs_options *options) {
  struct graphs *g = ARENA_MAKE(arena, struct graphs, .o = *options, .arena = arena);
  g->work = work_new(arena, options->threads, body, g);
  g->work->between = next_kernel;
  g->work->check = check;
  g->deques =
      (struct deques){.pop = options->pop, .steal = options->steal, .steals = options->steals, .most = options->most};
  if (options->program == GRAPHS_TREE) {
    g->deques.spawns = true;
    deques_place(&g->deques, g->work, DEQUE_TASKS);
    g->left = work_allocate(g->work, 1);
    g->found = work_allocate(g->work, 1);
    if (g->work->out_of_memory) return g->work;
    g->work->memory[g->left] = 1;
    deques_fill(&g->deques, g->work, 0, 0, 1);
    return g->work;
  }
  place_graph(g);
  /* Stolen tasks may all come to one deque. */
  deques_place(&g->deques, g->work, g->tasks < DEQUE_TASKS ? g->tasks : DEQUE_TASKS);
  if (!g->work->out_of_memory) fill(g);
  return g->work;
}

const struct deque_counts *graphs_counts(const struct work *work) {
  return &((const struct graphs *)work->program)->deques.counts;
}

int64_t graphs_tasks(const struct work *work) {
  return ((const struct graphs *)work->program)->executed;
}
