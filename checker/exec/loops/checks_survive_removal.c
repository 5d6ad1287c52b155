/* SPDX-License-Identifier: MIT */
/* One walk over the graph, again while a recursive variable, taken to be the same at
 * first, turns out otherwise.
 */
#include "checker/exec/loops/checks_survive_removal.h"

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/exec/loops/spin_leave_out_repeated.h"

static enum removal turned(enum removal r) {
  return r == REMOVAL_LESS ? REMOVAL_MORE : r == REMOVAL_MORE ? REMOVAL_LESS : r;
}

static enum removal both(enum removal a, enum removal b) {
  if (a == REMOVAL_SAME) return b;
  return b == REMOVAL_SAME || a == b ? a : REMOVAL_UNKNOWN;
}

/* ---- Events that are never taken away ------------------------------------------------ */

/* Of each node: a set of such events only; a relation from, and to such events only; a
 * relation of whole threads, each of which has some event left; one of events to themselves, whose other end is left
 * where one is. */
struct stays {
  bool *set, *from, *to, *threads, *itself;
};

static bool base_set_stays(enum cat_base base) {
  return base == BASE_W || base == BASE_IW || base == BASE_FW || base == BASE_RMW_SET || base == BASE_ENTRY_FENCE ||
         base == BASE_EXIT_FENCE || base == BASE_B;
}

/* An asynchronous operation of PTX writes, and a round that writes does not only wait. */
static bool tags_stay(tag_set tags) {
  return tags && !(tags & ~(tag_bit(TAG_DETACHED) | tag_bit(TAG_BEGINS)));
}

static void base_stays(const struct stays *s, uint32_t i, const struct cat_node *node) {
  enum cat_base base = node->base;
  s->set[i] = base_set_stays(base) || (base == BASE_TAG && tags_stay(node->tags));
  s->from[i] = base == BASE_RF || base == BASE_CO || base == BASE_RMW || base == BASE_SAME_B;
  s->to[i] = base == BASE_CO || base == BASE_FR || base == BASE_RMW || base == BASE_SAME_B;
  s->threads[i] = base == BASE_WI || base == BASE_SGR || base == BASE_WGR || base == BASE_QFR || base == BASE_DEV ||
                  base == BASE_SYSR || base == BASE_INT || base == BASE_EXT;
  s->itself[i] = base == BASE_ID;
}

static void set_stays(const struct stays *s, const struct cat_ir *ir, uint32_t i) {
  const struct cat_node *n = &ir->nodes[i];
  if (n->op == CAT_UNION)
    s->set[i] = s->set[n->a] && s->set[n->b];
  else if (n->op == CAT_INTER)
    s->set[i] = s->set[n->a] || s->set[n->b];
  else if (n->op == CAT_DIFF)
    s->set[i] = s->set[n->a];
  else
    s->set[i] = n->op == CAT_DOMAIN ? s->from[n->a] : n->op == CAT_RANGE && s->to[n->a];
}

static void relation_stays(const struct stays *s, const struct cat_ir *ir, uint32_t i) {
  const struct cat_node *n = &ir->nodes[i];
  bool all = n->op == CAT_UNION, some = n->op == CAT_INTER;
  bool *from = &s->from[i], *to = &s->to[i];
  s->threads[i] = (all || some || n->op == CAT_DIFF) && s->threads[n->a] && s->threads[n->b];
  s->itself[i] = n->op == CAT_TOID || (n->op == CAT_DIFF && s->itself[n->a]) ||
                 (some && (s->itself[n->a] || s->itself[n->b])) || (all && s->itself[n->a] && s->itself[n->b]);
  if (all || some) {
    *from = all ? s->from[n->a] && s->from[n->b] : s->from[n->a] || s->from[n->b];
    *to = all ? s->to[n->a] && s->to[n->b] : s->to[n->a] || s->to[n->b];
  } else if (n->op == CAT_SEQ || n->op == CAT_CROSS) {
    *from = n->op == CAT_SEQ ? s->from[n->a] || (s->itself[n->a] && s->from[n->b]) : s->set[n->a];
    *to = n->op == CAT_SEQ ? s->to[n->b] || (s->itself[n->b] && s->to[n->a]) : s->set[n->b];
  } else if (n->op == CAT_TOID) {
    *from = *to = s->set[n->a];
  } else if (n->op == CAT_INVERSE) {
    *from = s->to[n->a];
    *to = s->from[n->a];
  } else if (n->op == CAT_DIFF || n->op == CAT_PLUS) {
    *from = s->from[n->a];
    *to = s->to[n->a];
  }
}

/* Recursive variables are taken to hold any events. */
static struct stays find_stays(struct arena *arena, const struct cat_ir *ir) {
  struct stays s = {ARENA_ARRAY(arena, bool, ir->node_count), ARENA_ARRAY(arena, bool, ir->node_count),
                    ARENA_ARRAY(arena, bool, ir->node_count), ARENA_ARRAY(arena, bool, ir->node_count),
                    ARENA_ARRAY(arena, bool, ir->node_count)};
  for (uint32_t i = 0; i < ir->node_count; i++) {
    const struct cat_node *n = &ir->nodes[i];
    if (n->op == CAT_EMPTY)
      s.set[i] = s.from[i] = s.to[i] = s.itself[i] = true;
    else if (n->op == CAT_BASE)
      base_stays(&s, i, n);
    else if (n->op != CAT_CHOSEN && n->op != CAT_REC)
      (n->type == CAT_SET ? set_stays : relation_stays)(&s, ir, i);
  }
  return s;
}

/* ---- What becomes of nodes ------------------------------------------------------------ */

