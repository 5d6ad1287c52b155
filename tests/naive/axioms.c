/* SPDX-License-Identifier: MIT */
/* A model on one candidate, by the book: every relation a matrix of bool,
 * every operator its definition. */
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "naive.h"

struct value {
  bool at[MAX_EVENTS][MAX_EVENTS]; /* a set is its diagonal */
};

struct judge {
  const struct cat_model *model;
  const struct candidate *c;
  struct arena *scratch; /* for the interpreter */
  struct value *values;  /* by node */
  uint32_t ready;        /* nodes below have been evaluated */
};

#define EACH(c, a) for (int a = 0; a < (c)->count; a++)
#define EACH_PAIR(c, a, b) EACH(c, a) EACH(c, b)

/* ---- predefined names ---- */

static bool is_access(const struct naive_event *e) {
  return e->kind == KIND_READ || e->kind == KIND_WRITE;
}

static bool is_atomic(const struct naive_event *e) {
  return is_access(e) && e->thread >= 0 && e->order != ORDER_NA;
}

/* The location of an access is declared atomic. */
static bool on_atomic(const struct candidate *c, const struct naive_event *e) {
  return e->location >= 0 && c->program->locations[e->location].atomic;
}

static bool is_final(const struct candidate *c, int a) {
  if (c->events[a].kind != KIND_WRITE || !c->co_chosen) return false;
  EACH(c, b)
  if (naive_in_co(c, a, b)) return false;
  return true;
}

static bool in_set(const struct candidate *c, enum cat_base base, int a) {
  const struct naive_event *e = &c->events[a];
  bool barrier = e->entry || e->exit;
  switch (base) {
    case BASE_ALL_EVENTS:
      return true;
    case BASE_R:
      return e->kind == KIND_READ;
    case BASE_W:
      return e->kind == KIND_WRITE;
    case BASE_M:
      return is_access(e);
    case BASE_F:
      return e->kind == KIND_FENCE;
    case BASE_IW:
      return e->thread < 0;
    case BASE_FW:
      return is_final(c, a);
    case BASE_A:
      return is_atomic(e);
    case BASE_NA:
      return is_access(e) && !is_atomic(e);
    case BASE_RMW_SET:
      return e->rmw_read || e->rmw_write;
    case BASE_RLX:
      return e->order == ORDER_RLX;
    case BASE_CON:
      return e->order == ORDER_CON;
    case BASE_ACQ:
      return e->order == ORDER_ACQ;
    case BASE_REL:
      return e->order == ORDER_REL;
    case BASE_ACQ_REL:
      return e->order == ORDER_ACQ_REL;
    case BASE_SC:
      return e->order == ORDER_SC;
    case BASE_S_WI:
      return e->scope == SCOPE_WI;
    case BASE_S_SG:
      return e->scope == SCOPE_SG;
    case BASE_S_WG:
      return e->scope == SCOPE_WG;
    case BASE_S_QF:
      return e->scope == SCOPE_QF;
    case BASE_S_DEV:
      return e->scope == SCOPE_DEV;
    case BASE_S_SYS:
      return e->scope == SCOPE_SYS;
    case BASE_G:
      return e->regions & REGION_GLOBAL;
    case BASE_L:
      return e->regions & REGION_LOCAL;
    case BASE_NAL:
      return e->location >= 0 && !on_atomic(c, e);
    case BASE_AL:
      return on_atomic(c, e);
    case BASE_ENTRY_FENCE:
      return barrier && e->entry;
    case BASE_EXIT_FENCE:
      return barrier && e->exit;
    default:
      return false;
  }
}

/* Same instance of a level of the scope tree. */
static bool same_instance(const struct candidate *c, enum cat_base base, int a, int b) {
  int s = c->events[a].thread, t = c->events[b].thread;
  if (s < 0 || t < 0) return a == b;
  const struct thread *x = &c->program->threads[s], *y = &c->program->threads[t];
  switch (base) {
    case BASE_WI:
      return s == t;
    case BASE_SGR:
      return x->sg == y->sg;
    case BASE_WGR:
      return x->wg == y->wg;
    case BASE_QFR:
      return x->qf == y->qf;
    case BASE_DEV:
      return x->dev == y->dev;
    default:
      return true;
  }
}

