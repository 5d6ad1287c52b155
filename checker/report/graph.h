/* SPDX-License-Identifier: MIT */
/* Executions as pictures: DOT text or SVG.
 *
 * A column for each thread, in boxes for work-groups and devices; program order
 * runs downwards; rf red, co blue, fr orange, synchronisation green.  What
 * follows from the edges drawn is left out, initial writes appear only where an
 * edge that matters needs them.  For a rejected execution the violated axiom is
 * the caption, its cycle is bold and the rest steps back.
 *
 * Places are computed here; edges are routed by gvc's "nop" layout.  Graphviz
 * keeps global state: a grapher serialises its use, and there should be one.
 */
#ifndef LITSCOPE_REPORT_GRAPH_H
#define LITSCOPE_REPORT_GRAPH_H

#include "checker/explain/exhibit.h"

struct grapher;

/* A grapher with its Graphviz context; grapher_free ends it.  NULL: Graphviz
 * could not be started. */
struct grapher *grapher_new(void);
void grapher_free(struct grapher *grapher);

/* Why grapher_new gave NULL. */
const char *grapher_fault(void);

enum graph_format { GRAPH_DOT, GRAPH_SVG };

/* Draws to a stream.  Returns false when Graphviz fails; nothing is written
 * then. */
bool grapher_write(struct grapher *grapher, const struct exhibit *subject, enum graph_format format, FILE *out);

#endif
