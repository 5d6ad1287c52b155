/* SPDX-License-Identifier: MIT */
/* Execution graphs, laid out by Graphviz through its libraries (cgraph, gvc):
 * threads are columns in boxes of their work-groups and devices, relations
 * are edges between their events. */
#include "checker/report/graph.h"

#include <cgraph.h>
#include <gvc.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/base/vec.h"
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

/* Sizes in points. */
enum { UNIT = 31, PO_STEP = 2, NODE_HEIGHT = 24, COLUMN_GAP = 44, GROUP_GAP = 26, BOX_MARGIN = 12, HEADER = 26 };

/* Mean advance of the font used, generously: pictures are looked at where the
 * font may be another. */
static const double CHARACTER = 6.9;

static const char PAIR_COLOR[] = "#b0128f";

struct drawing {
  struct arena *arena;
  const struct exhibit *subject;
  const struct graph_look *look;
  const struct execution *x;
  struct shape shape;
  Agraph_t *graph;
  Agnode_t **nodes;   /* by event; NULL: not drawn */
  const char **label; /* by event */
  bool *on_cycle;     /* by event */
  double *y;          /* by event */
  unsigned *column;   /* threads in the order of their columns */
  double *column_x;   /* by thread: middle */
  double *column_width;
  double height; /* of the deepest column, downwards */
  VEC(struct explained_edge) bold;
  VEC(struct explained_edge) drawn; /* what has been drawn, to draw nothing twice */
};

/* ---- what stands on a node ---- */

static const char *event_label(const struct drawing *d, unsigned e) {
  const struct event *event = &d->x->events[e];
  struct text text;
  text_open(&text);
  event_print(d->x->program, event, text.out);
  const char *label = text_keep(&text, d->arena);
  /* The column says which thread it is. */
  const char *blank = event->thread >= 0 && d->look->form != GRAPH_FREE ? strchr(label, ' ') : NULL;
  return blank ? blank + 1 : label;
}

/* a, b, ..., z, a1, b1, ... in the order of events, initial writes not counted. */
static const char *event_letter(const struct drawing *d, unsigned e) {
  unsigned number = 0;
  for (unsigned i = 0; i < e; i++) number += d->x->events[i].thread >= 0;
  char letter = (char)('a' + number % 26);
  return number < 26 ? arena_printf(d->arena, "%c", letter) : arena_printf(d->arena, "%c%u", letter, number / 26);
}

static const char *instruction_text(const struct drawing *d, const struct event *event) {
  const struct thread *thread = &d->x->program->threads[event->thread];
  struct text text;
  text_open(&text);
  instr_print(d->x->program, thread, &thread->instrs[event->instr], text.out);
  return text_keep(&text, d->arena);
}

/* What the look adds to a label. */
static const char *decorate(const struct drawing *d, unsigned e, const char *label) {
  const struct event *event = &d->x->events[e];
  if (event->thread < 0 || event->instr < 0) return label;
  if (d->look->letters) label = arena_printf(d->arena, "%s: %s", event_letter(d, e), label);
  if (d->look->instructions && !event->launch)
    label = arena_printf(d->arena, "%s\n%s", label, instruction_text(d, event));
  return label;
}

/* The width of a text of one line or two. */
static double text_width(const char *text) {
  size_t first = strcspn(text, "\n"), second = text[first] ? strlen(text + first + 1) : 0;
  return CHARACTER * (double)(first > second ? first : second);
}

static double node_height(const struct drawing *d) {
  return d->look->instructions ? 1.7 * NODE_HEIGHT : NODE_HEIGHT;
}

/* How much higher than usual the heads of columns stand above their events. */
static double lift(const struct drawing *d) {
  return (node_height(d) - NODE_HEIGHT) / 2;
}

/* Edges are led around boxes where there is room between them. */
static double row_height(const struct drawing *d) {
  return d->look->instructions ? 1.3 * UNIT : UNIT;
}

