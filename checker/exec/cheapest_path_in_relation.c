/* SPDX-License-Identifier: MIT */
/* Costs are asked for when the event that a step leads to is not known to be nearer already. */
#include "checker/exec/cheapest_path_in_relation.h"

int shortest_path(struct shape shape, const word *relation, unsigned from, unsigned to, struct path_costs costs,
                  unsigned *before) {
  unsigned n = shape.n;
  int far[n + 1];
  bool done[n + 1];
  for (unsigned e = 0; e < n; e++) far[e] = FAR, done[e] = false;
  int here = 0;
  for (unsigned at = from;;) {
    SET_EACH (e, shape.w, rel_row_const(shape, relation, at)) {
      if (done[e] || far[e] <= here) continue;
      int there = here + costs.of(costs.context, at, e);
      if (there < far[e]) far[e] = there, before[e] = at;
    }
    unsigned next = n;
    for (unsigned e = 0; e < n; e++)
      if (!done[e] && far[e] < FAR && (next == n || far[e] < far[next])) next = e;
    if (next == n || next == to) return far[to];
    done[next] = true;
    at = next;
    here = far[next];
  }
}
