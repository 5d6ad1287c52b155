/* SPDX-License-Identifier: MIT */
/* A picture in the making, which the files of execution_picture.c share.  In the order of
 * their use: the cycle (execution_picture_relations.c), texts (execution_picture_texts.c), places of nodes
 * (execution_picture_node_places.c), nodes and boxes (execution_picture_nodes.c), which relations become arrows
 * (execution_picture_relations.c).  What comes of it is DOT text; checker/draw/ places the arrows.
 */
#ifndef LITSCOPE_REPORT_EXECUTION_PICTURE_DRAWING_H
#define LITSCOPE_REPORT_EXECUTION_PICTURE_DRAWING_H

#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/report/execution_picture.h"

/* Sizes in points. */
enum { DRAWING_UNIT = 31, DRAWING_NODE_HEIGHT = 24, DRAWING_COLUMN_GAP = 44 };

/* Colours for relations of models' own. */
enum { DRAWING_COLORS = 6 };

/* Everything is in the arena but the text. */
struct drawing {
  struct arena *arena;
  const struct exhibit *subject;
  const struct graph_look *look;
  const struct execution *x;
  struct shape shape;
  struct text text;   /* the graph */
  bool *has_node;     /* by event */
  const char **label; /* by event */
  bool *on_cycle;     /* by event */
  double *y;          /* by event */
  unsigned *column;   /* threads in the order of their columns */
  double *column_x;   /* by thread: middle */
  double *column_width;
  double height; /* of the deepest column, downwards */
  VEC(struct explained_edge) bold;
  VEC(struct explained_edge) drawn; /* what has been drawn, to draw nothing twice */
  const char *color_owner[DRAWING_COLORS];
};

/* ---- DOT text (execution_picture_write_dot.c) ---- */

/* A node or edge by its name, or a default (`node`); attributes; and its end. */
void drawing_begin(struct drawing *d, const char *object);
void drawing_set(struct drawing *d, const char *name, const char *value);
void drawing_end(struct drawing *d);

/* ---- what stands on nodes (execution_picture_texts.c) ---- */

/* Fills `label`. */
void drawing_label_events(struct drawing *d);

/* The line of the test's text that an event is from: `line 7: *x = 1;`; NULL: of none. */
const char *drawing_text_line(const struct drawing *d, unsigned e);

/* The width of a text of one line or two. */
double drawing_text_width(const char *text);

/* ---- places (execution_picture_node_places.c) ---- */

/* Fills `y` and `height`. */
void drawing_place_rows(struct drawing *d);

/* Fills `column`, `column_x` and `column_width`, by the width of labels. */
void drawing_place_columns(struct drawing *d);

double drawing_node_height(const struct drawing *d);

/* How much higher than usual the heads of columns stand above their events. */
double drawing_lift(const struct drawing *d);

/* Column 2 t is thread t's, 2 t + 1 that of the kernels it launches. */
unsigned drawing_column_count(const struct drawing *d);
unsigned drawing_column_of(const struct drawing *d, unsigned e);

/* Does the program say where its threads run? */
bool drawing_has_groups(const struct drawing *d);

/* Scopes whose instances are boxes, inner ones first. */
enum { DRAWING_LEVELS = 4 };
extern const enum scope drawing_levels[DRAWING_LEVELS];

/* Is there a box around the instances of a scope?  Where the language has no word
 * for levels of its own, sub-groups are shown if some hold several threads. */
bool drawing_shows_level(const struct program *program, enum scope level);

/* ---- nodes and boxes (execution_picture_nodes.c) ---- */

/* Heads of columns, events, and initial writes that the cycle needs. */
void drawing_add_nodes(struct drawing *d);

/* Boxes around columns, for the instances of scopes. */
void drawing_add_boxes(struct drawing *d);

/* ---- edges (execution_picture_relations.c) ---- */

/* Fills `bold` and `on_cycle` from the explanation, if there is one. */
void drawing_collect_cycle(struct drawing *d);

/* Edges between nodes that are there. */
void drawing_add_edges(struct drawing *d);

/* After them: which colour is which, where that is not plain. */
void drawing_add_legend(struct drawing *d);

#endif