/* Whether a read takes its value from an initial write. */
static bool reads_initial(const struct drawing *d, unsigned e) {
  for (unsigned w = 0; w < d->shape.n; w++)
    if (d->x->events[w].thread < 0 && rel_has(d->shape, d->x->rf, w, e)) return true;
  return false;
}

/* ---- the cycle ---- */

static bool po_next(const struct drawing *d, unsigned a, unsigned b) {
  if (!rel_has(d->shape, d->x->po, a, b)) return false;
  for (unsigned c = 0; c < d->shape.n; c++)
    if (rel_has(d->shape, d->x->po, a, c) && rel_has(d->shape, d->x->po, c, b)) return false;
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
      if (po_next(d, at, c) && (c == b || rel_has(d->shape, d->x->po, c, b))) next = c;
    *vec_push(d->arena, &d->bold) = (struct explained_edge){at, next, po_label(d, at, next), false};
    at = next;
  }
}

/* The explanation's edges in their relations' own direction, with rf^-1; co
 * shown as the fr that it is. */
static void collect_bold(struct drawing *d) {
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

/* ---- places ---- */

/* ADSM: kernels run below their call, in call order, and above the sync that
 * waits for them. */
static int rows_around_kernels(const struct event *a, const struct event *b) {
  if (a->thread != b->thread || a->launch == b->launch) return 0;
  if (a->kind == EVENT_CALL && b->launch == a->po_index + 1) return 1;
  if (a->launch && b->kind == EVENT_SYNC && b->po_index >= a->launch) return 1;
  return a->launch && a->launch < b->launch ? PO_STEP : 0;
}

/* How many rows b stands below a, at least. */
static int rows_between(const struct drawing *d, unsigned a, unsigned b, bool with_rf) {
  const struct event *events = d->x->events;
  if (events[a].thread < 0) return 0;
  if (rel_has(d->shape, d->x->po, a, b)) return PO_STEP;
  int rows = rows_around_kernels(&events[a], &events[b]);
  return !rows && with_rf && rel_has(d->shape, d->x->rf, a, b) ? 1 : rows;
}

/* One round of pushing events below those they follow; true when some moved. */
static bool push_down(struct drawing *d, int *row, bool with_rf) {
  bool moved = false;
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      int rows = rows_between(d, a, b, with_rf);
      if (!rows || row[b] >= row[a] + rows) continue;
      row[b] = row[a] + rows;
      moved = true;
    }
  return moved;
}

/* Rows: program order downwards, and reads a little below the writes that they
 * read from unless that goes in a circle. */
static void place_rows(struct drawing *d) {
  unsigned n = d->shape.n;
  int *row = ARENA_ARRAY(d->arena, int, n);
  bool settled = false;
  for (unsigned round = 0; round <= n && !settled; round++) settled = !push_down(d, row, true);
  if (!settled) {
    memset(row, 0, n * sizeof *row);
    while (push_down(d, row, false)) continue;
  }
  int deepest = 0;
  for (unsigned e = 0; e < n; e++) {
    if (row[e] > deepest) deepest = row[e];
    d->y[e] = -row_height(d) * (double)row[e];
  }
  d->height = row_height(d) * (double)deepest;
}

/* ADSM: a kernel's events stand in a column of their own, right of their host's. */
static bool in_kernel(const struct drawing *d, unsigned e) {
  return d->x->events[e].launch > 0;
}

static unsigned column_count(const struct drawing *d) {
  return 2 * d->x->program->thread_count;
}

static unsigned column_of(const struct drawing *d, unsigned e) {
  return 2 * (unsigned)d->x->events[e].thread + in_kernel(d, e);
}

static bool has_subgroups(const struct program *program) {
  for (unsigned i = 0; i < program->thread_count; i++)
    for (unsigned j = 0; j < i; j++)
      if (program->threads[i].sg == program->threads[j].sg) return true;
  return false;
}

/* Is there a box around the instances of a scope?  Where the language has no word
 * for levels of its own, sub-groups are shown if some hold several threads. */