/* Any order of the set's events that extends a relation can be kept among those that are left. */
static enum removal of_choice(const struct cat_ir *ir, const enum removal *of, uint32_t node) {
  ARRAY_EACH (const struct cat_choice, c, ir->choices, ir->choice_count)
    if (c->node == node && c->orders && of[c->a] == REMOVAL_SAME && of[c->b] <= REMOVAL_LESS) return REMOVAL_SAME;
  return REMOVAL_UNKNOWN;
}

/* An operation that looks for an event between, or at the other end: `stays` if that is never gone. */
static enum removal over(enum removal of, bool stays) {
  return stays || of == REMOVAL_SAME ? (stays ? of : REMOVAL_LESS) : of == REMOVAL_LESS ? of : REMOVAL_UNKNOWN;
}

static enum removal of_node(const struct cat_ir *ir, const struct stays *s, const enum removal *of, uint32_t i) {
  const struct cat_node *n = &ir->nodes[i];
  switch (n->op) {
    case CAT_BASE:
    case CAT_EMPTY:
      return REMOVAL_SAME;
    case CAT_CHOSEN:
      return of_choice(ir, of, i);
    case CAT_UNION:
    case CAT_INTER:
    case CAT_CROSS:
      return both(of[n->a], of[n->b]);
    case CAT_DIFF:
      return both(of[n->a], turned(of[n->b]));
    case CAT_COMPL:
      return turned(of[n->a]);
    case CAT_SEQ:
      return over(both(of[n->a], of[n->b]), s->itself[n->a] || s->itself[n->b] || s->to[n->a] || s->from[n->b]);
    case CAT_PLUS:
    case CAT_STAR:
      return over(of[n->a], s->to[n->a] || s->from[n->a]);
    case CAT_DOMAIN:
      return over(of[n->a], s->to[n->a] || s->threads[n->a] || s->itself[n->a]);
    case CAT_RANGE:
      return over(of[n->a], s->from[n->a] || s->threads[n->a] || s->itself[n->a]);
    case CAT_INVERSE:
    case CAT_OPT:
    case CAT_TOID:
      return of[n->a];
    case CAT_REC:
      return n->grows ? REMOVAL_UNKNOWN : of[n->a];
  }
  return REMOVAL_UNKNOWN;
}

/* By node of a graph. */
static const enum removal *find_removal(struct arena *arena, const struct cat_ir *ir) {
  enum removal *of = ARENA_ARRAY(arena, enum removal, ir->node_count);
  struct stays stays = find_stays(arena, ir);
  for (bool again = true; again;) {
    again = false;
    for (uint32_t i = 0; i < ir->node_count; i++) {
      enum removal now = of[i] == REMOVAL_UNKNOWN ? of[i] : both(of[i], of_node(ir, &stays, of, i));
      again |= now != of[i];
      of[i] = now;
    }
  }
  return of;
}

bool removal_asks_for_some(const struct cat_check *check) {
  return check->role == ROLE_UNDEFINED ? !check->negated : check->negated;
}

static bool keeps(const enum removal *removal, const struct cat_check *check) {
  enum removal of = removal[check->node];
  if (!removal_asks_for_some(check)) return of <= REMOVAL_LESS;
  return check->kind != CHECK_ACYCLIC && (of == REMOVAL_SAME || of == REMOVAL_MORE);
}

bool removal_allowed(const struct cat_model *model, const bool *skip, bool *broken) {
  const struct cat_ir *ir = cat_graph(model);
  if (!ir) return false;
  struct arena *arena = arena_new();
  const enum removal *removal = find_removal(arena, ir);
  bool allowed = true;
  for (uint32_t i = 0; i < ir->check_count; i++) {
    const struct cat_check *check = &ir->checks[i];
    bool kept = (skip && i < model->ir.check_count && skip[i]) || keeps(removal, check);
    bool may_break = broken && !model->ir.dynamic && check->role == ROLE_REQUIRE && !removal_asks_for_some(check);
    if (may_break) broken[i] = !kept;
    allowed &= kept || may_break;
  }
  arena_free(arena);
  return allowed;
}

static const char *role_of(const struct cat_check *check) {
  return check->role == ROLE_FLAG ? "flag " : check->role == ROLE_UNDEFINED ? "undefined_unless " : "";
}

void removal_print(const struct cat_model *model, FILE *out) {
  static const char *const becomes[] = {[REMOVAL_SAME] = "stays the same",
                                        [REMOVAL_LESS] = "can only become less",
                                        [REMOVAL_MORE] = "can only become more",
                                        [REMOVAL_UNKNOWN] = "may become less or more"};
  const struct cat_ir *ir = cat_graph(model);
  struct arena *arena = arena_new();
  bool *broken = ARENA_ARRAY(arena, bool, model->ir.check_count + 1u);
  fprintf(out, "Model %s: failed rounds of loops that wait %s\n", model->ir.name,
          removal_allowed(model, NULL, NULL)     ? "can be left out"
          : removal_allowed(model, NULL, broken) ? "can be left out of a program that then keeps the checks marked `no`"
          : spin_repeats_leave_out(model)        ? "count where they see something new"
                                                 : "all count");
  if (!ir) {
    fprintf(out, "  no: %s has the last word\n", model->judge ? "code in C" : "what it chooses");
    arena_free(arena);
    return;
  }
  const enum removal *removal = find_removal(arena, ir);
  ARRAY_EACH (const struct cat_check, c, ir->checks, ir->check_count)
    fprintf(out, "  %s: %s%s%s as %s: what is left %s\n", keeps(removal, c) ? "yes" : "no", role_of(c),
            c->negated ? "~" : "", cat_check_word(c->kind), c->name, becomes[removal[c->node]]);
  arena_free(arena);
}
