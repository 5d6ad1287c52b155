/* SPDX-License-Identifier: MIT */
/* Edges of an SVG picture by thickness.
 *
 * Graphviz writes each edge as a comment that names it and a group of class
 * `edge`, which ends where the next comment begins; the last one ends with the
 * picture's own group. */
#include <stdbool.h>
#include <string.h>

#include "checker/draw/draw.h"

struct piece {
  const char *at, *end;
};

static struct piece find(struct piece in, const char *text) {
  const char *found = memmem(in.at, (size_t)(in.end - in.at), text, strlen(text));
  return (struct piece){found ? found : in.end, in.end};
}

/* Up to and with the end of the first group of `rest`, or nothing of it. */
static struct piece first_edge(struct piece rest) {
  struct piece group = find(rest, "class=\"edge\""), end = find(group, "</g>\n");
  if (end.at < end.end && find((struct piece){rest.at, end.at}, "<!--").at == rest.at) {
    const char *inner =
        find((struct piece){group.at, end.at}, "<g id=\"a_").at; /* a link or tooltip has a group of its own */
    if (inner < end.at) end = find((struct piece){end.at + 5, rest.end}, "</g>\n");
    return (struct piece){rest.at, end.at + 5};
  }
  return (struct piece){rest.at, rest.at};
}

static bool is_thick(struct piece edge) {
  return find(edge, "stroke-width=\"3\"").at < edge.end;
}

static void write_piece(struct piece piece, FILE *out) {
  fwrite(piece.at, 1, (size_t)(piece.end - piece.at), out);
}

/* Where the comment before the first edge begins. */
static const char *edges_begin(struct piece all) {
  const char *at = find(all, "class=\"edge\"").at;
  while (at > all.at && at < all.end && strncmp(at, "<!--", 4) != 0) at--;
  return at;
}

void svg_write(const char *data, size_t size, FILE *out) {
  struct piece all = {data, data + size}, edges = {edges_begin(all), all.end};
  write_piece((struct piece){all.at, edges.at}, out);
  const char *rest = edges.at;
  for (int thin = 0; thin < 2; thin++) {
    rest = edges.at;
    struct piece edge = first_edge((struct piece){rest, all.end});
    while (edge.end > edge.at) {
      if (is_thick(edge) == !thin) write_piece(edge, out);
      rest = edge.end;
      edge = first_edge((struct piece){rest, all.end});
    }
  }
  write_piece((struct piece){rest, all.end}, out);
}