static bool same_barrier(const struct candidate *c, const struct naive_event *x, const struct naive_event *y) {
  return (x->entry || x->exit) && (y->entry || y->exit) && x->label == y->label && x->round == y->round &&
         c->program->threads[x->thread].wg == c->program->threads[y->thread].wg;
}

/* b depends, by the list `on`, on what a read. */
static bool depends(const struct naive_event *x, int a, const struct naive_event *y, const bool *on) {
  int local = a - x->first;
  return x->thread >= 0 && x->thread == y->thread && x->kind == KIND_READ && on[local];
}

/* The scope of a reaches the thread of b. */
static bool reaches(const struct candidate *c, int a, int b) {
  switch (c->events[a].scope) {
    case SCOPE_WI:
      return c->events[a].thread == c->events[b].thread;
    case SCOPE_SG:
      return same_instance(c, BASE_SGR, a, b);
    case SCOPE_WG:
      return same_instance(c, BASE_WGR, a, b);
    case SCOPE_QF:
      return same_instance(c, BASE_QFR, a, b);
    case SCOPE_DEV:
      return same_instance(c, BASE_DEV, a, b);
    default:
      return c->events[a].scope == SCOPE_SYS;
  }
}

bool naive_inclusive(const struct candidate *c, int a, int b) {
  return c->events[a].thread >= 0 && c->events[b].thread >= 0 && reaches(c, a, b) && reaches(c, b, a);
}

static bool same_address(const struct candidate *c, int a, int b) {
  const struct naive_event *x = &c->events[a], *y = &c->events[b];
  if (x->location < 0 || y->location < 0) return false;
  if (x->thread < 0 || y->thread < 0) return a == b;
  return program_generic(c->program, (unsigned)x->name) == program_generic(c->program, (unsigned)y->name);
}

static bool in_rel(const struct candidate *c, enum cat_base base, int a, int b) {
  const struct naive_event *x = &c->events[a], *y = &c->events[b];
  switch (base) {
    case BASE_ID:
      return a == b;
    case BASE_UNV:
      return true;
    case BASE_PO:
      return x->thread >= 0 && x->thread == y->thread && a < b;
    case BASE_LOC:
      return x->location >= 0 && x->location == y->location;
    case BASE_INT:
      return x->thread >= 0 && x->thread == y->thread;
    case BASE_EXT:
      return x->thread != y->thread;
    case BASE_RF:
      return x->kind == KIND_WRITE && y->kind == KIND_READ && c->source[b] == a;
    case BASE_VLOC:
      return same_address(c, a, b);
    case BASE_SR:
      return naive_inclusive(c, a, b);
    case BASE_SYNC_FENCE:
      return c->fences[a][b];
    case BASE_CO:
      return naive_in_co(c, a, b);
    case BASE_FR:
      return a != b && x->kind == KIND_READ && naive_in_co(c, c->source[a], b);
    case BASE_RMW:
      return x->rmw_read && y->rmw_write && x->thread == y->thread && b == a + 1;
    case BASE_ADDR:
      return depends(x, a, y, y->addr);
    case BASE_DATA:
      return depends(x, a, y, y->data);
    case BASE_CTRL:
      return depends(x, a, y, y->ctrl);
    case BASE_WI:
    case BASE_SGR:
    case BASE_WGR:
    case BASE_QFR:
    case BASE_DEV:
    case BASE_SYSR:
      return same_instance(c, base, a, b);
    case BASE_SAME_B:
      return same_barrier(c, x, y) || (c->synchronises[a] && naive_meet(c, a, b));
    default:
      return false;
  }
}

/* Tags with a spelling of this name: one may have the name of a predefined set. */
static tag_set tags_of(const struct cat_node *node) {
  static const char *const SPELLINGS[] = {
#define SPELLING(id, type, names) [BASE_##id] = names,
      CAT_BUILTIN_LIST(SPELLING)
#undef SPELLING
  };
  return tags_named(node->base == BASE_TAG ? node->base_name : SPELLINGS[node->base]);
}

static void fill_base(const struct candidate *c, const struct cat_node *node, struct value *out) {
  tag_set tags = node->type == CAT_SET ? tags_of(node) : 0;
  EACH_PAIR(c, a, b)
  out->at[a][b] = node->type == CAT_SET ? a == b && (c->events[a].tags & tags || in_set(c, node->base, a))
                                        : in_rel(c, node->base, a, b);
}

/* ---- operators ---- */

