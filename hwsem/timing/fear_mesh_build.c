/* SPDX-License-Identifier: MIT */
/* What is known before a run of FEAR's mesh: where nodes, members and slices are, what
 * messages look like, which operations a pattern has; and what a run's energy was. */
#include <assert.h>

#include "checker/base/number.h"
#include "hwsem/timing/fear_mesh_state.h"
#include "hwsem/timing/splitmix.h"

static int slice_of(const struct fear_run *r, int64_t address) {
  return r->p->mems ? r->slice_node[address % r->p->mems] : (int)((r->stride * address + 3) % r->rings->nodes);
}

void fear_mesh_aim(const struct fear_run *r, struct operation *op, int64_t core, int64_t address) {
  int64_t rings = r->rings->count, mutex = address % r->p->M;
  op->address = (int32_t)address;
  op->mutex = (int32_t)mutex;
  op->wire = (int32_t)(mutex % rings * r->p->B + mutex / rings % r->p->B);
  op->core = r->core_node[core];
  op->slice = slice_of(r, address);
  op->asked = r->nearest[op->core * rings + op->mutex % rings];
  op->told = r->nearest[op->slice * rings + op->mutex % rings];
}

/* ---- patterns ---- */

enum { CELLS = 48, BINS = 64, PRIVATE_LINES = 8, RANDOM_LINES = 64 };

int64_t fear_mesh_addresses(const struct fear_mesh_parameters *p, enum fear_sharing sharing, int64_t cores) {
  const int64_t counts[FEAR_SHARINGS] = {[FEAR_CELLS] = CELLS * cores,
                                         [FEAR_QUEUE] = 1,
                                         [FEAR_SWAPS] = p->elements,
                                         [FEAR_BINS] = BINS * cores,
                                         [FEAR_BLOCKS] = 1};
  return counts[sharing] ? counts[sharing] : larger((PRIVATE_LINES + 1) * cores, RANDOM_LINES);
}

static int64_t draw(uint64_t *seed) {
  return (int64_t)(splitmix_next(seed) >> 8);
}

/* Private lines come first, some of each core, and lines that all share after them. */
static int64_t address_of(const struct fear_mesh_parameters *p, enum fear_sharing sharing, int64_t cores, int64_t core,
                          int64_t j, uint64_t *seed) {
  int64_t own = PRIVATE_LINES * core + j % PRIVATE_LINES;
  switch (sharing) {
    case FEAR_CELLS: {
      int64_t random = draw(seed), owner = random % 4 == 0 ? (core + 1) % cores : core;
      return owner * CELLS + random / 4 % (random % 4 == 0 ? CELLS / 4 : CELLS);
    }
    case FEAR_SWAPS:
      return draw(seed) % p->elements;
    case FEAR_BINS:
      return core * BINS + draw(seed) % BINS;
    case FEAR_PRIV:
      return own;
    case FEAR_MIX:
      return j % 8 == 7 ? PRIVATE_LINES * cores + j / 8 % cores : own;
    case FEAR_MIG:
      return (core + j) % cores;
    case FEAR_RND:
      return (int64_t)(splitmix_next(seed) % RANDOM_LINES);
    case FEAR_HOT:
    case FEAR_QUEUE:
    case FEAR_BLOCKS:
    case FEAR_SHARINGS:
      break;
  }
  return 0;
}

void fear_mesh_plan(struct fear_run *r, enum fear_sharing sharing) {
  uint64_t seed = 1;
  for (int64_t core = 0; core < r->cores; core++)
    for (int64_t j = 0; j < r->p->ops && !cost_limit_met(r->limit); j++) {
      int64_t address = address_of(r->p, sharing, r->cores, core, j, &seed);
      fear_mesh_aim(r, &r->operations[core * r->p->ops + j], core, address);
    }
}

/* ---- the machine ---- */

/* A lattice for every size that divides the nodes exists: its prime factors can be
 * dealt to columns and rows. */
struct fear_rings fear_mesh_rings(struct arena *arena, const struct fear_mesh_parameters *p) {
  struct fear_rings rings;
  bool made = fear_rings_new(arena, p->W, (enum fear_layout)p->layout, p->k, 0, &rings);
  assert(made);
  (void)made;
  return rings;
}

/* Addresses step over the slices by 5; where that divides the nodes it would never
 * reach most of them, and the next number without a common divisor is taken. */
