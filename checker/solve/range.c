/* SPDX-License-Identifier: MIT */
/* Intervals, widened a round at a time. Numbers that do not fit in 64 bits wrap: then a value may be anything. */
#include "checker/solve/range.h"

#include <string.h>

static const struct range ANYTHING = {INT64_MIN, INT64_MAX}, TRUTH = {0, 1};

struct ranging {
  const struct tree *tree;
  struct range *of;
  bool *has; /* it has a value at all, so far */
};

static struct range join(struct range a, struct range b) {
  return (struct range){a.least < b.least ? a.least : b.least, a.most > b.most ? a.most : b.most};
}

/* A range of exact numbers, or anything where they do not fit. */
static struct range of_numbers(__int128 least, __int128 most) {
  if (least < INT64_MIN || most > INT64_MAX) return ANYTHING;
  return (struct range){(int64_t)least, (int64_t)most};
}

static struct range multiply(struct range a, struct range b) {
  __int128 corner[] = {(__int128)a.least * b.least, (__int128)a.least * b.most, (__int128)a.most * b.least,
                       (__int128)a.most * b.most};
  __int128 least = corner[0], most = corner[0];
  for (int i = 1; i < 4; i++) {
    if (corner[i] < least) least = corner[i];
    if (corner[i] > most) most = corner[i];
  }
  return of_numbers(least, most);
}

static struct range bitwise(enum expr_kind kind, struct range a, struct range b) {
  if (kind == EXPR_AND && a.least >= 0 && b.least >= 0) return (struct range){0, a.most < b.most ? a.most : b.most};
  if (kind == EXPR_AND && (a.least >= 0 || b.least >= 0)) return (struct range){0, a.least >= 0 ? a.most : b.most};
  if (a.least < 0 || b.least < 0) return ANYTHING;
  int64_t most = 0;
  while (most < a.most || most < b.most) most = most * 2 + 1;
  return (struct range){0, most};
}

static struct range divide(enum expr_kind kind, struct range a, struct range by) {
  if (a.least < 0 || by.least < 0) return ANYTHING;
  bool rest = kind == EXPR_MOD || kind == EXPR_UMOD;
  return (struct range){0, rest && by.most < a.most ? by.most : a.most};
}

static struct range shift(enum expr_kind kind, struct range a, struct range by) {
  if (by.least != by.most) return ANYTHING;
  unsigned places = (unsigned)by.least & 63;
  if (kind == EXPR_SHR) return (struct range){a.least >> places, a.most >> places};
  return of_numbers((__int128)a.least * ((__int128)1 << places), (__int128)a.most * ((__int128)1 << places));
}

static struct range range_of(const struct ranging *r, const struct tree_node *node, const struct expr *e, bool *known);

/* Of `a ? b : c`, what is known of the two sides: the value does not hang on the other. */
static struct range either(const struct ranging *r, const struct tree_node *node, const struct expr *e, bool *known) {
  bool has[] = {true, true};
  struct range b = range_of(r, node, e->b, &has[0]), c = range_of(r, node, e->c, &has[1]);
  *known &= has[0] || has[1];
  return !has[0] ? c : !has[1] ? b : join(b, c);
}

static struct range apply(const struct ranging *r, const struct tree_node *node, const struct expr *e, bool *known) {
  struct range part[3] = {{0, 0}, {0, 0}, {0, 0}};
  const struct expr *operand[] = {e->a, e->b, e->c};
  for (int i = 0; i < 3; i++)
    if (operand[i]) part[i] = range_of(r, node, operand[i], known);
  if (expr_is_truth(e->kind)) return TRUTH;
  switch (e->kind) {
    case EXPR_ADD:
      return of_numbers((__int128)part[0].least + part[1].least, (__int128)part[0].most + part[1].most);
    case EXPR_SUB:
      return of_numbers((__int128)part[0].least - part[1].most, (__int128)part[0].most - part[1].least);
    case EXPR_NEG:
      return of_numbers(-(__int128)part[0].most, -(__int128)part[0].least);
    case EXPR_MUL:
      return multiply(part[0], part[1]);
    case EXPR_DIV:
    case EXPR_UDIV:
    case EXPR_MOD:
    case EXPR_UMOD:
      return divide(e->kind, part[0], part[1]);
    case EXPR_AND:
    case EXPR_OR:
    case EXPR_XOR:
      return bitwise(e->kind, part[0], part[1]);
    case EXPR_SHL:
    case EXPR_SHR:
      return shift(e->kind, part[0], part[1]);
    default:
      return ANYTHING;
  }
}

