/* SPDX-License-Identifier: MIT */
/* The lost update, and a model's axioms on it: see rmw_atomicity.h. */
#include "checker/cat/rmw_atomicity.h"

#include "checker/cat/node_operators.h"

/* The events of the lost update. */
enum { INITIAL, READ1, WRITE1, READ2, WRITE2, EVENTS };

enum bound { LEAST, MOST, BOUNDS };

/* A model's nodes on the lost update. */
struct trial {
  const struct graph *graph;
  struct shape shape;
  const bool *used;     /* by node: does the check stand on it? */
  word **value[BOUNDS]; /* by node; NULL: not used */
  bool joined;          /* rmw joins the halves; else it is empty */
};

static const struct cat_node *ir_node(const struct graph *graph, uint32_t node) {
  return &graph_at(graph, node)->ir;
}

static bool is_variable(const struct graph *graph, uint32_t node) {
  return ir_node(graph, node)->op == CAT_REC;
}

/* The nodes that a check stands on. */
static bool *used_by(const struct graph *graph, const struct cat_check *check, struct arena *arena) {
  bool *used = ARENA_ARRAY(arena, bool, graph->count);
  graph_mark(graph, used, ARENA_ARRAY(arena, uint32_t, graph->count), check->node);
  return used;
}

/* ---- predefined names ------------------------------------------------- */

#define IN(event) (1u << (event))

/* A predefined set; false: the operations may be in it or not. */
static bool set_known(enum cat_base base, unsigned *events) {
  unsigned halves = IN(READ1) | IN(WRITE1) | IN(READ2) | IN(WRITE2);
  switch (base) {
    case BASE_ALL_EVENTS:
    case BASE_M:
      return *events = halves | IN(INITIAL), true;
    case BASE_R:
      return *events = IN(READ1) | IN(READ2), true;
    case BASE_W:
      return *events = IN(INITIAL) | IN(WRITE1) | IN(WRITE2), true;
    case BASE_RMW_SET:
    case BASE_A:
      return *events = halves, true;
    case BASE_IW:
    case BASE_NA:
      return *events = IN(INITIAL), true;
    case BASE_FW:
      return *events = IN(WRITE2), true;
    case BASE_F:
    case BASE_B:
    case BASE_ENTRY_FENCE:
    case BASE_EXIT_FENCE:
      return *events = 0, true;
    default:
      return false;
  }
}

struct pair {
  unsigned a, b;
};

static const struct pair HALVES[] = {{READ1, WRITE1}, {READ2, WRITE2}};
static const struct pair READS_FROM[] = {{INITIAL, READ1}, {INITIAL, READ2}};
static const struct pair COHERENCE[] = {{INITIAL, WRITE1}, {INITIAL, WRITE2}, {WRITE1, WRITE2}};
static const struct pair FROM_READS[] = {{READ1, WRITE1}, {READ1, WRITE2}, {READ2, WRITE1}, {READ2, WRITE2}};

#define ADD(out, pairs) add_pairs(t->shape, out, pairs, sizeof(pairs) / sizeof *(pairs))

static void add_pairs(struct shape shape, word *out, const struct pair *pairs, size_t count) {
  for (size_t i = 0; i < count; i++) rel_add(shape, out, pairs[i].a, pairs[i].b);
}

static unsigned thread_of(unsigned event) {
  return (event + 1) / 2; /* 0: the initial write */
}

/* Events of one thread, or of two. */
static void add_threads(const struct trial *t, word *out, bool same) {
  for (unsigned a = 0; a < EVENTS; a++)
    for (unsigned b = 0; b < EVENTS; b++)
      if (same ? a != INITIAL && thread_of(a) == thread_of(b) : thread_of(a) != thread_of(b))
        rel_add(t->shape, out, a, b);
}

/* Adds a predefined relation; false: any pair may be in it. */
static bool add_relation(const struct trial *t, enum cat_base base, word *out) {
  switch (base) {
    case BASE_ID:
      return rel_identity(t->shape, out), true;
    case BASE_UNV:
    case BASE_LOC:
      return rel_fill(t->shape, out), true;
    case BASE_PO:
      return ADD(out, HALVES), true;
    case BASE_RMW:
      if (t->joined) ADD(out, HALVES);
      return true;
    case BASE_RF:
      return ADD(out, READS_FROM), true;
    case BASE_CO:
      return ADD(out, COHERENCE), true;
    case BASE_FR:
      return ADD(out, FROM_READS), true;
    case BASE_INT:
    case BASE_EXT:
      return add_threads(t, out, base == BASE_INT), true;
    case BASE_SAME_B:
    case BASE_SYNC_FENCE:
    case BASE_LAUNCH:
      return true;
    default:
      return false;
  }
}

static void set_base(const struct trial *t, uint32_t node) {
  const struct cat_node *ir = ir_node(t->graph, node);
  word *least = t->value[LEAST][node], *most = t->value[MOST][node];
  if (ir->type == CAT_SET) {
    unsigned events;
    if (set_known(ir->base, &events)) {
      least[0] = most[0] = events;
    } else {
      set_fill(t->shape, most);
    }
    return;
  }
  bool dependency = ir->base == BASE_ADDR || ir->base == BASE_DATA || ir->base == BASE_CTRL;
  if (dependency) {
    ADD(most, HALVES);
  } else if (add_relation(t, ir->base, least)) {
    words_copy(rel_words(t->shape), most, least);
  } else {
    rel_fill(t->shape, most);
  }
}

