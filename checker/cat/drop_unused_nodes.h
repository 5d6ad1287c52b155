/* SPDX-License-Identifier: MIT */
/* From the graph of a whole model to what its checks and shows need. */
#ifndef LITSCOPE_CAT_DROP_UNUSED_NODES_H
#define LITSCOPE_CAT_DROP_UNUSED_NODES_H

#include "checker/cat/operation_graph.h"

/* Fills ir->nodes with the nodes that ir->checks, ir->shows, ir->choices and
 * ir->ordered stand on, in order, and renumbers them. */
void drop_unused_nodes(struct arena *arena, const struct graph *graph, struct cat_ir *ir);

#endif