static bool shows_level(const struct program *program, enum scope level) {
  if (level == SCOPE_SG && !program->level_words) return has_subgroups(program);
  return program_level_name(program, level);
}

/* Scopes whose instances are boxes, inner ones first. */
enum { DRAWN_LEVELS = 4 };
static const enum scope drawn_levels[DRAWN_LEVELS] = {SCOPE_SG, SCOPE_WG, SCOPE_QF, SCOPE_DEV};

static int compare_threads(const void *a, const void *b, void *context) {
  const struct program *program = context;
  unsigned i = *(const unsigned *)a, j = *(const unsigned *)b;
  const struct thread *s = &program->threads[i / 2], *t = &program->threads[j / 2];
  for (size_t l = DRAWN_LEVELS; l-- > 0;) {
    enum scope level = drawn_levels[l];
    unsigned a_in = thread_instance(s, level), b_in = thread_instance(t, level);
    if (shows_level(program, level) && a_in != b_in) return a_in < b_in ? -1 : 1;
  }
  return i < j ? -1 : i > j;
}

static bool has_groups(const struct drawing *d) {
  return d->x->program->placed && !d->x->program->object_count;
}

static double gap_before(const struct drawing *d, unsigned k) {
  const struct thread *threads = d->x->program->threads;
  if (k == 0) return 0;
  const struct thread *s = &threads[d->column[k - 1] / 2], *t = &threads[d->column[k] / 2];
  if (!has_groups(d)) return COLUMN_GAP;
  double gap = COLUMN_GAP;
  for (size_t l = 0; l < DRAWN_LEVELS; l++) {
    enum scope level = drawn_levels[l];
    if (shows_level(d->x->program, level) && thread_instance(s, level) != thread_instance(t, level)) gap += GROUP_GAP;
  }
  return gap;
}

static void place_columns(struct drawing *d) {
  unsigned count = column_count(d);
  d->column = ARENA_ARRAY(d->arena, unsigned, count);
  d->column_x = ARENA_ARRAY(d->arena, double, count);
  d->column_width = ARENA_ARRAY(d->arena, double, count);
  for (unsigned e = 0; e < d->shape.n; e++) {
    if (d->x->events[e].thread < 0) continue;
    double *width = &d->column_width[column_of(d, e)];
    double wanted = text_width(d->label[e]) + 16;
    if (wanted > *width) *width = wanted;
  }
  for (unsigned k = 0; k < count; k++) d->column[k] = k;
  qsort_r(d->column, count, sizeof *d->column, compare_threads, (void *)(uintptr_t)d->x->program);
  double at = 0;
  for (unsigned k = 0; k < count; k++) {
    double width = d->column_width[d->column[k]];
    if (width <= 0) {
      d->column_x[d->column[k]] = at;
      continue;
    }
    at += gap_before(d, k);
    d->column_x[d->column[k]] = at + width / 2;
    at += width;
  }
}

/* ---- nodes and boxes ---- */

static void set(void *object, const char *name, const char *value) {
  agsafeset(object, (char *)(uintptr_t)name, (char *)(uintptr_t)value, (char *)(uintptr_t) "");
}

static void set_number(struct drawing *d, void *object, const char *name, double value) {
  set(object, name, arena_printf(d->arena, "%.4g", value));
}

static Agnode_t *add_node(struct drawing *d, const char *name, const char *label, double x, double y, double width) {
  Agnode_t *node = agnode(d->graph, (char *)(uintptr_t)name, 1);
  set(node, "label", label);
  set(node, "pos", arena_printf(d->arena, "%.1f,%.1f", x, y));
  set_number(d, node, "width", width / 72);
  set_number(d, node, "height", node_height(d) / 72);
  set(node, "fixedsize", "true");
  return node;
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
  for (size_t i = 0; i < sizeof colours / sizeof *colours; i++)
    if (tags_have(event->tags, colours[i].tag)) return colours[i].colour;
  return NULL;
}