static int64_t stride_of(int64_t nodes) {
  int64_t stride = 5;
  while (common_divisor(stride, nodes) != 1) stride++;
  return stride;
}

/* Nodes that only answer are spread evenly in reading order. */
static void place(struct fear_run *r) {
  int64_t nodes = r->rings->nodes, cores = 0, slices = 0;
  for (int64_t node = 0; node < nodes; node++) {
    bool slice = (node + 1) * r->p->mems / nodes > node * r->p->mems / nodes;
    r->core_at[node] = slice ? NEVER : (int)cores;
    if (slice)
      r->slice_node[slices++] = (int)node;
    else
      r->core_node[cores++] = (int)node;
  }
}

static void shape_messages(struct fear_run *r) {
  for (int kind = 0; kind < KINDS; kind++) {
    bool data = kind == DATA || kind == SPEC_DATA || kind == WRITE_BACK || kind == LINE;
    bool asks = kind == REQUEST || kind == SPEC || kind == FETCH || kind == ATOMIC;
    r->class_of[kind] = asks || r->p->classes == 1 ? 0 : 1;
    r->flits_of[kind] = data ? (int)r->p->data : 1;
  }
}

static void find_nearest(struct fear_run *r) {
  const struct fear_rings *rings = r->rings;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count && !cost_limit_met(r->limit); ring++)
      r->nearest[node * rings->count + ring] = (int)(ring * rings->k + fear_nearest(rings, ring, node));
}

/* The way of updates. */
static void plan_rings(struct fear_run *r) {
  int64_t k = r->rings->k;
  for (int64_t member = 0; member < r->rings->nodes; member++) {
    int64_t first = member / k * k, next = first + (member - first + 1) % k;
    r->behind[r->rings->member[member]] = (int)r->rings->member[next];
  }
}

void fear_mesh_prepare(struct fear_run *r, size_t operations, size_t addresses) {
  const struct fear_mesh_parameters *p = r->p;
  struct arena *arena = r->arena;
  size_t nodes = (size_t)r->rings->nodes, cores = (size_t)r->cores;
  if (!p->ideal) r->mesh = mesh_new(arena, (int)p->W, (int)p->buffer);
  int64_t mutexes = smaller(p->M, (int64_t)addresses);
  r->entries = smaller(p->LUT, mutexes);
  r->stride = stride_of(r->rings->nodes);
  r->core_node = ARENA_ARRAY(arena, int, nodes);
  r->slice_node = ARENA_ARRAY(arena, int, nodes);
  r->core_at = ARENA_ARRAY(arena, int, nodes);
  r->operations = ARENA_ARRAY(arena, struct operation, operations);
  r->core = ARENA_ARRAY(arena, struct core, cores);
  r->tables = fear_mutex_tables_new(arena, r->rings, p->B, mutexes, p->E);
  r->nearest = ARENA_ARRAY(arena, int, (size_t)r->rings->count *nodes);
  r->behind = ARENA_ARRAY(arena, int, nodes);
  r->port_free = ARENA_ARRAY(arena, int64_t, nodes);
  r->line_free = ARENA_ARRAY(arena, int64_t, addresses);
  for (size_t i = 0; i < cores; i++) {
    r->core[i].lookup = ARENA_ARRAY(arena, int32_t, (size_t)r->entries);
    r->core[i].ways = ARENA_ARRAY(arena, struct way, (size_t)(p->sets * p->ways));
  }
  shape_messages(r);
  place(r);
  find_nearest(r);
  plan_rings(r);
}

/* ---- energy ---- */

struct fear_mesh_energy fear_mesh_energy(const struct fear_mesh_parameters *p, const struct fear_result *r) {
  enum { CORE_MHZ = 1300 }; /* Table I */
  int64_t nodes = p->W * p->W, entries = nodes * (p->M * p->k / nodes), lookups = (nodes - p->mems) * p->LUT;
  double power = p->memside ? 0 : ((double)entries * (double)p->pmutex + (double)lookups * (double)p->plookup) / 1024;
  return (struct fear_mesh_energy){.network = r->network.flit_hops * p->eflit,
                                   .caches = r->l1 * p->el1 + r->lines * p->el2 + r->atomics * p->eatomic,
                                   .tables = (int64_t)(power * (double)r->end / CORE_MHZ)};
}