static struct range range_of(const struct ranging *r, const struct tree_node *node, const struct expr *e, bool *known) {
  if (e->kind == EXPR_CONST) return (struct range){e->value, e->value};
  if (e->kind == EXPR_COND) return either(r, node, e, known);
  if (e->kind != EXPR_REG) return apply(r, node, e, known);
  unsigned event = node->events[e->reg];
  *known &= r->has[event];
  return r->has[event] ? r->of[event] : ANYTHING;
}

/* What a location holds at first: where that is not known, whatever fits in it. */
static struct range initial(const struct program *program, const struct event *write) {
  const struct location *location = &program->locations[write->location];
  unsigned bits = location->width.bits;
  if (!location->any) return (struct range){write->value, write->value};
  if (!bits || bits >= 64) return ANYTHING;
  int64_t half = (int64_t)1 << (bits - 1);
  return location->width.is_signed ? (struct range){-half, half - 1} : (struct range){0, half - 1 + half};
}

static void widen(struct ranging *r, unsigned event, struct range range, bool *moved) {
  struct range wider = r->has[event] ? join(r->of[event], range) : range;
  *moved |= !r->has[event] || memcmp(&wider, &r->of[event], sizeof wider) != 0;
  r->of[event] = wider;
  r->has[event] = true;
}

/* Writes have what their threads say, and then reads what those of their location have. */
static bool spread(struct ranging *r, struct range *location, bool *written) {
  const struct tree *tree = r->tree;
  bool moved = false;
  for (size_t i = 0; i < tree->events.count; i++) {
    const struct tree_event *e = &tree->events.at[i];
    if (e->event.kind == EVENT_READ || (e->own && !e->own->value)) continue;
    bool known = true;
    struct range range =
        e->own ? range_of(r, &tree->nodes.at[e->node], e->own->value, &known) : initial(tree->program, &e->event);
    if (known) widen(r, (unsigned)i, range, &moved);
    int at = e->event.location;
    if (!known || e->event.kind != EVENT_WRITE) continue;
    location[at] = written[at] ? join(location[at], range) : range;
    written[at] = true;
  }
  for (size_t i = 0; i < tree->events.count; i++) {
    const struct event *e = &tree->events.at[i].event;
    if (e->kind == EVENT_READ && written[e->location]) widen(r, (unsigned)i, location[e->location], &moved);
  }
  return moved;
}

struct range *ranges_find(struct arena *arena, const struct tree *tree, bool thin_air) {
  size_t count = tree->events.count;
  struct ranging r = {tree, ARENA_ARRAY(arena, struct range, count + 1), ARENA_ARRAY(arena, bool, count + 1)};
  struct range *location = ARENA_ARRAY(arena, struct range, tree->program->location_count + 1);
  bool *written = ARENA_ARRAY(arena, bool, tree->program->location_count + 1);
  for (size_t i = 0; thin_air && i < count; i++)
    if (tree->events.at[i].event.kind == EVENT_READ) r.has[i] = true, r.of[i] = ANYTHING;
  for (size_t round = 0; round <= count && spread(&r, location, written); round++) continue;
  for (size_t i = 0; i < count; i++)
    if (!r.has[i]) r.of[i] = ANYTHING;
  return r.of;
}

unsigned range_bits(struct range range) {
  unsigned count = 1;
  while (count < 64 && (range.least >> (count - 1) < -1 || range.most >> (count - 1) > 0)) count++;
  return count;
}