static void add_event(struct drawing *d, unsigned e) {
  const struct event *event = &d->x->events[e];
  unsigned c = column_of(d, e);
  d->nodes[e] = add_node(d, arena_printf(d->arena, "e%u", e), d->label[e], d->column_x[c], d->y[e], d->column_width[c]);
  set(d->nodes[e], "fillcolor", fill_of(d, e));
  const char *colour = colour_of(event);
  if (colour) set(d->nodes[e], "color", colour);
  if (d->on_cycle[e]) set(d->nodes[e], "penwidth", "2");
}

/* Initial writes that an edge of the cycle needs stand above everything. */
static void add_initials(struct drawing *d) {
  double at = 0;
  for (unsigned e = 0; e < d->shape.n; e++) {
    if (d->x->events[e].thread >= 0 || !d->on_cycle[e]) continue;
    double width = text_width(d->label[e]) + 16;
    d->nodes[e] = add_node(d, arena_printf(d->arena, "e%u", e), d->label[e], at + width / 2,
                           HEADER + 3 * BOX_MARGIN + 3.0 * UNIT + lift(d), width);
    set(d->nodes[e], "fillcolor", fill_of(d, e));
    at += width + COLUMN_GAP;
  }
}

static void add_header(struct drawing *d, unsigned column) {
  const struct thread *thread = &d->x->program->threads[column / 2];
  const char *name = column % 2 ? arena_printf(d->arena, "kernels of %s", thread->name) : thread->name;
  Agnode_t *node = add_node(d, arena_printf(d->arena, "h%u", column), name, d->column_x[column], UNIT + 2.0 + lift(d),
                            d->column_width[column]);
  set_number(d, node, "height", NODE_HEIGHT / 72.0);
  set(node, "shape", "plaintext");
  set(node, "style", "");
  set(node, "fontname", "Helvetica-Bold");
}

/* A box around columns first .. last of the order, `level` boxes inside it. */
static void add_box(struct drawing *d, const char *name, const char *label, unsigned first, unsigned last, int level) {
  Agraph_t *box = agsubg(d->graph, (char *)(uintptr_t)name, 1);
  double margin = BOX_MARGIN * (level + 1.0);
  double left = 1e9, right = -1e9;
  for (unsigned k = first; k <= last; k++) {
    unsigned c = d->column[k];
    if (d->column_width[c] <= 0) continue;
    if (d->column_x[c] - d->column_width[c] / 2 < left) left = d->column_x[c] - d->column_width[c] / 2;
    if (d->column_x[c] + d->column_width[c] / 2 > right) right = d->column_x[c] + d->column_width[c] / 2;
  }
  if (left > right) return;
  double top = UNIT + HEADER * (level + 1.2) + 4 + lift(d), bottom = -d->height - node_height(d) - margin + 4;
  set(box, "bb", arena_printf(d->arena, "%.1f,%.1f,%.1f,%.1f", left - margin, bottom, right + margin, top));
  set(box, "label", label);
  set(box, "lp", arena_printf(d->arena, "%.1f,%.1f", (left + right) / 2, top - 10));
  set(box, "lheight", "0.2");
  set_number(d, box, "lwidth", CHARACTER * (double)strlen(label) / 72);
  set(box, "style", "rounded");
  set(box, "color", level ? "#8a8a8a" : "#bdbdbd");
  set(box, "fontcolor", "#606060");
}

static unsigned group_of(const struct drawing *d, unsigned k, enum scope level) {
  return thread_instance(&d->x->program->threads[d->column[k] / 2], level);
}

/* The instances of a level, around `inside` levels of others. */
static void add_level(struct drawing *d, enum scope level, int inside) {
  unsigned count = column_count(d);
  for (unsigned first = 0; first < count;) {
    unsigned group = group_of(d, first, level), last = first;
    while (last + 1 < count && group_of(d, last + 1, level) == group) last++;
    add_box(d, arena_printf(d->arena, "cluster_%s%u", scope_name(level), group),
            arena_printf(d->arena, "%s %u", program_level_name(d->x->program, level), group), first, last, inside);
    first = last + 1;
  }
}