static void compose(const struct candidate *c, struct value *out, const struct value *x, const struct value *y) {
  memset(out, 0, sizeof *out);
  EACH_PAIR(c, a, b)
  if (x->at[a][b]) EACH(c, d) out->at[a][d] |= y->at[b][d];
}

static void close(const struct candidate *c, struct value *r) {
  for (bool changed = true; changed;) {
    changed = false;
    EACH_PAIR(c, a, b)
    if (r->at[a][b]) EACH(c, d)
    if (r->at[b][d] && !r->at[a][d]) changed = r->at[a][d] = true;
  }
}

static void apply(const struct judge *j, const struct cat_node *node, struct value *out) {
  const struct candidate *c = j->c;
  const struct value *x = &j->values[node->a], *y = &j->values[node->b];
  bool set = node->type == CAT_SET;
  switch (node->op) {
    case CAT_BASE:
      fill_base(c, node, out);
      return;
    case CAT_EMPTY:
    case CAT_CHOSEN: /* only hints stand on it, which nobody here asks */
      memset(out, 0, sizeof *out);
      return;
    case CAT_UNION:
      EACH_PAIR(c, a, b) out->at[a][b] = x->at[a][b] || y->at[a][b];
      return;
    case CAT_INTER:
      EACH_PAIR(c, a, b) out->at[a][b] = x->at[a][b] && y->at[a][b];
      return;
    case CAT_DIFF:
      EACH_PAIR(c, a, b) out->at[a][b] = x->at[a][b] && !y->at[a][b];
      return;
    case CAT_COMPL:
      EACH_PAIR(c, a, b) out->at[a][b] = !x->at[a][b] && (!set || a == b);
      return;
    case CAT_SEQ:
      compose(c, out, x, y);
      return;
    case CAT_INVERSE:
      EACH_PAIR(c, a, b) out->at[a][b] = x->at[b][a];
      return;
    case CAT_OPT:
      EACH_PAIR(c, a, b) out->at[a][b] = x->at[a][b] || a == b;
      return;
    case CAT_PLUS:
      *out = *x;
      close(c, out);
      return;
    case CAT_STAR:
      *out = *x;
      close(c, out);
      EACH(c, a) out->at[a][a] = true;
      return;
    case CAT_TOID:
      *out = *x;
      return;
    case CAT_CROSS:
      EACH_PAIR(c, a, b) out->at[a][b] = x->at[a][a] && y->at[b][b];
      return;
    case CAT_DOMAIN:
      memset(out, 0, sizeof *out);
      EACH_PAIR(c, a, b) out->at[a][a] |= x->at[a][b];
      return;
    case CAT_RANGE:
      memset(out, 0, sizeof *out);
      EACH_PAIR(c, a, b) out->at[b][b] |= x->at[a][b];
      return;
    case CAT_REC:
      return; /* set by its group's loop */
  }
}

static bool equal(const struct candidate *c, const struct value *x, const struct value *y) {
  EACH_PAIR(c, a, b)
  if (x->at[a][b] != y->at[a][b]) return false;
  return true;
}

/* Least fixpoint of the recursive group [first, end). */
static void solve(const struct judge *j, const struct cat_ir *ir, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (ir->nodes[i].op == CAT_REC) memset(&j->values[i], 0, sizeof j->values[i]);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = first; i < end; i++)
      if (ir->nodes[i].op != CAT_REC) apply(j, &ir->nodes[i], &j->values[i]);
    for (uint32_t i = first; i < end; i++) {
      if (ir->nodes[i].op != CAT_REC || equal(j->c, &j->values[i], &j->values[ir->nodes[i].a])) continue;
      j->values[i] = j->values[ir->nodes[i].a];
      changed = true;
    }
  }
}

/* Evaluates all nodes up to `last` that are not yet. */
static void evaluate_up_to(struct judge *j, const struct cat_ir *ir, uint32_t last) {
  while (j->ready <= last) {
    uint32_t i = j->ready;
    if (ir->nodes[i].op == CAT_REC) {
      solve(j, ir, i, ir->nodes[i].group_end);
      j->ready = ir->nodes[i].group_end;
    } else {
      apply(j, &ir->nodes[i], &j->values[i]);
      j->ready++;
    }
  }
}

