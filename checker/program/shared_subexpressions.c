/* SPDX-License-Identifier: MIT */
/* Numbers of parts, by their addresses; and walks that only look at each part. */
#include "checker/program/shared_subexpressions.h"

uint32_t shared_subexpression(struct shared_subexpressions *parts, const struct expr *part, bool *again) {
  uint64_t hash = hash_bytes(&part, sizeof part);
  *again = true;
  HASH_EACH (at, &parts->table, hash)
    if (parts->list.at[hash_number(&parts->table, at)] == part) return hash_number(&parts->table, at);
  *again = false;
  hash_add(parts->arena, &parts->table, hash, (uint32_t)parts->list.count);
  *vec_push(parts->arena, &parts->list) = part;
  return (uint32_t)parts->list.count - 1;
}

/* ---- Every part ------------------------------------------------------------------------- */

struct walk {
  bool (*visit)(void *context, const struct expr *part);
  void *context;
  struct shared_subexpressions *seen; /* NULL: a part is visited as often as it occurs */
};

static bool visit_parts(const struct walk *w, const struct expr *e) {
  bool again = false;
  if (!e) return true;
  if (w->seen && e->a) shared_subexpression(w->seen, e, &again);
  return again || (w->visit(w->context, e) && visit_parts(w, e->a) && visit_parts(w, e->b) && visit_parts(w, e->c));
}

bool expr_visit(const struct expr *e, bool (*visit)(void *context, const struct expr *part), void *context) {
  struct walk w = {visit, context, NULL};
  if (!e || !expr_is_large(e)) return visit_parts(&w, e);
  struct shared_subexpressions seen = {.arena = arena_new()};
  w.seen = &seen;
  bool all = visit_parts(&w, e);
  arena_free(seen.arena);
  return all;
}

static bool holds_not(void *context, const struct expr *part) {
  bool (*const *holds)(const struct expr *) = context;
  return !(*holds)(part);
}

bool expr_has(const struct expr *e, bool (*holds)(const struct expr *part)) {
  return !expr_visit(e, holds_not, &holds);
}

struct register_visit {
  bool (*visit)(void *context, unsigned reg);
  void *context;
};

static bool visit_register(void *context, const struct expr *part) {
  const struct register_visit *v = context;
  return part->kind != EXPR_REG || v->visit(v->context, part->reg);
}

bool expr_registers(const struct expr *e, bool (*visit)(void *context, unsigned reg), void *context) {
  struct register_visit v = {visit, context};
  return expr_visit(e, visit_register, &v);
}

/* ---- The same expression ---------------------------------------------------------------- */

struct comparison {
  bool (*same_register)(void *context, unsigned a, unsigned b); /* NULL: those of one number are */
  void *context;
  struct arena *arena;     /* of large expressions; NULL: they are not */
  struct hash_table pairs; /* of their parts that are being compared, or were found to be the same */
};

static bool are_same(struct comparison *c, const struct expr *a, const struct expr *b) {
  if (!a || !b || (a == b && !c->same_register)) return a == b;
  if (a->kind != b->kind || a->value != b->value || a->size != b->size) return false;
  if (a->kind == EXPR_REG) return c->same_register ? c->same_register(c->context, a->reg, b->reg) : a->reg == b->reg;
  const struct expr *pair[] = {a, b};
  if (c->arena && a->a && !hash_is_new(c->arena, &c->pairs, hash_bytes(pair, sizeof pair))) return true;
  return are_same(c, a->a, b->a) && are_same(c, a->b, b->b) && are_same(c, a->c, b->c);
}

bool expr_same_but_for(const struct expr *a, const struct expr *b,
                       bool (*same_register)(void *context, unsigned a, unsigned b), void *context) {
  struct comparison c = {.same_register = same_register, .context = context};
  if (a && b && expr_is_large(a) && expr_is_large(b)) c.arena = arena_new();
  bool same = are_same(&c, a, b);
  if (c.arena) arena_free(c.arena);
  return same;
}

bool expr_same(const struct expr *a, const struct expr *b) {
  return expr_same_but_for(a, b, NULL, NULL);
}
