/* SPDX-License-Identifier: MIT */
/* Cycles of relations: words, events, what they read, and names.
 *
 * Events lie between edges. Along the cycle the accesses of one location follow
 * each other, from the edge that comes to it to the edge that leaves it; in that
 * order its stores are numbered, which is their coherence order; a read sees the
 * store that Rf says, or the one before that which Fr says. */
#include "checker/program_search/cycle.h"

#include <string.h>

#include "checker/base/array.h"
#include "checker/base/number.h"
#include "checker/base/text.h"
#include "checker/program_search/cycle_words.h"

/* An edge is the one of the same number, to the event of the next. */
struct event {
  unsigned thread, location;
  int value; /* written; read, -1: whatever */
};

struct reading {
  struct arena *arena;
  struct edge edges[CYCLE_EDGES];
  struct event events[CYCLE_EDGES];
  unsigned count, threads, locations;
  const char *fault;
};

/* ---- words ---- */

static bool fail(struct reading *r, const char *fault) {
  if (!r->fault) r->fault = fault;
  return false;
}

static bool read_edges(struct reading *r, const char *text) {
  for (const char **word = text_split(r->arena, text, " ", NULL); *word; word++) {
    if (r->count == CYCLE_EDGES) return fail(r, "too many edges");
    if (!cycle_edge_read(*word, &r->edges[r->count++]))
      return fail(r, arena_printf(r->arena,
                                  "unknown edge '%s': Pod.., Pos.., Fenced.., Fences.., DpAddrd., DpAddrs., DpCtrld., "
                                  "DpCtrls. with R or W for each dot, DpDatadW, DpDatasW, Rfe, Rfi, Fre, Fri, Coe, Coi",
                                  *word));
  }
  for (unsigned i = 0; i < r->count; i++) {
    const struct edge *next = &r->edges[(i + 1) % r->count];
    if (r->edges[i].to != next->from)
      return fail(r, arena_printf(r->arena, "edge %u ends at a %s and the next begins at a %s", i + 1,
                                  r->edges[i].to == 'R' ? "read" : "write", next->from == 'R' ? "read" : "write"));
  }
  return true;
}

/* ---- events ---- */

static void rotate(struct reading *r, unsigned by) {
  struct edge copy[CYCLE_EDGES];
  memcpy(copy, r->edges, sizeof copy);
  for (unsigned i = 0; i < r->count; i++) r->edges[i] = copy[(i + by) % r->count];
}

static bool place_events(struct reading *r) {
  unsigned changes = 0, thread = 0, location = 0, seen = 0;
  for (unsigned i = 0; i < r->count; i++) changes += !r->edges[i].same;
  if (changes == 1) return fail(r, "the location changes once, and never back");
  for (unsigned i = 0; i < r->count; i++) {
    r->events[i] = (struct event){thread, location, -1};
    if (r->edges[i].external) thread++;
    if (r->edges[i].same) continue;
    seen++;
    location = seen == changes ? 0 : seen;
  }
  r->threads = thread;
  r->locations = changes ? changes : 1;
  if (r->threads > SMALL_FAMILY_THREADS) return fail(r, "more than four threads");
  return r->locations <= SMALL_GLOBALS || fail(r, "more than six locations");
}

/* Stores along the cycle, from the edge that comes to the location. */
static void number_stores(struct reading *r, unsigned location) {
  unsigned first = 0;
  for (unsigned i = 0; i < r->count; i++)
    if (r->events[i].location == location && !r->edges[(i + r->count - 1) % r->count].same) first = i;
  int value = 0;
  for (unsigned k = 0; k < r->count; k++) {
    unsigned i = (first + k) % r->count;
    if (r->events[i].location == location && r->edges[i].from == 'W') r->events[i].value = ++value;
  }
}

static void find_values(struct reading *r) {
  for (unsigned x = 0; x < r->locations; x++) number_stores(r, x);
  for (unsigned i = 0; i < r->count; i++) {
    unsigned next = (i + 1) % r->count;
    if (r->edges[i].reads_from) r->events[next].value = r->events[i].value;
    if (r->edges[i].from_read) r->events[i].value = r->events[next].value - 1;
  }
}

/* Does each read see both the store that it reads from and the one before the next? */
static bool values_agree(const struct reading *r) {
  for (unsigned i = 0; i < r->count; i++) {
    unsigned next = (i + 1) % r->count;
    if (r->edges[i].reads_from && r->events[next].value != r->events[i].value) return false;
    if (r->edges[i].from_read && r->events[i].value != r->events[next].value - 1) return false;
  }
  return true;
}

/* ---- programs ---- */

static bool add_op(struct reading *r, struct small_program *p, unsigned thread, struct small_op op) {
  if (p->count[thread] == SMALL_FAMILY_OPS) return fail(r, "more than six operations in a thread");
  p->ops[thread][p->count[thread]++] = op;
  return true;
}