/* Outer ones first: what is drawn later lies on top. */
static void add_boxes(struct drawing *d) {
  int inside = -1;
  for (size_t l = 0; l < DRAWN_LEVELS; l++) inside += shows_level(d->x->program, drawn_levels[l]);
  for (size_t l = DRAWN_LEVELS; l-- > 0;)
    if (shows_level(d->x->program, drawn_levels[l])) add_level(d, drawn_levels[l], inside--);
}

/* ---- edges ---- */

static const char *color_of(const char *relation) {
  static const struct {
    const char *relation, *color;
  } colors[] = {{"rf", "#c8102e"},   {"co", "#1f4fd8"},   {"mo", "#1f4fd8"},  {"fr", "#b35900"},
                {"rb", "#b35900"},   {"po", "#202020"},   {"rmw", "#707070"}, {"same_B", "#00838f"},
                {"addr", "#8d6e63"}, {"data", "#8d6e63"}, {"ctrl", "#8d6e63"}};
  for (size_t i = 0; i < sizeof colors / sizeof *colors; i++)
    if (!strcmp(colors[i].relation, relation)) return colors[i].color;
  return "#1b7f3b";
}

/* Other edges step back when a cycle is shown. */
static const char *faded(const char *relation) {
  return strcmp(relation, "po") ? NULL : "#b0b0b0";
}

static bool is_listed(const char *const *names, const char *name) {
  for (; names && *names; names++)
    if (!strcmp(*names, name)) return true;
  return false;
}

static void add_edge(struct drawing *d, unsigned a, unsigned b, const char *relation, bool bold) {
  if (!d->nodes[a] || !d->nodes[b] || (!bold && is_listed(d->look->hidden, relation))) return;
  for (size_t i = 0; i < d->drawn.count; i++)
    if (d->drawn.at[i].from == a && d->drawn.at[i].to == b && !strcmp(d->drawn.at[i].relation, relation)) return;
  *vec_push(d->arena, &d->drawn) = (struct explained_edge){a, b, relation, false};
  Agedge_t *edge = agedge(d->graph, d->nodes[a], d->nodes[b], NULL, 1);
  bool cycle = d->bold.count > 0;
  const char *color = cycle && !bold && faded(relation) ? faded(relation) : color_of(relation);
  set(edge, "color", color);
  set(edge, "fontcolor", color);
  set(edge, "penwidth", bold ? "3" : cycle ? "0.8" : "1.2");
  if (strcmp(relation, "po") != 0 || bold) set(edge, "label", relation);
  if (bold) set(edge, "fontname", "Helvetica-Bold");
}

static void draw_program_order(struct drawing *d) {
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      if (!po_next(d, a, b)) continue;
      const char *label = po_label(d, a, b);
      add_edge(d, a, b, label, is_bold(d, a, b, label));
    }
}

static bool co_next(const struct drawing *d, unsigned a, unsigned b) {
  if (!rel_has(d->shape, d->x->co, a, b)) return false;
  for (unsigned c = 0; c < d->shape.n; c++)
    if (rel_has(d->shape, d->x->co, a, c) && rel_has(d->shape, d->x->co, c, b)) return false;
  return true;
}

/* A read before the first write that overwrites what it read. */
static bool fr_next(const struct drawing *d, unsigned a, unsigned b) {
  if (d->x->events[a].kind != EVENT_READ) return false;
  for (unsigned w = 0; w < d->shape.n; w++)
    if (rel_has(d->shape, d->x->rf, w, a)) return co_next(d, w, b) && !rel_has(d->shape, d->x->rmw, a, b);
  return false;
}

