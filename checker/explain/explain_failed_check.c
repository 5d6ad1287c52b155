/* SPDX-License-Identifier: MIT */
/* From a failing check to base edges: shortest derivations in the model's graph. */
#include "checker/explain/explain_failed_check.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/exec/cheapest_path_in_relation.h"
#include "checker/exec/predefined_relations.h"

/* Lengths of derivations.  A pair that only a restriction explains (`loc`, a
 * product of sets) costs more than one through program order or communication. */
enum { BASE_LENGTH = 2, OPAQUE_LENGTH = 9 };

/* How much a node says about how two events are connected. */
enum strength { RESTRICTS, ORDERS, COMMUNICATES };

struct explainer {
  struct arena *arena;
  const struct valuation *v;
  const struct cat_ir *ir;
  struct shape shape;
  const struct execution *x;
  enum strength *strength; /* by node */
  int **length;            /* by node: n * n lengths, 0: not known, -1: being found; NULL until needed */
  VEC(struct explained_edge) edges;
  VEC(struct explained_span) spans;
};

/* ---- what nodes are ---- */

static enum strength base_strength(enum cat_base base) {
  if (base == BASE_RF || base == BASE_CO || base == BASE_FR) return COMMUNICATES;
  bool orders = base == BASE_PO || base == BASE_RMW || base == BASE_ADDR || base == BASE_DATA || base == BASE_CTRL ||
                base == BASE_SAME_B || base == BASE_SSW || base == BASE_SYNC_FENCE || base == BASE_LAUNCH;
  return orders ? ORDERS : RESTRICTS;
}

static enum strength stronger(enum strength a, enum strength b) {
  return a > b ? a : b;
}

static enum strength node_strength(const struct explainer *e, const struct cat_node *node) {
  enum cat_op op = node->op;
  if (op == CAT_BASE) return base_strength(node->base);
  if (op == CAT_UNION || op == CAT_INTER || op == CAT_SEQ) return stronger(e->strength[node->a], e->strength[node->b]);
  bool kept = op == CAT_DIFF || op == CAT_INVERSE || op == CAT_PLUS || op == CAT_STAR || op == CAT_OPT;
  return kept ? e->strength[node->a] : RESTRICTS;
}

static void find_strengths(struct explainer *e) {
  e->strength = ARENA_ARRAY(e->arena, enum strength, e->ir->node_count);
  /* A recursive variable takes after its body, which comes later: two rounds. */
  for (int round = 0; round < 2; round++)
    for (uint32_t i = 0; i < e->ir->node_count; i++) {
      const struct cat_node *node = &e->ir->nodes[i];
      e->strength[i] = node->op == CAT_REC ? stronger(e->strength[i], e->strength[node->a]) : node_strength(e, node);
    }
}

static const char *base_name(struct arena *arena, const struct cat_node *node) {
  const char *names = cat_bases[node->base].names;
  if (node->base == BASE_TAG) return node->base_name ? node->base_name : "tag";
  return arena_strndup(arena, names, strcspn(names, " "));
}

/* A short text for a relation that is not taken apart. */
static const char *node_text(const struct explainer *e, uint32_t i, int depth) {
  const struct cat_node *node = &e->ir->nodes[i];
  if (node->name) return node->name;
  if (node->op == CAT_BASE) return base_name(e->arena, node);
  static const char *const forms[][2] = {
      [CAT_COMPL] = {"~", ""}, [CAT_INVERSE] = {"", "^-1"}, [CAT_TOID] = {"[", "]"}, [CAT_CROSS] = {"", "*"},
      [CAT_UNION] = {"", "|"}, [CAT_INTER] = {"", "&"},     [CAT_DIFF] = {"", "\\"}};
  if (depth == 0 || node->op >= ARRAY_COUNT(forms) || !forms[node->op][0]) return "...";
  return arena_printf(e->arena, "%s%s%s%s", forms[node->op][0], node_text(e, node->a, depth - 1), forms[node->op][1],
                      cat_operand_count(node->op) > 1 ? node_text(e, node->b, depth - 1) : "");
}