static bool build(struct reading *r, struct small_program *p) {
  *p = (struct small_program){.threads = r->threads};
  char guard = 0, dependency = 0;
  for (unsigned i = 0; i < r->count; i++) {
    const struct edge *edge = &r->edges[i];
    const struct event *event = &r->events[i];
    struct small_op op = {.kind = edge->from, .scope = 'n', .location = (uint8_t)event->location};
    op.guard = guard;
    op.dependency = dependency;
    if (op.kind == 'W') op.value = event->value;
    if (!add_op(r, p, event->thread, op)) return false;
    if (edge->fence && !add_op(r, p, event->thread, (struct small_op){.kind = 'F', .scope = 'n'})) return false;
    guard = edge->dependency == '!' ? (event->value > 0 ? '!' : '=') : 0;
    dependency = edge->dependency == '!' ? 0 : edge->dependency;
  }
  for (unsigned t = 0; t < p->threads; t++) p->wg[t] = (uint8_t)t;
  return true;
}

static const char *condition_of(struct reading *r) {
  const char *between = "";
  struct text text = text_new();
  fputs("exists (", text.out);
  for (unsigned i = 0, reg = 0; i < r->count; i++) {
    if (i && r->events[i].thread != r->events[i - 1].thread) reg = 0;
    if (r->edges[i].from != 'R') continue;
    if (r->events[i].value >= 0) {
      fprintf(text.out, "%s%u:r%u=%d", between, r->events[i].thread, reg, r->events[i].value);
      between = " /\\ ";
    }
    reg++;
  }
  for (unsigned x = 0; x < r->locations; x++) {
    int last = 0;
    for (unsigned i = 0; i < r->count; i++)
      if (r->edges[i].from == 'W' && r->events[i].location == x && r->events[i].value > last) last = r->events[i].value;
    if (last < 2) continue;
    fprintf(text.out, "%s[%s]=%d", between, small_location_names[x], last);
    between = " /\\ ";
  }
  fputc(')', text.out);
  return text_keep(&text, r->arena);
}

/* ---- names ---- */

/* Threads by their first and last accesses, in the order of the cycle; of one location, or
 * of any. */
static const struct {
  const char *threads, *name;
  bool one_location;
} NAMES[] = {
    {"WW+RR", "MP", false},         {"WR+WR", "SB", false},         {"RW+RW", "LB", false},
    {"WW+WR", "R", false},          {"WW+RW", "S", false},          {"WW+WW", "2+2W", false},
    {"W+RR", "CoRR", true},         {"W+RW", "CoRW2", true},        {"W+WR", "CoWR", true},
    {"W+RW+RR", "WRC", false},      {"W+RR+WR", "RWC", false},      {"WW+RW+RR", "ISA2", false},
    {"W+RW+RW", "WWC", false},      {"W+RR+WW", "WRR+2W", false},   {"W+RW+WR", "WRW+WR", false},
    {"W+RW+WW", "WRW+2W", false},   {"WW+RR+WR", "W+RWC", false},   {"WR+WR+WR", "3.SB", false},
    {"RW+RW+RW", "3.LB", false},    {"WW+WW+WW", "3.2W", false},    {"WW+RW+WR", "Z6.0", false},
    {"WW+WW+RW", "Z6.1", false},    {"WW+RW+RW", "Z6.2", false},    {"WW+WW+RR", "Z6.3", false},
    {"WW+WR+WR", "Z6.4", false},    {"WW+WW+WR", "Z6.5", false},    {"W+RR+W+RR", "IRIW", false},
    {"W+RR+W+RW", "IRRWIW", false}, {"W+RW+W+RW", "IRWIW", false},  {"WR+WR+WR+WR", "4.SB", false},
    {"RW+RW+RW+RW", "4.LB", false}, {"WW+WW+WW+WW", "4.2W", false},
};

static bool begins_thread(const struct reading *r, unsigned i) {
  return r->edges[(i + r->count - 1) % r->count].external;
}

/* `WW+RR`, of a cycle that begins with a thread. */
static const char *threads_of(const struct reading *r) {
  struct text text = text_new();
  for (unsigned i = 0; i < r->count; i++) {
    bool first = begins_thread(r, i);
    if (first || r->edges[i].external) fprintf(text.out, "%s%c", first && i ? "+" : "", r->edges[i].from);
  }
  return text_keep(&text, r->arena);
}

static const char *base_name(const struct reading *r) {
  const char *threads = threads_of(r);
  for (size_t i = 0; i < ARRAY_COUNT(NAMES); i++)
    if (!strcmp(NAMES[i].threads, threads) && (!NAMES[i].one_location || r->locations == 1)) return NAMES[i].name;
  return threads;
}

