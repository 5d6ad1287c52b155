/* SPDX-License-Identifier: MIT */
/* Requests from standard input, answered on standard output:
 *
 *     request = FORMAT LAYOUT SIZE '\n' graph     FORMAT: svg, pdf, dot or tikz; the graph: SIZE bytes of DOT text
 *     answer  = SIZE '\n' picture                 nothing: it cannot be drawn
 *
 * LAYOUT is `placed` where nodes and boxes have their places, and only edges are to
 * be led around them; `free` leaves all to Graphviz's `dot`. */
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "checker/draw/draw.h"

struct request {
  char format[8];
  bool placed;
  size_t size;
  char *graph;
};

/* false: there are no more. */
static bool read_request(struct request *r) {
  char layout[8];
  if (scanf("%7s %7s %zu", r->format, layout, &r->size) != 3 || getchar() != '\n') return false;
  r->placed = !strcmp(layout, "placed");
  r->graph = r->size < SIZE_MAX ? malloc(r->size + 1) : NULL;
  return r->graph && fread(r->graph, 1, r->size, stdin) == r->size;
}

/* Writes nothing where Graphviz fails. */
static void render(GVC_t *context, Agraph_t *graph, const struct request *r, FILE *out) {
  if (!arrows_place(context, graph, r->placed, r->format)) return;
  if (!strcmp(r->format, "tikz")) {
    tikz_write(graph, out);
    gvFreeLayout(context, graph);
    return;
  }
  char *data = NULL;
  unsigned size = 0;
  bool done = gvRenderData(context, graph, r->format, &data, &size) == 0;
  if (done && !strcmp(r->format, "svg"))
    svg_write(data, size, out);
  else if (done)
    fwrite(data, 1, size, out);
  gvFreeRenderData(data);
  gvFreeLayout(context, graph);
}

/* The picture, or nothing, into `out`.  false: it is no graph, and what cgraph would read next is not known. */
static bool draw(GVC_t *context, const struct request *r, FILE *out) {
  FILE *in = fmemopen(r->graph, r->size, "r");
  Agraph_t *graph = in ? agread(in, &ids_discipline) : NULL;
  if (graph) {
    render(context, graph, r, out);
    agclose(graph);
  }
  if (in) fclose(in);
  return graph != NULL;
}

static bool answer(GVC_t *context, const struct request *r) {
  char *picture = NULL;
  size_t size = 0;
  FILE *out = open_memstream(&picture, &size);
  if (!out) return false;
  bool is_graph = draw(context, r, out), whole = !ferror(out);
  if (fclose(out) || !whole) return free(picture), false; /* half a picture is none: litscope sees that this ends */
  printf("%zu\n", size);
  fwrite(picture, 1, size, stdout);
  free(picture);
  return fflush(stdout) == 0 && is_graph;
}

int main(void) {
  /* A signal to all of a terminal's processes is litscope's to understand: this ends when its input does. */
  signal(SIGINT, SIG_IGN);
  signal(SIGTERM, SIG_IGN);
  agseterr(AGMAX);
  GVC_t *context = gvContext();
  struct request r = {0};
  bool goes_on = context != NULL;
  while (goes_on && read_request(&r)) {
    goes_on = answer(context, &r);
    free(r.graph);
    r.graph = NULL;
  }
  free(r.graph);
  if (context) gvFreeContext(context);
  return goes_on ? 0 : 1;
}