/* ---- lengths of shortest derivations ---- */

static bool related(const struct explainer *e, uint32_t node, unsigned a, unsigned b) {
  return rel_has(e->shape, e->v->value[node], a, b);
}

static int length_of(struct explainer *e, uint32_t node, unsigned a, unsigned b);

static int add(int a, int b) {
  return a >= FAR || b >= FAR ? FAR : a + b;
}

/* The best middle of a; b, or n when there is none. */
static unsigned best_middle(struct explainer *e, const struct cat_node *node, unsigned a, unsigned b, int *length) {
  unsigned best = e->shape.n;
  *length = FAR;
  for (unsigned c = 0; c < e->shape.n; c++) {
    if (!related(e, node->a, a, c) || !related(e, node->b, c, b)) continue;
    int sum = add(length_of(e, node->a, a, c), length_of(e, node->b, c, b));
    if (sum < *length) *length = sum, best = c;
  }
  return best;
}

struct steps {
  struct explainer *e;
  uint32_t node;
};

static int step_length(void *context, unsigned a, unsigned b) {
  const struct steps *steps = context;
  return length_of(steps->e, steps->node, a, b);
}

/* Of a way from a to b, of at least one step of `node`. */
static int way_length(struct explainer *e, uint32_t node, unsigned a, unsigned b, unsigned *before) {
  struct path_costs lengths = {step_length, &(struct steps){e, node}};
  return shortest_path(e->shape, e->v->value[node], a, b, lengths, before);
}

/* Of an intersection, the operand that tells more; of two, the shorter. */
static uint32_t telling_operand(struct explainer *e, const struct cat_node *node, unsigned a, unsigned b) {
  enum strength left = e->strength[node->a], right = e->strength[node->b];
  if (left != right) return left > right ? node->a : node->b;
  return length_of(e, node->b, a, b) < length_of(e, node->a, a, b) ? node->b : node->a;
}

static uint32_t shorter_operand(struct explainer *e, const struct cat_node *node, unsigned a, unsigned b) {
  if (!related(e, node->a, a, b)) return node->b;
  if (!related(e, node->b, a, b)) return node->a;
  return length_of(e, node->b, a, b) < length_of(e, node->a, a, b) ? node->b : node->a;
}

static int find_length(struct explainer *e, uint32_t i, unsigned a, unsigned b) {
  const struct cat_node *node = &e->ir->nodes[i];
  unsigned before[e->shape.n];
  int length;
  switch (node->op) {
    case CAT_BASE:
      return base_strength(node->base) == RESTRICTS ? OPAQUE_LENGTH : BASE_LENGTH;
    case CAT_UNION:
      return length_of(e, shorter_operand(e, node, a, b), a, b);
    case CAT_INTER:
      return length_of(e, telling_operand(e, node, a, b), a, b);
    case CAT_DIFF:
    case CAT_REC:
      return length_of(e, node->a, a, b);
    case CAT_SEQ:
      best_middle(e, node, a, b, &length);
      return length;
    case CAT_INVERSE:
      return length_of(e, node->a, b, a);
    case CAT_OPT:
      return a == b ? 1 : length_of(e, node->a, a, b);
    case CAT_STAR:
      return a == b ? 1 : way_length(e, node->a, a, b, before);
    case CAT_PLUS:
      return way_length(e, node->a, a, b, before);
    case CAT_TOID:
      return 1;
    default:
      return OPAQUE_LENGTH;
  }
}

/* Length of the shortest derivation of (a, b), which the node's value holds.  A
 * derivation through itself (recursive definitions) counts as infinite. */
static int length_of(struct explainer *e, uint32_t node, unsigned a, unsigned b) {
  unsigned n = e->shape.n;
  if (!e->length[node]) e->length[node] = ARENA_ARRAY(e->arena, int, (size_t)n *n);
  int *known = &e->length[node][(size_t)a * n + b];
  if (*known < 0) return FAR;
  if (*known) return *known;
  *known = -1;
  int length = find_length(e, node, a, b);
  *known = length;
  return length;
}