/* ---- operations ------------------------------------------------------- */

static void operate(const struct trial *t, uint32_t node) {
  const struct cat_node *ir = ir_node(t->graph, node);
  bool turns_a = ir->op == CAT_COMPL, turns_b = ir->op == CAT_DIFF;
  unsigned count = cat_operand_count(ir->op);
  for (int i = LEAST; i < BOUNDS; i++) {
    const word *a = count > 0 ? t->value[turns_a ? MOST - i : i][ir->a] : NULL;
    const word *b = count > 1 ? t->value[turns_b ? MOST - i : i][ir->b] : NULL;
    node_apply(t->shape, ir, MASK_NONE, t->value[i][node], a, b);
  }
}

static void evaluate(const struct trial *t, uint32_t first, uint32_t end);

/* Takes over what the bodies of the variables from `first` have come to; false: nothing new. */
static bool grow(const struct trial *t, uint32_t first, uint32_t variables) {
  bool grew = false;
  for (uint32_t node = first; node < variables; node++) {
    if (!t->used[node]) continue;
    const struct cat_node *ir = ir_node(t->graph, node);
    size_t words = node_words(t->shape, ir->type);
    for (int i = LEAST; i < BOUNDS; i++) {
      grew |= !words_within(words, t->value[i][ir->a], t->value[i][node]);
      words_or(words, t->value[i][node], t->value[i][node], t->value[i][ir->a]);
    }
  }
  return grew;
}

/* A recursive group, by iteration from empty.  Returns where it ends. */
static uint32_t evaluate_group(const struct trial *t, uint32_t first) {
  uint32_t end = ir_node(t->graph, first)->group_end, variables = first;
  for (; variables < end && is_variable(t->graph, variables) && ir_node(t->graph, variables)->group_end == end;
       variables++)
    for (int i = LEAST; i < BOUNDS && t->used[variables]; i++)
      words_clear(node_words(t->shape, graph_type(t->graph, variables)), t->value[i][variables]);
  do evaluate(t, variables, end);
  while (grow(t, first, variables));
  return end;
}

static void evaluate(const struct trial *t, uint32_t first, uint32_t end) {
  for (uint32_t node = first; node < end; node++) {
    if (!t->used[node]) continue;
    enum cat_op op = ir_node(t->graph, node)->op;
    if (op == CAT_REC)
      node = evaluate_group(t, node) - 1;
    else if (op == CAT_BASE)
      set_base(t, node);
    else if (op != CAT_CHOSEN && (int)op != GRAPH_LEAF) /* what is chosen stays empty */
      operate(t, node);
  }
}

/* ---- checks ----------------------------------------------------------- */

/* May the axiom fail on the lost update? */
static bool may_fail(const struct graph *graph, const struct cat_check *check, const bool *used, bool joined,
                     struct arena *scratch) {
  struct trial t = {.graph = graph, .shape = shape_of(EVENTS), .used = used, .joined = joined};
  for (int i = LEAST; i < BOUNDS; i++) {
    t.value[i] = ARENA_ARRAY(scratch, word *, graph->count);
    for (uint32_t node = 0; node < graph->count; node++)
      if (used[node]) t.value[i][node] = ARENA_ARRAY(scratch, word, node_words(t.shape, graph_type(graph, node)));
  }
  evaluate(&t, 0, graph->count);
  word set[1];
  return !node_check(t.shape, check->kind, graph_type(graph, check->node), t.value[MOST][check->node], set);
}

static bool stands_on(const struct graph *graph, const bool *used, enum cat_base base) {
  for (uint32_t node = 0; node < graph->count; node++) {
    const struct cat_node *ir = ir_node(graph, node);
    if (used[node] && ir->op == CAT_BASE && ir->base == base) return true;
  }
  return false;
}

static bool demands(const struct graph *graph, const struct cat_check *check, struct arena *scratch) {
  const bool *used = used_by(graph, check, scratch);
  if (!stands_on(graph, used, BASE_RMW)) return false;
  if (!stands_on(graph, used, BASE_CO) && !stands_on(graph, used, BASE_FR)) return false;
  return may_fail(graph, check, used, true, scratch) && !may_fail(graph, check, used, false, scratch);
}

const struct cat_check *atomicity_mentioned(const struct graph *graph, const struct cat_check *checks, size_t count,
                                            struct arena *scratch) {
  for (size_t i = 0; i < count; i++)
    if (stands_on(graph, used_by(graph, &checks[i], scratch), BASE_RMW)) return &checks[i];
  return NULL;
}

bool atomicity_demanded(const struct graph *graph, const struct cat_check *checks, size_t count,
                        struct arena *scratch) {
  for (size_t i = 0; i < count; i++)
    if (checks[i].role == ROLE_REQUIRE && !checks[i].negated && demands(graph, &checks[i], scratch)) return true;
  return false;
}
