/* SPDX-License-Identifier: MIT */
/* Rings of nodes, and their analytic latency. */
#include "hwsem/timing/fear_rings.h"

#include <stdlib.h>

/* ---- the mesh ------------------------------------------------------------------- */

static struct fear_spot *spots_new(struct arena *arena, int64_t W) {
  struct fear_spot *spot = ARENA_ARRAY(arena, struct fear_spot, (size_t)(W * W));
  for (int64_t node = 0; node < W * W; node++)
    spot[node] = (struct fear_spot){(int32_t)(node % W), (int32_t)(node / W)};
  return spot;
}

int64_t fear_hops(const struct fear_rings *rings, int64_t from, int64_t to) {
  const struct fear_spot *spot = rings->spot;
  return abs(spot[from].x - spot[to].x) + abs(spot[from].y - spot[to].y);
}

/* ---- rings ---------------------------------------------------------------------- */

/* Deals the nodes, in reading order, to their rings. */
static void assign_places(struct fear_rings *rings, enum fear_layout layout) {
  int64_t columns = rings->a ? rings->W / rings->a : 0, rows = rings->b ? rings->W / rings->b : 0;
  struct arena *arena = arena_new();
  int64_t *filled = ARENA_ARRAY(arena, int64_t, (size_t)rings->count);
  for (int64_t node = 0; node < rings->nodes; node++) {
    int64_t x = node % rings->W, y = node / rings->W;
    int64_t ring = layout == FEAR_ROWS ? node / rings->k : y % rows * columns + x % columns;
    rings->member[ring * rings->k + filled[ring]++] = node;
  }
  arena_free(arena);
}

static bool fits(int64_t W, int64_t k, int64_t a) {
  return a > 0 && k % a == 0 && W % a == 0 && W % (k / a) == 0;
}

bool fear_rings_new(struct arena *arena, int64_t W, enum fear_layout layout, int64_t k, int64_t a,
                    struct fear_rings *rings) {
  int64_t nodes = W * W;
  *rings = (struct fear_rings){.W = W, .nodes = nodes, .k = k, .count = nodes / k};
  rings->member = ARENA_ARRAY(arena, int64_t, (size_t)nodes);
  rings->spot = spots_new(arena, W);
  if (layout == FEAR_ROWS) {
    assign_places(rings, layout);
    return true;
  }
  int64_t best = 0, least = 0;
  for (int64_t columns = 1; columns <= W; columns++) {
    if (!fits(W, k, columns) || (a && a != columns)) continue;
    rings->a = columns;
    rings->b = k / columns;
    assign_places(rings, layout);
    int64_t sum = fear_transport(rings);
    if (!best || sum <= least) best = columns, least = sum;
  }
  if (!best) return false;
  rings->a = best;
  rings->b = k / best;
  assign_places(rings, layout);
  return true;
}

int64_t fear_nearest(const struct fear_rings *rings, int64_t ring, int64_t node) {
  const int64_t *member = &rings->member[ring * rings->k];
  int64_t best = 0, least = fear_hops(rings, node, member[0]);
  for (int64_t j = 1; j < rings->k; j++) {
    int64_t distance = fear_hops(rings, node, member[j]);
    if (distance < least) best = j, least = distance;
  }
  return best;
}

int64_t fear_transport(const struct fear_rings *rings) {
  int64_t sum = 0;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++)
      sum += 2 * fear_hops(rings, node, rings->member[ring * rings->k + fear_nearest(rings, ring, node)]);
  return sum;
}

int64_t fear_uncontended(const struct fear_rings *rings, int64_t hop) {
  int64_t sum = 0, k = rings->k;
  for (int64_t node = 0; node < rings->nodes; node++)
    for (int64_t ring = 0; ring < rings->count; ring++) {
      int64_t j = fear_nearest(rings, ring, node), d = hop * fear_hops(rings, node, rings->member[ring * k + j]);
      for (int64_t phase = 0; phase < k; phase++) sum += 2 * d + ((j - phase - d) % k + k) % k;
    }
  return sum;
}
