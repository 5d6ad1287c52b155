/* SPDX-License-Identifier: MIT */
/* Where the arrows of a picture go: Graphviz leads them around nodes that have their places, or places all. */
#include <string.h>

#include "checker/draw/draw.h"

/* Curves around the nodes take time with the cube of their number. */
enum { MAX_CURVED = 64 };

static void set(Agraph_t *graph, const char *name, const char *value) {
  agsafeset(graph, (char *)(uintptr_t)name, (char *)(uintptr_t)value, (char *)(uintptr_t) "");
}

bool arrows_place(GVC_t *context, Agraph_t *graph, bool nodes_placed, const char *format) {
  if (agnnodes(graph) > MAX_CURVED) set(graph, "splines", "line");
  /* DOT text carries its layout, so that `dot` draws what the SVG shows and not a layout of its own. */
  if (!strcmp(format, "dot") && nodes_placed) set(graph, "layout", "nop2");
  if (gvLayout(context, graph, nodes_placed ? "nop" : "dot")) return false;
  if (nodes_placed) labels_place(graph);
  return true;
}
