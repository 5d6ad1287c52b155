/* SPDX-License-Identifier: MIT */
/* Execution graphs, laid out by Graphviz through its libraries (cgraph, gvc):
 * threads are columns in boxes of their work-groups and devices, relations
 * are edges between their events.  Here a picture is put together from its parts
 * (graph_drawing.h), given to Graphviz and written. */
#include "checker/report/graph.h"

#include <gvc.h>
#include <pthread.h>
#include <stdlib.h>

#include "checker/report/graph_drawing.h"
#include "checker/report/graph_ids.h"
#include "checker/report/graph_svg.h"

struct grapher {
  GVC_t *context;
  pthread_mutex_t lock;
};

struct grapher *grapher_new(void) {
  struct grapher *grapher = calloc(1, sizeof *grapher);
  if (!grapher) return NULL;
  pthread_mutex_init(&grapher->lock, NULL);
  agseterr(AGMAX);
  grapher->context = gvContext();
  if (grapher->context) return grapher;
  grapher_free(grapher);
  return NULL;
}

void grapher_free(struct grapher *grapher) {
  if (!grapher) return;
  if (grapher->context) gvFreeContext(grapher->context);
  pthread_mutex_destroy(&grapher->lock);
  free(grapher);
}

const char *grapher_fault(void) {
  return "Graphviz does not start";
}

static void set_defaults(Agraph_t *g) {
  static const struct {
    int kind;
    const char *name, *value;
  } defaults[] = {
      {AGRAPH, "fontname", "Helvetica"},
      {AGRAPH, "fontsize", "12"},
      {AGRAPH, "splines", "true"},
      {AGRAPH, "label", ""},
      {AGRAPH, "labelloc", "t"},
      {AGRAPH, "labeljust", "l"},
      {AGRAPH, "pad", "0.2"},
      {AGRAPH, "bb", ""},
      {AGRAPH, "lp", ""},
      {AGRAPH, "style", ""},
      {AGRAPH, "color", "black"},
      {AGRAPH, "fontcolor", "black"},
      {AGRAPH, "lwidth", ""},
      {AGRAPH, "lheight", ""},
      {AGRAPH, "esep", "+4"},
      {AGRAPH, "outputorder", "nodesfirst"},
      {AGNODE, "label", "\\N"},
      {AGNODE, "fontname", "Helvetica"},
      {AGNODE, "fontsize", "12"},
      {AGNODE, "shape", "box"},
      {AGNODE, "style", "rounded,filled"},
      {AGNODE, "fillcolor", "white"},
      {AGNODE, "color", "#505050"},
      {AGNODE, "penwidth", "1"},
      {AGNODE, "pos", ""},
      {AGNODE, "width", "1"},
      {AGNODE, "height", "0.3"},
      {AGNODE, "fixedsize", "true"},
      {AGNODE, "margin", "0"},
      {AGEDGE, "fontname", "Helvetica"},
      {AGEDGE, "fontsize", "12"},
      {AGEDGE, "label", ""},
      {AGEDGE, "color", "black"},
      {AGEDGE, "fontcolor", "black"},
      {AGEDGE, "penwidth", "1"},
      {AGEDGE, "arrowsize", "0.8"},
      {AGEDGE, "style", ""},
      {AGEDGE, "dir", "forward"},
  };
  for (size_t i = 0; i < sizeof defaults / sizeof *defaults; i++)
    agattr(g, defaults[i].kind, (char *)(uintptr_t)defaults[i].name, (char *)(uintptr_t)defaults[i].value);
}

static void build(struct drawing *d) {
  const struct exhibit *s = d->subject;
  drawing_collect_cycle(d);
  drawing_label_events(d);
  drawing_place_rows(d);
  drawing_place_columns(d);
  set_defaults(d->graph);
  drawing_set(d->graph, "label", arena_printf(d->arena, "%s\\l%s\\l", s->title, s->caption ? s->caption : ""));
  if (drawing_has_groups(d) && d->look->form == GRAPH_CLUSTER) drawing_add_boxes(d);
  drawing_add_nodes(d);
  drawing_add_edges(d);
}

/* Curves around the nodes take time with the cube of their number. */
enum { MAX_CURVED = 64 };

static bool render(struct grapher *grapher, Agraph_t *graph, const struct graph_look *look, enum graph_format format,
                   FILE *out) {
  bool placed = look->form != GRAPH_FREE;
  if (agnnodes(graph) > MAX_CURVED) drawing_set(graph, "splines", "line");
  /* DOT text carries its layout, so that `dot` draws what our SVG shows and not a layout of its own. */
  if (format == GRAPH_DOT && placed) drawing_set(graph, "layout", "nop2");
  if (gvLayout(grapher->context, graph, placed ? "nop" : "dot")) return false;
  if (placed) drawing_place_edge_labels(graph);
  char *data = NULL;
  unsigned size = 0;
  bool done = gvRenderData(grapher->context, graph, format == GRAPH_SVG ? "svg" : "dot", &data, &size) == 0;
  if (done && format == GRAPH_SVG)
    graph_svg_write(data, size, out);
  else if (done)
    fwrite(data, 1, size, out);
  gvFreeRenderData(data);
  gvFreeLayout(grapher->context, graph);
  return done;
}

bool grapher_write(struct grapher *grapher, const struct exhibit *subject, const struct graph_look *look,
                   enum graph_format format, FILE *out) {
  static const struct graph_look usual = {0};
  struct arena *arena = arena_new();
  const struct execution *x = subject->execution;
  struct drawing d = {.arena = arena, .subject = subject, .look = look ? look : &usual, .x = x, .shape = x->shape};
  d.nodes = ARENA_ARRAY(arena, Agnode_t *, x->shape.n);
  d.label = ARENA_ARRAY(arena, const char *, x->shape.n);
  d.on_cycle = ARENA_ARRAY(arena, bool, x->shape.n);
  d.y = ARENA_ARRAY(arena, double, x->shape.n);
  pthread_mutex_lock(&grapher->lock);
  d.graph = agopen((char *)(uintptr_t) "execution", Agdirected, &graph_ids_discipline);
  bool done = d.graph != NULL;
  if (done) {
    build(&d);
    done = render(grapher, d.graph, d.look, format, out);
    agclose(d.graph);
  }
  pthread_mutex_unlock(&grapher->lock);
  arena_free(arena);
  return done;
}