/* Whatever its directions: Pod, Pos, Fenced, Fences. */
static bool in_program_order(const struct edge *edge) {
  return !edge->external && (edge->fence || text_begins(edge->shown, "po"));
}

/* The edges inside the thread that begins at *i, `po` or `ctrl-rfi-addr`; NULL: it has none.
 * *i becomes the next thread's beginning. Where a direction is not said by what follows, it
 * is: `poR-po`. */
static const char *edges_of_thread(const struct reading *r, unsigned *i) {
  const char *between = "";
  struct text text = text_new();
  for (; !r->edges[*i].external; ++*i) {
    const struct edge *edge = &r->edges[*i], *next = edge + 1;
    fprintf(text.out, "%s%s", between, edge->shown);
    if ((in_program_order(edge) || edge->dependency) && in_program_order(next)) fputc(edge->to, text.out);
    between = "-";
  }
  ++*i;
  const char *shown = text_keep(&text, r->arena);
  return *shown ? shown : NULL;
}

/* `+po+fence`, `+fences` where all threads' are alike, nothing where all are program order. */
static void print_edges(const struct reading *r, FILE *out) {
  const char *shown[CYCLE_EDGES];
  unsigned count = 0;
  bool alike = true;
  for (unsigned i = 0; i < r->count;) {
    const char *edges = edges_of_thread(r, &i);
    if (!edges) continue;
    alike &= !count || !strcmp(shown[0], edges);
    shown[count++] = edges;
  }
  if (!count || (alike && !strcmp(shown[0], "po")) || (count == 1 && !strcmp(shown[0], "pos"))) return;
  if (alike) {
    fprintf(out, "+%s%s", shown[0], count > 1 ? "s" : "");
    return;
  }
  for (unsigned i = 0; i < count; i++) fprintf(out, "+%s", shown[i]);
}

static const char *name_of(struct reading *r) {
  struct text text = text_new();
  fputs(base_name(r), text.out);
  print_edges(r, text.out);
  return text_keep(&text, r->arena);
}

/* ---- where it begins ---- */

/* diy's order of threads, by their first and last accesses, and of edges. */
static unsigned thread_rank(const struct reading *r, unsigned *i) {
  static const char *const ORDER[] = {"W", "WW", "RR", "RW", "WR", "R"};
  char points[3] = {r->edges[*i].from};
  unsigned first = *i;
  while (!r->edges[*i].external) ++*i;
  if (*i != first) points[1] = r->edges[*i].from;
  ++*i;
  return (unsigned)text_index(points, ORDER, ARRAY_COUNT(ORDER));
}

static unsigned edge_rank(const struct edge *edge) {
  return edge->fence ? 0 : edge->dependency ? 1 : 2;
}

/* Cycles that begin with a thread: by their threads, how many edges the first has inside, and
 * the edges. */
static int compare_beginnings(const struct reading *a, const struct reading *b) {
  int order = 0;
  for (unsigned i = 0, k = 0; !order && i < a->count && k < b->count;)
    order = number_order(thread_rank(a, &i), thread_rank(b, &k));
  unsigned x = 0, y = 0;
  while (!a->edges[x].external) x++;
  while (!b->edges[y].external) y++;
  if (!order) order = number_order(x, y);
  for (unsigned i = 0; !order && i < a->count; i++) {
    const struct edge *e = &a->edges[i], *f = &b->edges[i];
    order = number_order(edge_rank(e), edge_rank(f));
    if (!order && e->shown && f->shown) order = strcmp(e->shown, f->shown);
  }
  return order;
}

/* It begins with the least of its threads. */
static bool begin(struct reading *r) {
  struct reading least;
  bool some = false;
  for (unsigned by = 0; by < r->count; by++) {
    if (!begins_thread(r, by)) continue;
    struct reading turned = *r;
    rotate(&turned, by);
    if (!some || compare_beginnings(&turned, &least) < 0) least = turned;
    some = true;
  }
  if (!some) return fail(r, "no edge leaves its thread");
  *r = least;
  if (!place_events(r)) return false;
  return r->threads > 1 || fail(r, "one edge alone leaves its thread, and none comes back");
}

const char *cycle_read(struct arena *arena, const char *text, struct cycle *cycle) {
  struct reading r = {.arena = arena};
  if (!read_edges(&r, text)) return r.fault;
  if (r.count < 2) return "a cycle has two edges or more";
  if (!begin(&r)) return r.fault;
  find_values(&r);
  if (!values_agree(&r)) return "a read sees one store and not another at once";
  if (!build(&r, &cycle->program)) return r.fault;
  cycle->name = name_of(&r);
  cycle->condition = condition_of(&r);
  return NULL;
}