/* ---- derivations as edges ---- */

static void expand(struct explainer *e, uint32_t node, unsigned a, unsigned b, bool backwards, int depth);

static void add_edge(struct explainer *e, const char *relation, unsigned a, unsigned b, bool backwards) {
  *vec_push(e->arena, &e->edges) = (struct explained_edge){backwards ? b : a, backwards ? a : b, relation, backwards};
}

/* x; y from a to b, or its mirror image. */
static void expand_seq(struct explainer *e, uint32_t i, unsigned a, unsigned b, bool backwards, int depth) {
  const struct cat_node *node = &e->ir->nodes[i];
  int length;
  unsigned c = best_middle(e, node, a, b, &length);
  if (c >= e->shape.n) {
    add_edge(e, node_text(e, i, 2), a, b, backwards);
    return;
  }
  if (backwards) expand(e, node->b, c, b, true, depth);
  expand(e, node->a, a, c, backwards, depth);
  if (!backwards) expand(e, node->b, c, b, false, depth);
}

static void expand_way(struct explainer *e, uint32_t node, unsigned a, unsigned b, bool backwards, int depth) {
  unsigned n = e->shape.n, before[n], way[n + 1], count = 0;
  if (way_length(e, node, a, b, before) >= FAR) {
    add_edge(e, node_text(e, node, 2), a, b, backwards);
    return;
  }
  way[count++] = b;
  for (unsigned at = before[b]; count <= n; at = before[at]) {
    way[count++] = at;
    if (at == a) break;
  }
  for (unsigned k = 0; k + 1 < count; k++) {
    unsigned i = backwards ? k : count - 2 - k;
    expand(e, node, way[i + 1], way[i], backwards, depth);
  }
}

static void expand_node(struct explainer *e, uint32_t i, unsigned a, unsigned b, bool backwards, int depth) {
  const struct cat_node *node = &e->ir->nodes[i];
  switch (node->op) {
    case CAT_UNION:
      expand(e, shorter_operand(e, node, a, b), a, b, backwards, depth);
      return;
    case CAT_INTER:
      expand(e, telling_operand(e, node, a, b), a, b, backwards, depth);
      return;
    case CAT_DIFF:
    case CAT_REC:
      expand(e, node->a, a, b, backwards, depth);
      return;
    case CAT_INVERSE:
      expand(e, node->a, b, a, !backwards, depth);
      return;
    case CAT_SEQ:
      expand_seq(e, i, a, b, backwards, depth);
      return;
    case CAT_OPT:
      if (a != b) expand(e, node->a, a, b, backwards, depth);
      return;
    case CAT_STAR:
      if (a != b) expand_way(e, node->a, a, b, backwards, depth);
      return;
    case CAT_PLUS:
      expand_way(e, node->a, a, b, backwards, depth);
      return;
    case CAT_TOID:
      return;
    case CAT_BASE:
      add_edge(e, base_name(e->arena, node), a, b, backwards);
      return;
    default:
      add_edge(e, node_text(e, i, 2), a, b, backwards);
      return;
  }
}

/* Appends the edges of the derivation of (a, b), from b to a when `backwards`;
 * remembers the stretch when the model has a name for it. */
static void expand(struct explainer *e, uint32_t node, unsigned a, unsigned b, bool backwards, int depth) {
  const char *name = e->ir->nodes[node].name;
  size_t before = e->edges.count;
  if (depth <= 0)
    add_edge(e, node_text(e, node, 2), a, b, backwards);
  else
    expand_node(e, node, a, b, backwards, depth - 1);
  if (name && e->edges.count > before && e->strength[node] == COMMUNICATES) {
    enum cat_op op = e->ir->nodes[node].op;
    *vec_push(e->arena, &e->spans) = (struct explained_span){a, b, name, op == CAT_PLUS || op == CAT_STAR};
  }
}

/* ---- checks ---- */

enum { EXPAND_DEPTH = 4000 };

