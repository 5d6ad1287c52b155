/* SPDX-License-Identifier: MIT */
/* SVG as Graphviz draws it, in an order that hides nothing. */
#ifndef LITSCOPE_REPORT_GRAPH_SVG_H
#define LITSCOPE_REPORT_GRAPH_SVG_H

#include <stdio.h>

/* Writes a picture of Graphviz's, drawn with all nodes before all edges, with its
 * thick edges before the thin ones: what crosses a thick edge, or runs along it,
 * stays visible. */
void graph_svg_write(const char *data, size_t size, FILE *out);

#endif
