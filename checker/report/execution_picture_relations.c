/* SPDX-License-Identifier: MIT */
/* Pictures of executions: the cycle that an explanation names, and edges for the
 * relations, without what follows from others that are drawn. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/report/execution_picture_drawing.h"

static const char PAIR_COLOR[] = "#b0128f";

/* ---- the cycle ---- */

/* From a to b, and not by way of another event. */
static bool is_step(const struct drawing *d, const word *r, unsigned a, unsigned b) {
  if (!rel_has(d->shape, r, a, b)) return false;
  for (unsigned c = 0; c < d->shape.n; c++)
    if (rel_has(d->shape, r, a, c) && rel_has(d->shape, r, c, b)) return false;
  return true;
}

/* The halves of a read-modify-write are joined by `rmw` rather than `po`. */
static const char *po_label(const struct drawing *d, unsigned a, unsigned b) {
  return rel_has(d->shape, d->x->rmw, a, b) ? "rmw" : "po";
}

/* Program order from a to b, step by step. */
static void add_bold_po(struct drawing *d, unsigned a, unsigned b) {
  for (unsigned at = a; at != b;) {
    unsigned next = b;
    for (unsigned c = 0; c < d->shape.n; c++)
      if (is_step(d, d->x->po, at, c) && (c == b || rel_has(d->shape, d->x->po, c, b))) next = c;
    *vec_push(d->arena, &d->bold) = (struct explained_edge){at, next, po_label(d, at, next), false};
    at = next;
  }
}

/* The explanation's edges in their relations' own direction, with rf^-1; co
 * shown as the fr that it is. */
void drawing_collect_cycle(struct drawing *d) {
  const struct explanation *why = d->subject->why;
  for (size_t i = 0; why && i < why->edge_count; i++) {
    const struct explained_edge *edge = &why->edges[i], *next = edge + 1;
    struct explained_edge shown = *edge;
    if (edge->backwards && !strcmp(edge->relation, "rf") && i + 1 < why->edge_count && !next->backwards &&
        !strcmp(next->relation, "co")) {
      shown = (struct explained_edge){edge->from, next->to, "fr", false};
      i++;
    } else if (edge->backwards) {
      shown = (struct explained_edge){edge->to, edge->from, edge->relation, false};
    }
    if (shown.from == shown.to) continue;
    if (strcmp(shown.relation, "po") != 0)
      *vec_push(d->arena, &d->bold) = shown;
    else
      add_bold_po(d, shown.from, shown.to);
    d->on_cycle[shown.from] = d->on_cycle[shown.to] = true;
  }
  if (why && why->kind != EXPLAINED_NOTHING && !why->edge_count)
    d->on_cycle[why->first] = d->on_cycle[why->second] = true;
}

static bool is_bold(const struct drawing *d, unsigned a, unsigned b, const char *relation) {
  for (size_t i = 0; i < d->bold.count; i++)
    if (d->bold.at[i].from == a && d->bold.at[i].to == b && !strcmp(d->bold.at[i].relation, relation)) return true;
  return false;
}

/* ---- relations as edges ---- */

static bool is_synchronisation(const char *name) {
  static const char *const names[] = {"sw", "gsw", "lsw", "synchronises", "so"};
  return text_index(name, names, ARRAY_COUNT(names)) >= 0;
}

/* A relation of a model's own has the colour that its name leads to, or the next that is
 * free here: the same in all pictures, as far as they go. */
static const char *own_color(struct drawing *d, const char *relation) {
  static const char *const colors[DRAWING_COLORS] = {"#7a2fbf", "#00707c", "#8a6d00", "#ad1457", "#37474f", "#5a7d00"};
  unsigned at = 0;
  for (const char *c = relation; *c; c++) at = at * 31 + (unsigned char)*c;
  for (unsigned i = 0; i < DRAWING_COLORS; i++) {
    const char **owner = &d->color_owner[(at + i) % DRAWING_COLORS];
    if (!*owner) *owner = relation;
    if (!strcmp(*owner, relation)) return colors[(at + i) % DRAWING_COLORS];
  }
  return colors[at % DRAWING_COLORS];
}

