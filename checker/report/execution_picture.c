/* SPDX-License-Identifier: MIT */
/* Execution graphs: threads are columns in boxes of their work-groups and devices,
 * relations are edges between their events.  Here a picture is put together from
 * its parts (execution_picture_drawing.h) as DOT text, given to litscope-draw and written. */
#include "checker/report/execution_picture.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>

#include "checker/base/array.h"
#include "checker/base/child_server.h"
#include "checker/base/out_of_memory_guard.h"
#include "checker/report/execution_picture_drawing.h"

struct grapher {
  struct server server;
  pthread_mutex_t lock;
};

struct grapher *grapher_new(const char *program) {
  if (!program) return NULL;
  struct grapher *grapher = calloc(1, sizeof *grapher);
  if (!grapher) guard_out_of_memory();
  pthread_mutex_init(&grapher->lock, NULL);
  grapher->server.path = program;
  return grapher;
}

void grapher_free(struct grapher *grapher) {
  if (!grapher) return;
  server_end(&grapher->server);
  pthread_mutex_destroy(&grapher->lock);
  free(grapher);
}

const char *grapher_fault(void) {
  return "litscope-draw, the program that draws, is not in the folder of litscope";
}

/* ---- DOT text ---- */

static void set_one(struct drawing *d, const char *object, const char *name, const char *value) {
  drawing_begin(d, object);
  drawing_set(d, name, value);
  drawing_end(d);
}

static void set_defaults(struct drawing *d) {
  static const struct {
    const char *kind, *name, *value;
  } defaults[] = {
      {"graph", "fontname", "Helvetica"},
      {"graph", "fontsize", "12"},
      {"graph", "splines", "true"},
      {"graph", "labelloc", "t"},
      {"graph", "labeljust", "l"},
      {"graph", "pad", "0.2"},
      {"graph", "color", "black"},
      {"graph", "fontcolor", "black"},
      {"graph", "esep", "+4"},
      {"graph", "outputorder", "nodesfirst"},
      {"node", "label", "\\N"},
      {"node", "fontname", "Helvetica"},
      {"node", "fontsize", "12"},
      {"node", "shape", "box"},
      {"node", "style", "rounded,filled"},
      {"node", "fillcolor", "white"},
      {"node", "color", "#505050"},
      {"node", "penwidth", "1"},
      {"node", "width", "1"},
      {"node", "height", "0.3"},
      {"node", "fixedsize", "true"},
      {"node", "margin", "0"},
      {"edge", "fontname", "Helvetica"},
      {"edge", "fontsize", "12"},
      {"edge", "color", "black"},
      {"edge", "fontcolor", "black"},
      {"edge", "penwidth", "1"},
      {"edge", "arrowsize", "0.8"},
      {"edge", "dir", "forward"},
  };
  for (size_t i = 0; i < ARRAY_COUNT(defaults); i++) set_one(d, defaults[i].kind, defaults[i].name, defaults[i].value);
}

static void build(struct drawing *d) {
  const struct exhibit *s = d->subject;
  drawing_collect_cycle(d);
  drawing_label_events(d);
  drawing_place_rows(d);
  drawing_place_columns(d);
  fputs("digraph execution {\n", d->text.out);
  set_defaults(d);
  if (!d->look->untitled)
    set_one(d, "graph", "label", arena_printf(d->arena, "%s\\l%s\\l", s->title, s->caption ? s->caption : ""));
  if (drawing_has_groups(d) && d->look->form == GRAPH_CLUSTER) drawing_add_boxes(d);
  drawing_add_nodes(d);
  drawing_add_edges(d);
  drawing_add_legend(d);
  fputs("}\n", d->text.out);
}

/* ---- pictures ---- */

/* Sends the graph, and writes what comes back. */
static bool render(struct grapher *grapher, const struct drawing *d, enum graph_format format, FILE *out) {
  struct text request = text_new();
  fprintf(request.out, "%s %s %zu\n", graph_format_name(format), d->look->form == GRAPH_FREE ? "free" : "placed",
          d->text.size);
  fwrite(d->text.at, 1, d->text.size, request.out);
  text_end(&request);
  size_t size = 0;
  pthread_mutex_lock(&grapher->lock);
  char *picture = server_ask(&grapher->server, request.at, request.size, &size);
  bool lost = !picture && errno == ENOMEM;
  pthread_mutex_unlock(&grapher->lock);
  text_free(&request);
  if (lost) arena_out_of_memory();
  if (picture) fwrite(picture, 1, size, out);
  free(picture);
  return size > 0;
}

bool grapher_write(struct grapher *grapher, const struct exhibit *subject, const struct graph_look *look,
                   enum graph_format format, FILE *out) {
  static const struct graph_look usual = {0};
  struct arena *arena = arena_new();
  const struct execution *x = subject->execution;
  struct drawing d = {.arena = arena, .subject = subject, .look = look ? look : &usual, .x = x, .shape = x->shape};
  d.has_node = ARENA_ARRAY(arena, bool, x->shape.n);
  d.label = ARENA_ARRAY(arena, const char *, x->shape.n);
  d.on_cycle = ARENA_ARRAY(arena, bool, x->shape.n);
  d.y = ARENA_ARRAY(arena, double, x->shape.n);
  d.text = text_new();
  build(&d);
  text_end(&d.text);
  bool done = render(grapher, &d, format, out);
  text_free(&d.text);
  arena_free(arena);
  return done;
}