static bool condition(struct judge *j, const struct cat_ir *ir, const struct cat_check *check) {
  const struct candidate *c = j->c;
  evaluate_up_to(j, ir, check->node);
  struct value r = j->values[check->node];
  bool holds = true;
  if (check->kind == CHECK_ACYCLIC) close(c, &r);
  if (check->kind == CHECK_EMPTY)
    EACH_PAIR(c, a, b) holds &= !r.at[a][b];
  else
    EACH(c, a) holds &= !r.at[a][a];
  return holds != check->negated;
}

/* ---- models that need the interpreter ---- */

static const word *base_value(void *context, const struct cat_node *node) {
  enum cat_base base = node->base;
  tag_set tags = tags_of(node);
  const struct judge *j = context;
  static const struct {
    enum cat_base base;
    enum cat_type type;
  } TYPES[] = {
#define BASE_TYPE(id, kind, names) {BASE_##id, kind},
      CAT_BUILTIN_LIST(BASE_TYPE)
#undef BASE_TYPE
  };
  struct shape s = shape_of((unsigned)j->c->count);
  bool set = TYPES[base].type == CAT_SET;
  word *words = ARENA_ARRAY(j->scratch, word, set ? set_words(s) : rel_words(s));
  EACH(j->c, a) {
    if (set && (j->c->events[a].tags & tags || in_set(j->c, base, a))) set_add(words, (unsigned)a);
    if (!set) EACH(j->c, b)
    if (in_rel(j->c, base, a, b)) rel_add(s, words, (unsigned)a, (unsigned)b);
  }
  return words;
}

/* Names of flags that say that a program is undefined.  Uniform races have a meaning in PTX. */
static bool means_undefined(const char *name) {
  static const char *const WORDS[] = {"race", "racy", "undef", "diverg", "unsequenced"};
  if (!strncmp(name, "uniform", strlen("uniform"))) return false;
  for (size_t i = 0; i < ARRAY_COUNT(WORDS); i++)
    if (strcasestr(name, WORDS[i])) return true;
  return false;
}

/* What is raised makes the execution bad: a failed undefined_unless always, a
 * flag by its name. */
static bool is_bad(const struct cat_ir *ir, const char *name) {
  for (uint32_t i = 0; i < ir->check_count; i++)
    if (ir->checks[i].role == ROLE_UNDEFINED && !strcmp(ir->checks[i].name, name)) return true;
  return means_undefined(name);
}

struct ways {
  const struct cat_ir *ir;
  unsigned count, bad;
};

static void count_way(void *context, const struct cat_outcome *outcome) {
  struct ways *ways = context;
  bool bad = false;
  for (unsigned i = 0; i < outcome->raised_count; i++) bad |= is_bad(ways->ir, outcome->raised[i]);
  ways->count++;
  ways->bad += bad;
}

static unsigned interpret(struct judge *j, unsigned *bad) {
  j->scratch = arena_new();
  struct cat_env env = {.shape = shape_of((unsigned)j->c->count), .base = base_value, .context = j};
  struct ways ways = {.ir = &j->model->ir};
  cat_interpret(j->model, &env, j->scratch, count_way, &ways, NULL);
  arena_free(j->scratch);
  *bad = ways.bad;
  return ways.count;
}

static bool is_consistent(struct judge *j, const struct cat_ir *ir) {
  for (uint32_t i = 0; i < ir->check_count; i++)
    if (ir->checks[i].role == ROLE_REQUIRE && !condition(j, ir, &ir->checks[i])) return false;
  return true;
}

static bool raises_undefined(struct judge *j, const struct cat_ir *ir) {
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *check = &ir->checks[i];
    if (check->role == ROLE_UNDEFINED && !condition(j, ir, check)) return true;
    if (check->role == ROLE_FLAG && means_undefined(check->name) && condition(j, ir, check)) return true;
  }
  return false;
}

struct judge *naive_judge_new(struct arena *arena, const struct cat_model *model) {
  struct judge *j = ARENA_NEW(arena, struct judge);
  j->model = model;
  j->values = ARENA_ARRAY(arena, struct value, model->ir.node_count);
  return j;
}

unsigned naive_judge(struct judge *j, const struct candidate *candidate, unsigned *bad) {
  j->c = candidate;
  j->ready = 0;
  if (j->model->ir.dynamic) return interpret(j, bad);
  bool consistent = is_consistent(j, &j->model->ir);
  *bad = consistent && raises_undefined(j, &j->model->ir);
  return consistent;
}
