/* SPDX-License-Identifier: MIT */
/* Pictures of executions: nodes for events and the heads of columns, and boxes
 * around the columns of a work-group or device. */
#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/report/execution_picture_drawing.h"

/* Sizes in points. */
enum { BOX_MARGIN = 12, HEADER = 26 };

static void set_number(struct drawing *d, const char *name, double value) {
  drawing_set(d, name, arena_printf(d->arena, "%.4g", value));
}

/* A node's place, by its middle, and size. */
struct box {
  double x, y, width, height;
};

/* Begins a node; the caller ends it. */
static void begin_node(struct drawing *d, const char *name, const char *label, struct box box) {
  drawing_begin(d, name);
  drawing_set(d, "label", label);
  drawing_set(d, "pos", arena_printf(d->arena, "%.1f,%.1f", box.x, box.y));
  set_number(d, "width", box.width / 72);
  set_number(d, "height", box.height / 72);
  drawing_set(d, "fixedsize", "true");
}

static void begin_event(struct drawing *d, unsigned e, double x, double y, double width) {
  begin_node(d, arena_printf(d->arena, "e%u", e), d->label[e], (struct box){x, y, width, drawing_node_height(d)});
  d->has_node[e] = true;
}

static const char *fill_of(const struct drawing *d, unsigned e) {
  if (d->on_cycle[e]) return "#fff2b3";
  switch (d->x->events[e].kind) {
    case EVENT_READ:
      return "#eef5ff";
    case EVENT_WRITE:
      return "#f4f4f4";
    default:
      return "#ffffff";
  }
}

/* Promotion, and the proxies that are not generic, stand out. */
static const char *colour_of(const struct event *event) {
  static const struct {
    enum tag tag;
    const char *colour;
  } colours[] = {{TAG_REMOTE, "#7a2fbf"},
                 {TAG_TEX, "#2f6fbf"},
                 {TAG_SUR, "#bf6f2f"},
                 {TAG_CON, "#2f8f5f"},
                 {TAG_ALIAS, "#8f2f5f"}};
  for (size_t i = 0; i < ARRAY_COUNT(colours); i++)
    if (tags_have(event->tags, colours[i].tag)) return colours[i].colour;
  return NULL;
}

static void add_event(struct drawing *d, unsigned e) {
  const struct event *event = &d->x->events[e];
  unsigned c = drawing_column_of(d, e);
  begin_event(d, e, d->column_x[c], d->y[e], d->column_width[c]);
  drawing_set(d, "fillcolor", fill_of(d, e));
  const char *colour = colour_of(event);
  if (colour) drawing_set(d, "color", colour);
  if (d->on_cycle[e]) drawing_set(d, "penwidth", "2");
  const char *line = d->look->hover ? drawing_text_line(d, e) : NULL;
  if (line) drawing_set(d, "tooltip", line);
  drawing_end(d);
}

/* Initial writes that an edge of the cycle needs stand above everything. */
static void add_initials(struct drawing *d) {
  double at = 0;
  for (unsigned e = 0; e < d->shape.n; e++) {
    if (d->x->events[e].thread >= 0 || !d->on_cycle[e]) continue;
    double width = drawing_text_width(d->label[e]) + 16;
    begin_event(d, e, at + width / 2, HEADER + 3 * BOX_MARGIN + 3.0 * DRAWING_UNIT + drawing_lift(d), width);
    drawing_set(d, "fillcolor", fill_of(d, e));
    drawing_end(d);
    at += width + DRAWING_COLUMN_GAP;
  }
}

static void add_header(struct drawing *d, unsigned column) {
  const struct thread *thread = &d->x->program->threads[column / 2];
  const char *name = column % 2 ? arena_printf(d->arena, "kernels of %s", thread->name) : thread->name;
  struct box box = {d->column_x[column], DRAWING_UNIT + 2.0 + drawing_lift(d), d->column_width[column],
                    DRAWING_NODE_HEIGHT};
  begin_node(d, arena_printf(d->arena, "h%u", column), name, box);
  drawing_set(d, "shape", "plaintext");
  drawing_set(d, "style", "");
  drawing_set(d, "fontname", "Helvetica-Bold");
  drawing_end(d);
}

void drawing_add_nodes(struct drawing *d) {
  for (unsigned c = 0; c < drawing_column_count(d) && d->look->form != GRAPH_FREE; c++)
    if (d->column_width[c] > 0) add_header(d, c);
  for (unsigned e = 0; e < d->shape.n; e++)
    if (d->x->events[e].thread >= 0) add_event(d, e);
  add_initials(d);
}

/* A box around columns first .. last of the order, `level` boxes inside it. */
static void add_box(struct drawing *d, const char *name, const char *label, unsigned first, unsigned last, int level) {
  double margin = BOX_MARGIN * (level + 1.0);
  double left = 1e9, right = -1e9;
  for (unsigned k = first; k <= last; k++) {
    unsigned c = d->column[k];
    if (d->column_width[c] <= 0) continue;
    if (d->column_x[c] - d->column_width[c] / 2 < left) left = d->column_x[c] - d->column_width[c] / 2;
    if (d->column_x[c] + d->column_width[c] / 2 > right) right = d->column_x[c] + d->column_width[c] / 2;
  }
  fprintf(d->text.out, "subgraph \"%s\" {\n", name);
  if (left <= right) {
    double top = DRAWING_UNIT + HEADER * (level + 1.2) + 4 + drawing_lift(d),
           bottom = -d->height - drawing_node_height(d) - margin + 4;
    drawing_begin(d, "graph");
    drawing_set(d, "bb", arena_printf(d->arena, "%.1f,%.1f,%.1f,%.1f", left - margin, bottom, right + margin, top));
    drawing_set(d, "label", label);
    drawing_set(d, "lp", arena_printf(d->arena, "%.1f,%.1f", (left + right) / 2, top - 10));
    drawing_set(d, "lheight", "0.2");
    set_number(d, "lwidth", drawing_text_width(label) / 72);
    drawing_set(d, "style", "rounded");
    drawing_set(d, "color", level ? "#8a8a8a" : "#bdbdbd");
    drawing_set(d, "fontcolor", "#606060");
    drawing_end(d);
  }
  fputs("}\n", d->text.out);
}

static unsigned group_of(const struct drawing *d, unsigned k, enum scope level) {
  return thread_instance(&d->x->program->threads[d->column[k] / 2], level);
}

/* The instances of a level, around `inside` levels of others. */
static void add_level(struct drawing *d, enum scope level, int inside) {
  unsigned count = drawing_column_count(d);
  for (unsigned first = 0; first < count;) {
    unsigned group = group_of(d, first, level), last = first;
    while (last + 1 < count && group_of(d, last + 1, level) == group) last++;
    add_box(d, arena_printf(d->arena, "cluster_%s%u", scope_name(level), group),
            arena_printf(d->arena, "%s %u", program_level_name(d->x->program, level), group), first, last, inside);
    first = last + 1;
  }
}

/* Outer ones first: what is drawn later lies on top. */
void drawing_add_boxes(struct drawing *d) {
  int inside = -1;
  for (size_t l = 0; l < DRAWING_LEVELS; l++) inside += drawing_shows_level(d->x->program, drawing_levels[l]);
  for (size_t l = DRAWING_LEVELS; l-- > 0;)
    if (drawing_shows_level(d->x->program, drawing_levels[l])) add_level(d, drawing_levels[l], inside--);
}