static const char *color_of(struct drawing *d, const char *relation) {
  static const struct {
    const char *relation, *color;
  } colors[] = {{"rf", "#c8102e"},   {"co", "#1f4fd8"},   {"mo", "#1f4fd8"},  {"fr", "#b35900"},
                {"rb", "#b35900"},   {"po", "#202020"},   {"rmw", "#707070"}, {"same_B", "#00838f"},
                {"addr", "#8d6e63"}, {"data", "#8d6e63"}, {"ctrl", "#8d6e63"}};
  for (size_t i = 0; i < ARRAY_COUNT(colors); i++)
    if (!strcmp(colors[i].relation, relation)) return colors[i].color;
  return is_synchronisation(relation) ? "#1b7f3b" : own_color(d, relation);
}

/* Other edges step back when a cycle is shown. */
static const char *faded(const char *relation) {
  return strcmp(relation, "po") ? NULL : "#b0b0b0";
}

static void add_edge(struct drawing *d, unsigned a, unsigned b, const char *relation, bool bold) {
  if (!d->has_node[a] || !d->has_node[b] || (!bold && text_is_one_of(relation, d->look->hidden))) return;
  for (size_t i = 0; i < d->drawn.count; i++)
    if (d->drawn.at[i].from == a && d->drawn.at[i].to == b && !strcmp(d->drawn.at[i].relation, relation)) return;
  *vec_push(d->arena, &d->drawn) = (struct explained_edge){a, b, relation, false};
  drawing_begin(d, arena_printf(d->arena, "e%u -> e%u", a, b));
  bool cycle = d->bold.count > 0;
  const char *color = cycle && !bold && faded(relation) ? faded(relation) : color_of(d, relation);
  drawing_set(d, "color", color);
  drawing_set(d, "fontcolor", color);
  drawing_set(d, "penwidth", bold ? "3" : cycle ? "0.8" : "1.2");
  if (strcmp(relation, "po") != 0 || bold) drawing_set(d, "label", relation);
  if (bold) drawing_set(d, "fontname", "Helvetica-Bold");
  drawing_end(d);
}

static void draw_program_order(struct drawing *d) {
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      if (!is_step(d, d->x->po, a, b)) continue;
      const char *label = po_label(d, a, b);
      add_edge(d, a, b, label, is_bold(d, a, b, label));
    }
}

/* A read before the first write that overwrites what it read. */
static bool fr_next(const struct drawing *d, unsigned a, unsigned b) {
  if (d->x->events[a].kind != EVENT_READ) return false;
  for (unsigned w = 0; w < d->shape.n; w++)
    if (rel_has(d->shape, d->x->rf, w, a)) return is_step(d, d->x->co, w, b) && !rel_has(d->shape, d->x->rmw, a, b);
  return false;
}

static void draw_communication(struct drawing *d) {
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      if (rel_has(d->shape, d->x->rf, a, b)) add_edge(d, a, b, "rf", is_bold(d, a, b, "rf"));
      if (rel_has(d->shape, d->x->po, a, b)) continue; /* follows from program order, for the eye */
      if (is_step(d, d->x->co, a, b)) add_edge(d, a, b, "co", is_bold(d, a, b, "co"));
      /* fr follows from rf and co: next to a cycle it only distracts. */
      bool bold = is_bold(d, a, b, "fr");
      if (fr_next(d, a, b) && (bold || !d->bold.count)) add_edge(d, a, b, "fr", bold);
    }
}

/* A pair that fails a check without a path between its events, such as the two
 * accesses of a race: joined by a line of its own. */
static void draw_pair(struct drawing *d) {
  const struct explanation *why = d->subject->why;
  if (!why || why->kind != EXPLAINED_PAIR || why->edge_count || why->first == why->second) return;
  if (!d->has_node[why->first] || !d->has_node[why->second]) return;
  drawing_begin(d, arena_printf(d->arena, "e%u -> e%u", why->first, why->second));
  drawing_set(d, "label", why->check->name);
  drawing_set(d, "color", PAIR_COLOR);
  drawing_set(d, "fontcolor", PAIR_COLOR);
  drawing_set(d, "fontname", "Helvetica-Bold");
  drawing_set(d, "penwidth", "3");
  drawing_set(d, "style", "dashed");
  drawing_set(d, "dir", "none");
  drawing_end(d);
}

/* What of the cycle has not been drawn as something else. */
static void draw_bold(struct drawing *d) {
  ARRAY_EACH (const struct explained_edge, edge, d->bold.at, d->bold.count)
    add_edge(d, edge->from, edge->to, edge->relation, true);
}

static bool same_barrier(const struct event *a, const struct event *b) {
  return a->barrier_instance >= 0 && a->barrier_instance == b->barrier_instance;
}

