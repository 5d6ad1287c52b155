/* SPDX-License-Identifier: MIT */
/* Executions as pictures: DOT text, SVG, PDF or TikZ.
 *
 * A column for each thread, in boxes for work-groups and devices; program order
 * runs downwards; rf red, co blue, fr orange, synchronisation green, other
 * relations in colours of their own; a legend where there are more than three.  What
 * follows from the edges drawn is left out, initial writes appear only where an
 * edge that matters needs them.  For a rejected execution the violated axiom is
 * the caption, its cycle is bold and the rest steps back.
 *
 * Places are computed here; edges are led around the nodes by Graphviz, in a
 * program of its own (checker/draw/): it ends the process when its memory does.
 * Drawing from several threads is serialised.
 */
#ifndef LITSCOPE_REPORT_EXECUTION_PICTURE_H
#define LITSCOPE_REPORT_EXECUTION_PICTURE_H

#include "checker/explain/shown_executions.h"

struct grapher;

/* A grapher; grapher_free ends it.  `program`: the path of litscope-draw, which is
 * started for the first picture; NULL: it is not there.  Returns NULL when nothing
 * can be drawn. */
struct grapher *grapher_new(const char *program);
void grapher_free(struct grapher *grapher);

/* Why grapher_new gave NULL. */
const char *grapher_fault(void);

enum graph_format { GRAPH_DOT, GRAPH_SVG, GRAPH_PDF, GRAPH_TIKZ };

/* `dot`, `svg`, `pdf` or `tikz`: what litscope-draw and names of files call it. */
static inline const char *graph_format_name(enum graph_format format) {
  static const char *const names[] = {"dot", "svg", "pdf", "tikz"};
  return names[format];
}

/* Threads in columns, in boxes of their work-groups and devices; without boxes;
 * or wherever Graphviz's `dot` puts their events. */
enum graph_form { GRAPH_CLUSTER, GRAPH_COLUMNS, GRAPH_FREE };

/* What a picture shows besides the usual; all 0: nothing. */
struct graph_look {
  enum graph_form form;
  const char *const *shown, *const *hidden; /* names of relations, ending in NULL; NULL: none */
  bool letters;                             /* a, b, ... before events, in their order */
  bool untitled;                            /* without the lines that say what it shows */
  bool instructions;                        /* what the text says, below them */
  bool hover;                               /* the line of the text, under the pointer */
};

/* Draws to a stream; `look` NULL: the usual.  Returns false when Graphviz fails or
 * ends, on memory or otherwise; nothing is written then, and the next picture may
 * be drawn. */
bool grapher_write(struct grapher *grapher, const struct exhibit *subject, const struct graph_look *look,
                   enum graph_format format, FILE *out);

#endif