static void draw_communication(struct drawing *d) {
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      if (rel_has(d->shape, d->x->rf, a, b)) add_edge(d, a, b, "rf", is_bold(d, a, b, "rf"));
      if (rel_has(d->shape, d->x->po, a, b)) continue; /* follows from program order, for the eye */
      if (co_next(d, a, b)) add_edge(d, a, b, "co", is_bold(d, a, b, "co"));
      /* fr follows from rf and co: beside a cycle it only distracts. */
      bool bold = is_bold(d, a, b, "fr");
      if (fr_next(d, a, b) && (bold || !d->bold.count)) add_edge(d, a, b, "fr", bold);
    }
}

/* A pair that fails a check without a path between its events, such as the two
 * accesses of a race: joined by a line of its own. */
static void draw_pair(struct drawing *d) {
  const struct explanation *why = d->subject->why;
  if (!why || why->kind != EXPLAINED_PAIR || why->edge_count || why->first == why->second) return;
  if (!d->nodes[why->first] || !d->nodes[why->second]) return;
  Agedge_t *edge = agedge(d->graph, d->nodes[why->first], d->nodes[why->second], NULL, 1);
  set(edge, "label", why->check->name);
  set(edge, "color", PAIR_COLOR);
  set(edge, "fontcolor", PAIR_COLOR);
  set(edge, "fontname", "Helvetica-Bold");
  set(edge, "penwidth", "3");
  set(edge, "style", "dashed");
  set(edge, "dir", "none");
}

/* What of the cycle has not been drawn as something else. */
static void draw_bold(struct drawing *d) {
  for (size_t i = 0; i < d->bold.count; i++) {
    const struct explained_edge *edge = &d->bold.at[i];
    add_edge(d, edge->from, edge->to, edge->relation, true);
  }
}

/* A relation, without what it makes of itself by transitivity; `within` threads
 * too, or only what joins two of them. */
static void draw_relation(struct drawing *d, const char *name, const word *value, bool within) {
  for (unsigned a = 0; a < d->shape.n; a++)
    for (unsigned b = 0; b < d->shape.n; b++) {
      if (a == b || !rel_has(d->shape, value, a, b) || (!within && rel_has(d->shape, d->x->po, a, b))) continue;
      if (d->x->events[a].thread < 0 || d->x->events[b].thread < 0) continue;
      bool implied = false;
      for (unsigned c = 0; c < d->shape.n && !implied; c++)
        implied = c != a && c != b &&
                  (rel_has(d->shape, value, a, c) || (!within && rel_has(d->shape, d->x->po, a, c))) &&
                  (rel_has(d->shape, value, c, b) || (!within && rel_has(d->shape, d->x->po, c, b)));
      if (!implied) add_edge(d, a, b, name, false);
    }
}

static bool is_synchronisation(const char *name) {
  static const char *const names[] = {"sw", "gsw", "lsw", "synchronises", "so"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], name)) return true;
  return false;
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
    if (ir->nodes[i].type == CAT_REL && ir->nodes[i].name && is_listed(d->look->shown, ir->nodes[i].name))
      draw_relation(d, ir->nodes[i].name, v->value[i], true);
}

/* ---- the whole ---- */

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

static void find_labels(struct drawing *d) {
  for (unsigned e = 0; e < d->shape.n; e++) {
    d->label[e] = event_label(d, e);
    if (d->x->events[e].kind == EVENT_READ && reads_initial(d, e))
      d->label[e] = arena_printf(d->arena, "%s  (initial)", d->label[e]);
    d->label[e] = decorate(d, e, d->label[e]);
  }
}

static void build(struct drawing *d) {
  const struct exhibit *s = d->subject;
  collect_bold(d);
  find_labels(d);
  place_rows(d);
  place_columns(d);
  set_defaults(d->graph);
  set(d->graph, "label", arena_printf(d->arena, "%s\\l%s\\l", s->title, s->caption ? s->caption : ""));
  if (has_groups(d) && d->look->form == GRAPH_CLUSTER) add_boxes(d);
  for (unsigned c = 0; c < column_count(d) && d->look->form != GRAPH_FREE; c++)
    if (d->column_width[c] > 0) add_header(d, c);
  for (unsigned e = 0; e < d->shape.n; e++)
    if (d->x->events[e].thread >= 0) add_event(d, e);
  add_initials(d);
  draw_program_order(d);
  draw_communication(d);
  draw_bold(d);
  draw_pair(d);
  draw_derived(d);
}