/* The event on the shortest cycle of the relation; n: none. */
static unsigned cycle_start(struct explainer *e, uint32_t node) {
  unsigned n = e->shape.n, before[n], best = n;
  int shortest = FAR;
  for (unsigned a = 0; a < n; a++) {
    int length = way_length(e, node, a, a, before);
    if (length < shortest) shortest = length, best = a;
  }
  return best;
}

static unsigned loop_start(struct explainer *e, uint32_t node) {
  unsigned best = e->shape.n;
  int shortest = FAR + 1;
  for (unsigned a = 0; a < e->shape.n; a++) {
    if (!related(e, node, a, a)) continue;
    int length = length_of(e, node, a, a);
    if (length < shortest) shortest = length, best = a;
  }
  return best;
}

static void explain_cycle(struct explainer *e, struct explanation *out, uint32_t node, bool single) {
  unsigned a = single ? loop_start(e, node) : cycle_start(e, node);
  if (a == e->shape.n) return;
  out->kind = EXPLAINED_CYCLE;
  out->first = out->second = a;
  if (single)
    expand(e, node, a, a, false, EXPAND_DEPTH);
  else
    expand_way(e, node, a, a, false, EXPAND_DEPTH);
}

static void explain_member(struct explainer *e, struct explanation *out, uint32_t node) {
  const struct cat_node *what = &e->ir->nodes[node];
  for (unsigned a = 0; a < e->shape.n; a++) {
    if (what->type == CAT_SET) {
      if (!set_has(e->v->value[node], a)) continue;
      *out = (struct explanation){.check = out->check, .kind = EXPLAINED_EVENT, .first = a, .second = a};
      return;
    }
    for (unsigned b = 0; b < e->shape.n; b++) {
      if (!related(e, node, a, b)) continue;
      out->kind = a == b ? EXPLAINED_EVENT : EXPLAINED_PAIR;
      out->first = a;
      out->second = b;
      if (e->strength[node] != RESTRICTS && out->check->role == ROLE_REQUIRE)
        expand(e, node, a, b, false, EXPAND_DEPTH);
      return;
    }
  }
}

struct explanation *explain(struct arena *arena, const struct valuation *v, const struct execution *x,
                            const struct cat_check *check) {
  struct explainer e = {.arena = arena, .v = v, .ir = v->ir, .shape = v->shape, .x = x};
  e.length = ARENA_ARRAY(arena, int *, v->ir->node_count);
  find_strengths(&e);
  struct explanation *out = ARENA_MAKE(arena, struct explanation, .check = check, .kind = EXPLAINED_NOTHING);
  switch (check->kind) {
    case CHECK_ACYCLIC:
      explain_cycle(&e, out, check->node, false);
      break;
    case CHECK_IRREFLEXIVE:
      explain_cycle(&e, out, check->node, true);
      break;
    case CHECK_EMPTY:
      explain_member(&e, out, check->node);
      break;
  }
  out->edges = e.edges.at;
  out->edge_count = e.edges.count;
  out->spans = e.spans.at;
  out->span_count = e.spans.count;
  return out;
}

/* ---- candidates that teach little ---- */

bool explain_is_trivial(struct arena *scratch, const struct execution *x) {
  struct shape s = x->shape;
  size_t words = rel_words(s);
  const word *fr = execution_base(scratch, x, BASE_FR, 0), *loc = execution_base(scratch, x, BASE_LOC, 0);
  word *order = ARENA_ARRAY(scratch, word, words), *between = ARENA_ARRAY(scratch, word, words);
  words_and(words, order, x->po, loc);
  words_or(words, order, order, x->rf);
  words_or(words, order, order, x->co);
  words_or(words, order, order, fr);
  rel_compose(s, between, fr, x->co);
  word row[s.w];
  return !rel_acyclic(s, order, row) || words_meet(words, between, x->rmw);
}

/* ---- text ---- */

