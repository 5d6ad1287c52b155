/* SPDX-License-Identifier: MIT */
/* litscope-draw: graphs laid out and drawn by Graphviz, in a process of their own.
 *
 * Graphviz, and what it draws with, end the process when memory runs out, and take
 * time to be loaded: litscope starts this program for its first picture, sends it
 * one graph after another, and goes on without it when it ends.  It shares no code
 * with litscope.
 */
#ifndef LITSCOPE_DRAW_DRAW_H
#define LITSCOPE_DRAW_DRAW_H

#include <gvc.h>
#include <stdbool.h>
#include <stdio.h>

/* Identifiers of cgraph's objects by order of creation.  cgraph's own are
 * addresses, and it writes subgraphs in the order of their identifiers: the
 * same graph would come out differently from run to run. */
extern Agdisc_t ids_discipline;

/* Gives the arrows of a graph their curves, and their labels places; where the nodes have no places, these too.
 * `format`: what the picture is for.  false: Graphviz failed.  The caller frees the layout (gvFreeLayout). */
bool arrows_place(GVC_t *context, Agraph_t *graph, bool nodes_placed, const char *format);

/* Of a graph that has its layout: gvc puts labels on the middle of their edges,
 * on top of whatever is there.  Each is moved to a place next to its own curve
 * that covers least.  Without memory they stay where they are. */
void labels_place(Agraph_t *graph);

/* Writes a picture of Graphviz's, drawn with all nodes before all edges, with its
 * thick edges before the thin ones: what crosses a thick edge, or runs along it,
 * stays visible. */
void svg_write(const char *data, size_t size, FILE *out);

/* Writes a graph that has its layout and the places of its labels as a tikzpicture. */
void tikz_write(Agraph_t *graph, FILE *out);

#endif
