/* SPDX-License-Identifier: MIT */
/* Pictures of executions: places for the labels of edges.  Places next to
 * each curve, on either side and at some distances, are tried; what a label would cover
 * there, nodes, labels and curves, is its cost, and what it might seem to belong to. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "checker/draw/draw.h"

enum { CURVE_POINTS = 40, MAX_PLACED = 512 };

struct curve {
  pointf at[CURVE_POINTS];
};

struct rectangle {
  double left, bottom, right, top;
};

struct labelling {
  Agedge_t *edges[MAX_PLACED];
  struct curve curves[MAX_PLACED];
  struct rectangle placed[MAX_PLACED]; /* the labels' places; nothing where there is no label, or none yet */
  size_t edge_count;
};

static pointf bezier_point(const pointf *p, double t) {
  double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return (pointf){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x, a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

/* Points along an edge, evenly over its pieces. */
static bool sample(Agedge_t *edge, struct curve *curve) {
  const splines *s = ED_spl(edge);
  if (!s || s->size < 1 || s->list[0].size < 4) return false;
  const bezier *b = &s->list[0];
  size_t pieces = ((size_t)b->size - 1) / 3;
  for (size_t i = 0; i < CURVE_POINTS; i++) {
    double at = (double)i / (CURVE_POINTS - 1) * (double)pieces;
    size_t piece = (size_t)at < pieces ? (size_t)at : pieces - 1;
    curve->at[i] = bezier_point(b->list + 3 * piece, at - (double)piece);
  }
  return true;
}

static bool inside(const struct rectangle *r, pointf p) {
  return p.x > r->left && p.x < r->right && p.y > r->bottom && p.y < r->top;
}

static double overlap(const struct rectangle *a, const struct rectangle *b) {
  double width = (a->right < b->right ? a->right : b->right) - (a->left > b->left ? a->left : b->left);
  double height = (a->top < b->top ? a->top : b->top) - (a->bottom > b->bottom ? a->bottom : b->bottom);
  return width > 0 && height > 0 ? width * height : 0;
}

static struct rectangle box_of(Agnode_t *node) {
  pointf c = ND_coord(node);
  double w = ND_width(node) * 36 + 1, h = ND_height(node) * 36 + 1;
  return (struct rectangle){c.x - w, c.y - h, c.x + w, c.y + h};
}

/* What an edge's label at this place would cover. */
static double covered(const struct labelling *l, Agraph_t *graph, const struct rectangle *place, size_t edge) {
  double cost = 0;
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node)) {
    struct rectangle box = box_of(node);
    cost += 4 * overlap(place, &box);
  }
  for (size_t i = 0; i < l->edge_count; i++) cost += i != edge ? 4 * overlap(place, &l->placed[i]) : 0;
  for (size_t i = 0; i < l->edge_count; i++)
    for (size_t k = 0; k < CURVE_POINTS; k++) cost += inside(place, l->curves[i].at[k]) ? 60 : 0;
  return cost;
}

static double squared_distance(const struct curve *curve, pointf p) {
  double least = 1e18;
  for (size_t k = 0; k < CURVE_POINTS; k++) {
    double dx = curve->at[k].x - p.x, dy = curve->at[k].y - p.y;
    if (dx * dx + dy * dy < least) least = dx * dx + dy * dy;
  }
  return least;
}

/* How many curves a label in this place is closer to than to its own. */
static int closer_curves(const struct labelling *l, const struct rectangle *place, size_t edge) {
  pointf middle = {(place->left + place->right) / 2, (place->bottom + place->top) / 2};
  double own = squared_distance(&l->curves[edge], middle);
  int count = 0;
  for (size_t i = 0; i < l->edge_count; i++) count += i != edge && squared_distance(&l->curves[i], middle) < own;
  return count;
}

/* A guess, for a font that Graphviz could not measure. */
static double text_width(const char *text) {
  return 6.9 * (double)strcspn(text, "\n");
}

static pointf normal_at(const struct curve *curve, int at) {
  pointf p = curve->at[at], q = curve->at[at + 1];
  double dx = q.x - p.x, dy = q.y - p.y, size = dx * dx + dy * dy > 0 ? sqrt(dx * dx + dy * dy) : 1;
  return (pointf){-dy / size, dx / size};
}

/* Best in the middle of its curve and close to it: what it would cover else weighs more. */
static struct rectangle best_place(const struct labelling *l, Agraph_t *graph, size_t i) {
  enum { MIDDLE = CURVE_POINTS / 2, REACH = 15, FARTHEST = 24, STEP = 7 };
  const textlabel_t *label = ED_label(l->edges[i]);
  double width = label->dimen.x > 0 ? label->dimen.x : text_width(label->text), height = 14;
  double least = 1e18;
  struct rectangle best = {0};
  for (int along = 0; along <= 2 * REACH; along++)
    for (int gap = 3; gap <= FARTHEST; gap += STEP)
      for (int side = -1; side <= 1; side += 2) {
        int off = along % 2 ? (along + 1) / 2 : -along / 2;
        int at = MIDDLE + off;
        pointf p = l->curves[i].at[at], n = normal_at(&l->curves[i], at);
        double away = fabs(n.x) * width / 2 + fabs(n.y) * height / 2 + gap;
        double x = p.x + side * n.x * away, y = p.y + side * n.y * away;
        struct rectangle place = {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
        double cost = covered(l, graph, &place, i) + 40 * closer_curves(l, &place, i) + abs(off) + 3 * (gap - 3);
        if (cost < least) least = cost, best = place;
      }
  return best;
}

/* The picture ends where its nodes and curves do: a label may be beyond. */
static void make_room(Agraph_t *graph, const struct rectangle *place) {
  boxf *bounds = &GD_bb(graph);
  bounds->LL.x = fmin(bounds->LL.x, place->left);
  bounds->LL.y = fmin(bounds->LL.y, place->bottom);
  bounds->UR.x = fmax(bounds->UR.x, place->right);
  bounds->UR.y = fmax(bounds->UR.y, place->top);
}

/* Twice: the first labels do not know yet where the last ones will be. */
static void place_all(struct labelling *l, Agraph_t *graph) {
  enum { ROUNDS = 2 };
  for (int round = 0; round < ROUNDS; round++)
    for (size_t i = 0; i < l->edge_count; i++)
      if (ED_label(l->edges[i])) l->placed[i] = best_place(l, graph, i);
  for (size_t i = 0; i < l->edge_count; i++) {
    textlabel_t *label = ED_label(l->edges[i]);
    const struct rectangle *place = &l->placed[i];
    if (!label) continue;
    label->pos = (pointf){(place->left + place->right) / 2, (place->bottom + place->top) / 2};
    label->set = true;
    make_room(graph, place);
  }
}

void labels_place(Agraph_t *graph) {
  struct labelling *l = calloc(1, sizeof *l);
  if (!l) return;
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node))
    for (Agedge_t *edge = agfstout(graph, node); edge && l->edge_count < MAX_PLACED; edge = agnxtout(graph, edge))
      if (sample(edge, &l->curves[l->edge_count])) l->edges[l->edge_count++] = edge;
  place_all(l, graph);
  free(l);
}