/* ---- places for the labels of edges ---- */

/* gvc puts labels on the middle of their edges, on top of whatever is there.
 * Each is moved to a place beside its own curve that covers least. */

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
  struct rectangle placed[MAX_PLACED];
  size_t edge_count, placed_count;
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

/* What a label at this place would cover. */
static double covered(const struct labelling *l, Agraph_t *graph, const struct rectangle *place) {
  double cost = 0;
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node)) {
    struct rectangle box = box_of(node);
    cost += 4 * overlap(place, &box);
  }
  for (size_t i = 0; i < l->placed_count; i++) cost += 4 * overlap(place, &l->placed[i]);
  for (size_t i = 0; i < l->edge_count; i++)
    for (size_t k = 0; k < CURVE_POINTS; k++) cost += inside(place, l->curves[i].at[k]) ? 60 : 0;
  return cost;
}

static void place_label(struct labelling *l, Agraph_t *graph, size_t i) {
  static const double along[] = {0.5, 0.4, 0.6, 0.32, 0.68, 0.25, 0.75, 0.18, 0.82};
  textlabel_t *label = ED_label(l->edges[i]);
  double width = label->dimen.x > 0 ? label->dimen.x : CHARACTER * (double)strlen(label->text), height = 14;
  double least = 1e18;
  struct rectangle best = {0};
  for (size_t k = 0; k < sizeof along / sizeof *along; k++)
    for (int side = -1; side <= 1; side += 2) {
      size_t at = (size_t)(along[k] * (CURVE_POINTS - 1));
      pointf p = l->curves[i].at[at], q = l->curves[i].at[at + 1];
      double dx = q.x - p.x, dy = q.y - p.y, size = dx * dx + dy * dy > 0 ? sqrt(dx * dx + dy * dy) : 1;
      double nx = -dy / size, ny = dx / size;
      double away = fabs(nx) * width / 2 + fabs(ny) * height / 2 + 3;
      double x = p.x + side * nx * away, y = p.y + side * ny * away;
      struct rectangle place = {x - width / 2, y - height / 2, x + width / 2, y + height / 2};
      double cost = covered(l, graph, &place) + (double)k;
      if (cost < least) least = cost, best = place;
    }
  l->placed[l->placed_count++] = best;
  label->pos = (pointf){(best.left + best.right) / 2, (best.bottom + best.top) / 2};
  label->set = true;
}

static void place_labels(Agraph_t *graph) {
  struct labelling *l = calloc(1, sizeof *l);
  if (!l) return;
  for (Agnode_t *node = agfstnode(graph); node; node = agnxtnode(graph, node))
    for (Agedge_t *edge = agfstout(graph, node); edge && l->edge_count < MAX_PLACED; edge = agnxtout(graph, edge))
      if (sample(edge, &l->curves[l->edge_count])) l->edges[l->edge_count++] = edge;
  for (size_t i = 0; i < l->edge_count; i++)
    if (ED_label(l->edges[i])) place_label(l, graph, i);
  free(l);
}

/* Curves around the nodes take time with the cube of their number. */
enum { MAX_CURVED = 64 };

static bool render(struct grapher *grapher, Agraph_t *graph, const struct graph_look *look, enum graph_format format,
                   FILE *out) {
  bool placed = look->form != GRAPH_FREE;
  if (agnnodes(graph) > MAX_CURVED) set(graph, "splines", "line");
  /* DOT text carries its layout, so that `dot` draws what our SVG shows and not a layout of its own. */
  if (format == GRAPH_DOT && placed) set(graph, "layout", "nop2");
  if (gvLayout(grapher->context, graph, placed ? "nop" : "dot")) return false;
  if (placed) place_labels(graph);
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