/* Where many threads meet, that each synchronises with each says nothing more than the barrier's name. */
static bool is_crowd(const struct drawing *d, unsigned a, unsigned b) {
  enum { FEW = 3 };
  unsigned members = 0;
  if (!same_barrier(&d->x->events[a], &d->x->events[b])) return false;
  for (unsigned e = 0; e < d->shape.n; e++)
    members += d->x->events[e].barrier_entry && same_barrier(&d->x->events[a], &d->x->events[e]);
  return members > FEW;
}

/* A relation, without what it makes of itself by transitivity; `within` threads
 * too, or only what joins two of them. */
static void draw_relation(struct drawing *d, const char *name, const word *value, bool within) {
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      if (a == b || !rel_has(d->shape, value, a, b) || (!within && rel_has(d->shape, d->x->po, a, b))) continue;
      if (d->x->events[a].thread < 0 || d->x->events[b].thread < 0 || (!within && is_crowd(d, a, b))) continue;
      bool implied = false;
      for (unsigned c = 0; c < d->shape.n && !implied; c++)
        implied = c != a && c != b &&
                  (rel_has(d->shape, value, a, c) || (!within && rel_has(d->shape, d->x->po, a, c))) &&
                  (rel_has(d->shape, value, c, b) || (!within && rel_has(d->shape, d->x->po, c, b)));
      if (!implied) add_edge(d, a, b, name, false);
    }
}

/* The relations that the model shows, or those that by their names synchronise. */
static void draw_derived(struct drawing *d) {
  const struct valuation *v = d->subject->valuation;
  const struct cat_ir *ir = v->ir;
  for (uint32_t i = 0; i < ir->show_count; i++)
    if (ir->nodes[ir->shows[i].node].type == CAT_REL)
      draw_relation(d, ir->shows[i].name, v->value[ir->shows[i].node], false);
  for (uint32_t i = 0; !ir->show_count && i < ir->node_count; i++)
    if (ir->nodes[i].type == CAT_REL && ir->nodes[i].name && is_synchronisation(ir->nodes[i].name))
      draw_relation(d, ir->nodes[i].name, v->value[i], false);
  for (uint32_t i = 0; d->look->shown && i < ir->node_count; i++)
    if (ir->nodes[i].type == CAT_REL && ir->nodes[i].name && text_is_one_of(ir->nodes[i].name, d->look->shown))
      draw_relation(d, ir->nodes[i].name, v->value[i], true);
}

/* ---- the legend ---- */

/* Program order is plain from the columns. */
static bool is_first(const struct drawing *d, size_t i) {
  if (!strcmp(d->drawn.at[i].relation, "po")) return false;
  for (size_t k = 0; k < i; k++)
    if (!strcmp(d->drawn.at[k].relation, d->drawn.at[i].relation)) return false;
  return true;
}

/* Where more than three relations are shown: their names in their colours, in a row below the columns.  Graphviz leads
 * no edge around any node where two of them touch. */
void drawing_add_legend(struct drawing *d) {
  enum { FEW = 3, ARROW = 16, GAP = 12 };
  unsigned count = 0;
  for (size_t i = 0; i < d->drawn.count; i++) count += is_first(d, i);
  if (count <= FEW || d->look->form == GRAPH_FREE) return;
  unsigned first = 0;
  while (d->column_width[d->column[first]] <= 0) first++;
  double x = d->column_x[d->column[first]] - d->column_width[d->column[first]] / 2;
  double y = -d->height - drawing_node_height(d) - (drawing_has_groups(d) ? 2 : 1) * DRAWING_UNIT;
  for (size_t i = 0; i < d->drawn.count; i++) {
    const char *relation = d->drawn.at[i].relation;
    if (!is_first(d, i)) continue;
    const char *label = arena_printf(d->arena, "\xe2\x86\x92 %s", relation);
    double width = drawing_text_width(relation) + ARROW;
    drawing_begin(d, arena_printf(d->arena, "key%zu", i));
    drawing_set(d, "shape", "plaintext");
    drawing_set(d, "style", "");
    drawing_set(d, "label", label);
    drawing_set(d, "fontcolor", color_of(d, relation));
    drawing_set(d, "width", arena_printf(d->arena, "%.3f", width / 72));
    drawing_set(d, "pos", arena_printf(d->arena, "%.1f,%.1f", x + width / 2, y));
    drawing_end(d);
    x += width + GAP;
  }
}

void drawing_add_edges(struct drawing *d) {
  draw_program_order(d);
  draw_communication(d);
  draw_bold(d);
  draw_pair(d);
  draw_derived(d);
}
