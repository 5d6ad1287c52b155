/* SPDX-License-Identifier: MIT */
/* The cheapest way from event to event by steps of a relation: of what explanations tell, and reasons rest on. */
#ifndef LITSCOPE_EXEC_CHEAPEST_PATH_IN_RELATION_H
#define LITSCOPE_EXEC_CHEAPEST_PATH_IN_RELATION_H

#include "checker/base/rel.h"

enum { FAR = 1 << 24 }; /* as a cost: there is no way */

struct path_costs {
  int (*of)(void *context, unsigned from, unsigned to); /* of a step */
  void *context;
};

/* By one step or more (Dijkstra); returns its cost.  `before` becomes each event's predecessor on it. */
int shortest_path(struct shape shape, const word *relation, unsigned from, unsigned to, struct path_costs costs,
                  unsigned *before);

#endif