const char *check_statement(struct arena *arena, const struct cat_check *check) {
  if (!check->source || !check->span.length)
    return arena_printf(arena, "%s %s", cat_check_word(check->kind), check->name);
  const char *text = check->source->text + check->span.at;
  char *line = arena_strndup(arena, text, check->span.length);
  size_t length = 0;
  for (const char *p = line; *p; p++) {
    char c = strchr("\t\r\n", *p) ? ' ' : *p;
    if (c != ' ' || (length && line[length - 1] != ' ')) line[length++] = c;
  }
  while (length && line[length - 1] == ' ') length--;
  line[length] = '\0';
  return line;
}

static void print_edges(const struct explanation *e, const struct execution *x, FILE *out) {
  fputs("    ", out);
  event_print_placed(x->program, &x->events[e->edges[0].from], out);
  for (size_t i = 0; i < e->edge_count; i++) {
    fprintf(out, "\n      --%s%s--> ", e->edges[i].relation, e->edges[i].backwards ? "^-1" : "");
    event_print_placed(x->program, &x->events[e->edges[i].to], out);
  }
  fputc('\n', out);
}

/* What a named stretch adds: it links two threads, is no closure (whose steps
 * are there to see), and is the outermost of its ends' names. */
static bool worth_telling(const struct explanation *e, const struct execution *x, size_t i) {
  const struct explained_span *span = &e->spans[i];
  if (span->closure || x->events[span->from].thread == x->events[span->to].thread) return false;
  for (size_t j = 0; j < e->span_count; j++) {
    const struct explained_span *other = &e->spans[j];
    if (other->from == span->from && other->to == span->to && (j > i || other->closure)) return false;
  }
  return true;
}

/* Is an edge part of a stretch whose name is told? */
static bool is_covered(const struct explanation *e, const struct execution *x, size_t edge) {
  for (size_t i = 0; i < e->span_count; i++) {
    if (!worth_telling(e, x, i)) continue;
    size_t from = edge + 1, to = edge;
    while (from > 0 && e->edges[from - 1].from != e->spans[i].from) from--;
    while (to < e->edge_count && e->edges[to].to != e->spans[i].to) to++;
    if (from > 0 && to < e->edge_count) return true;
  }
  return false;
}

const char *explanation_relations(struct arena *arena, const struct explanation *e, const struct execution *x) {
  VEC(const char *) names = {0};
  for (size_t i = 0; i < e->span_count; i++)
    if (worth_telling(e, x, i)) *vec_push(arena, &names) = e->spans[i].name;
  for (size_t i = 0; i < e->edge_count; i++)
    if (x->events[e->edges[i].from].thread != x->events[e->edges[i].to].thread && !is_covered(e, x, i))
      *vec_push(arena, &names) = e->edges[i].relation;
  if (names.count) qsort(names.at, names.count, sizeof *names.at, text_compare);
  const char *text = "";
  for (size_t i = 0; i < names.count; i++)
    if (!i || strcmp(names.at[i], names.at[i - 1]) != 0)
      text = arena_printf(arena, "%s%s%s", text, i ? ", " : "", names.at[i]);
  return text;
}

static void print_spans(const struct explanation *e, const struct execution *x, FILE *out) {
  for (size_t i = 0; i < e->span_count; i++) {
    if (!worth_telling(e, x, i)) continue;
    fprintf(out, "      %s: ", e->spans[i].name);
    event_print_placed(x->program, &x->events[e->spans[i].from], out);
    fputs(" to ", out);
    event_print_placed(x->program, &x->events[e->spans[i].to], out);
    fputc('\n', out);
  }
}

void explanation_print(const struct explanation *e, const struct execution *x, FILE *out) {
  if (e->edge_count) {
    print_edges(e, x, out);
    print_spans(e, x, out);
  } else if (e->kind != EXPLAINED_NOTHING) {
    fputs("    ", out);
    event_print_placed(x->program, &x->events[e->first], out);
    if (e->kind == EXPLAINED_PAIR) {
      fputs(" and ", out);
      event_print_placed(x->program, &x->events[e->second], out);
    }
    fputc('\n', out);
  }
}