/* ---- all cycles ---- */

struct listing {
  unsigned edges;
  const struct cycle_words *safe, *relax;
  const char *words[CYCLE_EDGES];
  unsigned count, relaxed; /* `relaxed`: how many are of `relax` */
  void (*visit)(void *context, const char *text);
  void *context;
};

/* Is this the least of the cycle's rotations? */
static bool is_first(const struct listing *l) {
  for (unsigned by = 1; by < l->count; by++) {
    for (unsigned i = 0; i < l->count; i++) {
      int order = strcmp(l->words[i], l->words[(i + by) % l->count]);
      if (order > 0) return false;
      if (order < 0) break;
    }
  }
  return true;
}

/* May b come after a? Two accesses in a thread at most; of two edges between
 * threads, Rfe Fre and Coe Coe say what one Coe does, and Fre Coe what one Fre does. */
static bool may_follow(const struct edge *a, const struct edge *b) {
  if (a->to != b->from || (!a->external && !b->external)) return false;
  bool both = a->external && b->external;
  return !both || (b->reads_from && !a->reads_from) || (a->reads_from && b->from_read);
}

static void visit_cycle(const struct listing *l) {
  struct edge first, last;
  cycle_edge_read(l->words[0], &first);
  cycle_edge_read(l->words[l->count - 1], &last);
  if (!may_follow(&last, &first) || !is_first(l) || (l->relax->count && !l->relaxed)) return;
  struct arena *arena = arena_new();
  struct cycle cycle;
  struct text text = text_new();
  for (unsigned i = 0; i < l->count; i++) fprintf(text.out, "%s%s", i ? " " : "", l->words[i]);
  const char *written = text_keep(&text, arena);
  if (!cycle_read(arena, written, &cycle)) l->visit(l->context, written);
  arena_free(arena);
}

static void extend(struct listing *l);

static void extend_by(struct listing *l, const char *word, bool relaxed) {
  struct edge before, edge;
  cycle_edge_read(word, &edge);
  if (l->count) {
    cycle_edge_read(l->words[l->count - 1], &before);
    if (!may_follow(&before, &edge)) return;
  }
  l->words[l->count++] = word;
  l->relaxed += relaxed;
  extend(l);
  l->relaxed -= relaxed;
  l->count--;
}

static void extend(struct listing *l) {
  if (l->count >= 2) visit_cycle(l);
  if (l->count == l->edges) return;
  for (size_t i = 0; i < l->safe->count; i++)
    if (!cycle_words_have(l->relax, l->safe->at[i])) extend_by(l, l->safe->at[i], false);
  for (size_t i = 0; i < l->relax->count; i++) extend_by(l, l->relax->at[i], true);
}

void cycle_each(unsigned edges, const struct cycle_words *safe, const struct cycle_words *relax,
                void (*visit)(void *context, const char *text), void *context) {
  struct listing l = {.edges = edges, .safe = safe, .relax = relax, .visit = visit, .context = context};
  extend(&l);
}

/* ---- wildcards ---- */

struct expanding {
  struct arena *arena;
  struct cycle_words choices[CYCLE_EDGES];
  const char *words[CYCLE_EDGES];
  unsigned count;
  void (*visit)(void *context, const char *text);
  void *context;
};

/* Those of which each edge begins where the one before it ends. */
static void expand(struct expanding *e, unsigned at) {
  if (at > 1 && at == e->count) {
    struct edge first, last;
    cycle_edge_read(e->words[0], &first);
    cycle_edge_read(e->words[at - 1], &last);
    if (last.to != first.from) return;
    struct text text = text_new();
    for (unsigned i = 0; i < at; i++) fprintf(text.out, "%s%s", i ? " " : "", e->words[i]);
    e->visit(e->context, text_keep(&text, e->arena));
    return;
  }
  for (size_t i = 0; i < e->choices[at].count; i++) {
    struct edge before, edge;
    cycle_edge_read(e->choices[at].at[i], &edge);
    if (at) {
      cycle_edge_read(e->words[at - 1], &before);
      if (before.to != edge.from) continue;
    }
    e->words[at] = e->choices[at].at[i];
    expand(e, at + 1);
  }
}

const char *cycle_expand(struct arena *arena, const char *text, void (*visit)(void *context, const char *text),
                         void *context) {
  struct expanding e = {.arena = arena, .visit = visit, .context = context};
  for (const char **word = text_split(arena, text, " ", NULL); *word; word++) {
    if (e.count == CYCLE_EDGES) return "too many edges";
    if (!cycle_words_add(arena, *word, &e.choices[e.count++]))
      return arena_printf(arena, "no edge is as '%s' says", *word);
  }
  if (e.count < 2) return "a cycle has two edges or more";
  expand(&e, 0);
  return NULL;
}
