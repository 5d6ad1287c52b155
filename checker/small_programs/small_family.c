/* SPDX-License-Identifier: MIT */
/* Families of small programs: their enumeration.
 *
 * Threads come in the order of their lengths, operations one by one, locations in
 * the order of first use; a program is visited when no reordering of threads of
 * equal length gives one that comes earlier. */
#include "checker/small_programs/small_family.h"

#include <assert.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/number.h"
#include "checker/base/vec.h"
#include "checker/program/program.h"
#include "checker/small_programs/small_language_words.h"

/* What an operation can be. */
struct choice {
  char kind, scope, order;
};
enum { CHOICES = 4 * 8 * 3 };

struct generator {
  const struct small_family *family;
  bool (*visit)(void *context, const struct small_program *program);
  void *context;
  struct small_program program;
  struct choice choices[CHOICES];
  unsigned choice_count;
  uint64_t left;      /* of the budget */
  bool barriers;      /* all programs of this pass have them; else none has */
  bool apart;         /* all have locations of two storage classes; else none has */
  size_t form, forms; /* of the family's forms this pass has those between, and needs the first; equal: none */
  unsigned form_room; /* how many more operations may have one */
  unsigned used;      /* operations so far with the one that is needed */
  unsigned locations, devices, clusters;
  bool by_shape; /* kinds and locations of all operations are chosen first, then their scopes and orders */
};

/* Codes. */

static uint8_t number_of(uint8_t *names, uint8_t *count, uint8_t value) {
  for (uint8_t i = 0; i < *count; i++)
    if (names[i] == value) return i;
  names[*count] = value;
  return (*count)++;
}

/* Numbers of letters; those of orders and guards begin with 1, since there may be none. */
static const uint8_t KIND_NUMBERS[128] = {['W'] = 0, ['R'] = 1, ['U'] = 2, ['F'] = 3, ['X'] = 4, ['C'] = 5, ['B'] = 6};
static const uint8_t SCOPE_NUMBERS[128] = {
    ['n'] = 0, ['a'] = 1, ['w'] = 2, ['q'] = 3, ['d'] = 4, ['D'] = 5, ['s'] = 6, ['S'] = 7};
static const uint8_t ORDER_NUMBERS[128] = {['r'] = 1, ['c'] = 2, ['q'] = 3, ['l'] = 4, ['a'] = 5};
static const uint8_t GUARD_NUMBERS[128] = {['!'] = 1, ['='] = 2};
static const uint8_t DEPENDENCY_NUMBERS[128] = {['&'] = 1, ['^'] = 2};

static unsigned number_in(const uint8_t *numbers, char letter) {
  return numbers[(unsigned char)letter & 127];
}

/* A code on its way, with the threads in some order. */
struct coding {
  const struct small_program *p;
  const unsigned *order;
  bool swapped;        /* storage classes 0 and 1 have changed places: the first access is in class 0 */
  unsigned thread, op; /* the next, in that order; past the last thread: then its places */
  uint8_t globals[SMALL_LOCATIONS], locals[SMALL_LOCATIONS], wgs[SMALL_THREADS], devs[SMALL_THREADS];
  uint8_t clusters[SMALL_THREADS], global_count, local_count, wg_count, dev_count, cluster_count;
};

static bool begins_in_class_1(const struct small_program *p, const unsigned *order) {
  for (unsigned k = 0; k < p->threads; k++)
    ARRAY_EACH (const struct small_op, op, p->ops[order[k]], p->count[order[k]])
      if (small_is_access(op)) return p->class[op->location] == 1;
  return false;
}

static struct coding coding_of(const struct small_program *p, const unsigned *order) {
  return (struct coding){.p = p, .order = order, .swapped = begins_in_class_1(p, order)};
}

static unsigned code_class(const struct coding *c, const struct small_op *op) {
  unsigned class = small_is_access(op) ? c->p->class[op->location] : 0;
  return c->swapped && class < 2 ? !class : class;
}

static unsigned code_location(struct coding *c, const struct small_op *op) {
  if (!small_is_access(op)) return 0;
  if (op->location < SMALL_GLOBALS) return number_of(c->globals, &c->global_count, op->location);
  return SMALL_GLOBALS + number_of(c->locals, &c->local_count, op->location);
}

static uint32_t code_op(struct coding *c, const struct small_op *op) {
  unsigned at = number_in(KIND_NUMBERS, op->kind);
  at = at * 8 + number_in(SCOPE_NUMBERS, op->scope);
  at = at * 6 + number_in(ORDER_NUMBERS, op->order);
  at = at * 3 + number_in(GUARD_NUMBERS, op->guard);
  at = at * 3 + number_in(DEPENDENCY_NUMBERS, op->dependency);
  at = at * SMALL_LOCATIONS + code_location(c, op);
  at = at * SMALL_CLASSES + code_class(c, op);
  uint32_t form = c->swapped && op->twin ? op->twin : op->form, odd = c->swapped && op->form && !op->twin;
  return (odd << 31) + (form << 17) + at + 1;
}

static uint32_t code_place(struct coding *c, unsigned t) {
  unsigned wg = number_of(c->wgs, &c->wg_count, c->p->wg[t]), dev = number_of(c->devs, &c->dev_count, c->p->dev[t]);
  unsigned cluster = c->p->clusters ? 1u + number_of(c->clusters, &c->cluster_count, c->p->cluster[t]) : 0;
  return ((cluster * SMALL_THREADS + wg) * SMALL_THREADS + dev) * (SMALL_OPS + 1) + c->p->count[t];
}

/* The next number: first those of all operations, then those of all threads.  false: it was the last. */
static bool code_next(struct coding *c, uint32_t *number) {
  const struct small_program *p = c->p;
  if (c->thread >= 2 * p->threads) return false;
  if (c->thread >= p->threads) {
    *number = code_place(c, c->order[c->thread++ - p->threads]);
    return true;
  }
  unsigned t = c->order[c->thread];
  *number = code_op(c, &p->ops[t][c->op++]);
  if (c->op < p->count[t]) return true;
  c->op = 0;
  c->thread++;
  return true;
}

static struct small_code encode(const struct small_program *p, const unsigned *order) {
  struct small_code code = {0};
  struct coding c = coding_of(p, order);
  for (unsigned length = 0; code_next(&c, &code.at[length]);) length++;
  return code;
}

static int compare_codes(const struct small_code *a, const struct small_code *b) {
  for (unsigned i = 0; i < SMALL_CODE; i++)
    if (a->at[i] != b->at[i]) return a->at[i] < b->at[i] ? -1 : 1;
  return 0;
}

/* As choose_op tries them. */
static int compare_ops(const struct small_op *a, const struct small_op *b) {
  int order = number_order(number_in(KIND_NUMBERS, a->kind), number_in(KIND_NUMBERS, b->kind));
  if (!order) order = number_order(number_in(SCOPE_NUMBERS, a->scope), number_in(SCOPE_NUMBERS, b->scope));
  if (!order) order = number_order(number_in(ORDER_NUMBERS, a->order), number_in(ORDER_NUMBERS, b->order));
  return order ? order : number_order(a->location, b->location);
}

int small_compare(const struct small_program *a, const struct small_program *b) {
  int order = number_order(a->threads, b->threads);
  for (unsigned t = 0; t < a->threads && !order; t++) order = number_order(a->count[t], b->count[t]);
  for (unsigned t = 0; t < a->threads && !order; t++)
    for (unsigned i = 0; i < a->count[t] && !order; i++) order = compare_ops(&a->ops[t][i], &b->ops[t][i]);
  for (unsigned t = 0; t < a->threads && !order; t++)
    for (unsigned i = 0; i < a->count[t] && !order; i++)
      order = number_order(number_in(GUARD_NUMBERS, a->ops[t][i].guard), number_in(GUARD_NUMBERS, b->ops[t][i].guard));
  for (unsigned t = 0; t < a->threads && !order; t++) {
    order = number_order(a->wg[t], b->wg[t]);
    if (!order) order = number_order(a->cluster[t], b->cluster[t]);
    if (!order) order = number_order(a->dev[t], b->dev[t]);
  }
  return order;
}

bool small_is_simpler(const struct small_program *a, const struct small_program *b) {
  unsigned x = small_size(a), y = small_size(b);
  return x != y ? x < y : small_compare(a, b) < 0;
}

/* Are the lengths of threads in this order those of the least code: ascending? */
static bool by_length(const struct small_program *p, const unsigned *order) {
  for (unsigned k = 1; k < p->threads; k++)
    if (p->count[order[k]] < p->count[order[k - 1]]) return false;
  return true;
}

struct small_code small_canonical(const struct small_program *p) {
  unsigned order[SMALL_THREADS];
  for (unsigned i = 0; i < p->threads; i++) order[i] = i;
  struct small_code least = {0};
  bool some = false;
  do {
    if (!by_length(p, order)) continue;
    struct small_code code = encode(p, order);
    if (!some || compare_codes(&code, &least) < 0) least = code;
    some = true;
  } while (next_order(order, p->threads));
  return least;
}

/* Most orders differ from the threads' own in their first operations. */
static bool is_less(const struct small_program *p, const unsigned *order, const unsigned *own) {
  struct coding a = coding_of(p, order), b = coding_of(p, own);
  for (uint32_t x, y; code_next(&a, &x) && code_next(&b, &y);)
    if (x != y) return x < y;
  return false;
}

static bool is_least(const struct small_program *p) {
  unsigned own[SMALL_THREADS], order[SMALL_THREADS];
  for (unsigned i = 0; i < p->threads; i++) own[i] = order[i] = i;
  while (next_order(order, p->threads))
    if (by_length(p, order) && is_less(p, order, own)) return false;
  return true;
}

/* Programs. */

static unsigned barriers_of(const struct small_program *p, unsigned t) {
  unsigned count = 0;
  for (unsigned i = 0; i < p->count[t]; i++) count += p->ops[t][i].kind == 'B';
  return count;
}

/* Has each thread somebody to wait for at its barriers: another thread with as many, in its
 * work-group where threads are placed? Then all of the work-group have as many, and none is
 * under a guard. */
static bool may_meet(const struct small_program *p, bool placed) {
  for (unsigned t = 0; t < p->threads; t++) {
    unsigned own = barriers_of(p, t);
    bool met = !own, guarded = false;
    for (unsigned u = 0; u < p->threads; u++) {
      bool together = u != t && (!placed || p->wg[u] == p->wg[t]), same = barriers_of(p, u) == own;
      met |= together && same;
      if (placed && together && !same) return false;
    }
    for (unsigned i = 0; placed && i < p->count[t]; i++) {
      guarded |= p->ops[t][i].guard != 0;
      if (guarded && p->ops[t][i].kind == 'B') return false;
    }
    if (!met) return false;
  }
  return true;
}

/* May they, once the threads from `from` on are chosen too, and some program has barriers? */
static bool may_meet_yet(const struct small_program *p, unsigned from) {
  unsigned alone = 0, all = 0;
  for (unsigned t = 0; t < from; t++) {
    unsigned own = barriers_of(p, t);
    bool met = !own;
    for (unsigned u = 0; u < from; u++) met |= u != t && barriers_of(p, u) == own;
    alone += !met;
    all += own;
  }
  return alone <= p->threads - from && (all || p->threads - from >= 2);
}

/* The threads hang together by the locations they share. */
static bool connected(const struct small_program *p) {
  unsigned uses[SMALL_THREADS] = {0}, reached = 1, cells;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (small_is_access(&p->ops[t][i])) uses[t] |= 1u << p->ops[t][i].location;
  cells = uses[0];
  for (unsigned round = 0; round < p->threads; round++)
    for (unsigned t = 0; t < p->threads; t++)
      if (uses[t] & cells) {
        reached |= 1u << t;
        cells |= uses[t];
      }
  return reached == (1u << p->threads) - 1;
}

/* A guard is one of all that follows: what is left of that has it, if there is
 * still something to read it from.  So has a dependency something to depend on. */
bool small_without(const struct small_program *p, const uint16_t *left_out, struct small_program *rest) {
  *rest = *p;
  for (unsigned t = 0; t < p->threads; t++) {
    unsigned count = 0;
    char guard = 0;
    bool has_read = false;
    for (unsigned i = 0; i < p->count[t]; i++) {
      struct small_op op = p->ops[t][i];
      if (op.guard) guard = op.guard;
      if (left_out[t] >> i & 1) continue;
      op.guard = has_read ? guard : 0;
      if (!has_read) op.dependency = 0;
      guard = 0;
      has_read |= small_reads(&op);
      rest->ops[t][count++] = op;
    }
    rest->count[t] = count;
    if (!count) return false;
  }
  small_number_values(rest);
  return connected(rest) && may_meet(rest, true);
}

static bool is_past(const struct small_program *p, unsigned t) {
  return t >= p->threads || t >= SMALL_THREADS;
}

static bool visit_one(struct generator *g, const struct small_program *p) {
  return g->left-- && g->visit(g->context, p);
}

/* Is every access in class 0, or are some in 1 and the locations that are not there in 0? */
static bool has_classes(const struct generator *g, const struct small_program *p, unsigned locations) {
  for (unsigned x = locations; x < g->locations; x++)
    if (p->class[x]) return false;
  return !g->apart || small_classes(p) == 3;
}

/* Has it what this pass is for? */
static bool has_needed(const struct generator *g, const struct small_program *p, unsigned locations) {
  bool barrier = !g->barriers;
  for (unsigned t = 0; t < p->threads; t++) barrier |= barriers_of(p, t) > 0;
  return barrier && (g->form == g->forms || g->used) && has_classes(g, p, locations);
}

/* Does an operation name clusters? */
static bool names_cluster(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (p->ops[t][i].scope == 'q' || (p->ops[t][i].words && strstr(p->ops[t][i].words, "cluster"))) return true;
  return false;
}

/* The instances of a level, `at`, that thread t can be in: that of the threads of its inner instance, or any, numbered
 * by first use, of so many. */
struct instances {
  unsigned first, last;
};

static struct instances instances_of(unsigned t, const uint8_t *inner, const uint8_t *at, unsigned most) {
  unsigned used = 0;
  for (unsigned u = 0; u < t; u++) {
    if (inner[u] == inner[t]) return (struct instances){at[u], at[u]};
    if (at[u] + 1u > used) used = at[u] + 1u;
  }
  return (struct instances){0, used < most ? used : most - 1};
}

static bool place(const struct small_places *places, struct small_program *p, unsigned t, unsigned wgs) {
  if (is_past(p, t)) return places->visit(places->context);
  unsigned last = places->together && t ? 0 : wgs;
  for (unsigned w = places->apart ? wgs : 0; w <= last; w++) {
    p->wg[t] = (uint8_t)w;
    struct instances clusters = {0, 0};
    if (p->clusters) clusters = instances_of(t, p->wg, p->cluster, places->clusters);
    for (unsigned c = clusters.first; c <= clusters.last; c++) {
      p->cluster[t] = (uint8_t)(p->clusters ? c : w);
      struct instances devices = instances_of(t, p->cluster, p->dev, places->devices);
      for (unsigned d = devices.first; d <= devices.last; d++) {
        p->dev[t] = (uint8_t)d;
        if (!place(places, p, t + 1, w == wgs ? wgs + 1 : wgs)) return false;
      }
    }
  }
  return true;
}

bool small_place(const struct small_places *places, struct small_program *p) {
  p->clusters = places->clusters && names_cluster(p);
  return place(places, p, 0, 0);
}

/* In a language without scopes each thread is on its own. */
static bool visit_placed(void *context) {
  struct generator *g = context;
  return (g->barriers && !may_meet(&g->program, true)) || !is_least(&g->program) || visit_one(g, &g->program);
}

static bool place_all(struct generator *g) {
  struct small_places places = {.apart = !small_is_scoped(g->program.language),
                                .clusters = g->clusters,
                                .devices = g->devices,
                                .visit = visit_placed,
                                .context = g};
  return small_place(&places, &g->program);
}

/* By shape: what else the operations can be. */
static bool choose_words(struct generator *g, unsigned t, unsigned i) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) return place_all(g);
  if (i == p->count[t]) return choose_words(g, t + 1, 0);
  struct small_op *op = &p->ops[t][i];
  for (unsigned c = 0; c < g->choice_count; c++) {
    if (g->choices[c].kind != op->kind) continue;
    op->scope = g->choices[c].scope;
    op->order = g->choices[c].order;
    if (!choose_words(g, t, i + 1)) return false;
  }
  return true;
}

static bool choose_guards(struct generator *g, unsigned t) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) return g->by_shape ? choose_words(g, 0, 0) : place_all(g);
  if (!choose_guards(g, t + 1)) return false;
  if (!g->family->guarded || p->count[t] < 2 || !small_reads(&p->ops[t][0])) return true;
  p->ops[t][1].guard = '!';
  bool go_on = choose_guards(g, t + 1);
  p->ops[t][1].guard = 0;
  return go_on;
}

static bool choose_op(struct generator *g, unsigned t, unsigned i, unsigned locations);

/* An operation at each location. */
static bool choose_location(struct generator *g, unsigned t, unsigned i, unsigned locations, struct small_op op) {
  unsigned last = small_is_access(&op) ? locations : 0;
  bool needed = g->form < g->forms && op.form == g->form + 1, go_on = true;
  g->used += needed;
  for (unsigned x = 0; x <= last && x < g->locations && go_on; x++) {
    bool is_for_it = !op.form || !small_is_access(&op) || g->family->forms.at[op.form - 1].class == g->program.class[x];
    if (!is_for_it) continue;
    op.location = (uint8_t)x;
    g->program.ops[t][i] = op;
    bool first_use = small_is_access(&op) && x == locations;
    go_on = choose_op(g, t, i + 1, first_use ? locations + 1 : locations);
  }
  g->used -= needed;
  return go_on;
}

/* May programs of this pass have it? */
static bool has_form(const struct generator *g, const struct small_form *form) {
  return form->contexts >> g->apart & 1 && (form->kind != 'B' || g->barriers);
}

static bool choose_form(struct generator *g, unsigned t, unsigned i, unsigned locations) {
  for (size_t f = g->form; f < g->forms; f++) {
    const struct small_form *form = &g->family->forms.at[f];
    if (!has_form(g, form)) continue;
    struct small_op op = {.kind = form->kind,
                          .scope = form->kind == 'B' ? 'w' : 'n',
                          .form = (uint16_t)(f + 1),
                          .twin = form->twin,
                          .words = form->words,
                          .word_length = (uint8_t)strlen(form->words)};
    if (!choose_location(g, t, i, locations, op)) return false;
  }
  return true;
}

static bool choose_op(struct generator *g, unsigned t, unsigned i, unsigned locations) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) {
    if (!has_needed(g, p, locations) || !connected(p) || (g->barriers && !may_meet(p, false))) return true;
    small_number_values(p);
    return choose_guards(g, 0);
  }
  if (i == p->count[t]) return (g->barriers && !may_meet_yet(p, t + 1)) || choose_op(g, t + 1, 0, locations);
  bool last = t + 1 == p->threads && i + 1 == p->count[t], needs_form = last && g->form < g->forms && !g->used;
  for (unsigned c = 0; c < g->choice_count && !needs_form; c++) {
    const struct choice *choice = &g->choices[c];
    if (g->by_shape && c && choice[-1].kind == choice->kind) continue;
    if (choice->kind == 'B' && !g->barriers) continue;
    struct small_op op = {.kind = choice->kind, .scope = choice->scope, .order = choice->order};
    if (!choose_location(g, t, i, locations, op)) return false;
  }
  if (!g->form_room) return true;
  g->form_room--;
  bool go_on = choose_form(g, t, i, locations);
  g->form_room++;
  return go_on;
}

static bool choose_lengths(struct generator *g, unsigned t, unsigned least) {
  if (is_past(&g->program, t)) return choose_op(g, 0, 0, 0);
  for (unsigned n = least; n <= g->family->ops; n++) {
    g->program.count[t] = n;
    if (!choose_lengths(g, t + 1, n)) return false;
  }
  return true;
}

/* Choices. */

static unsigned scopes_of(const struct small_family *family) {
  if (!small_is_scoped(family->language)) return 0;
  if (family->scopes) return family->scopes;
  unsigned wide = small_has_scope(family->language, 's') ? SMALL_SYS : SMALL_QF;
  return SMALL_WG | SMALL_DEV | (family->devices > 1 ? wide : 0) | (family->clusters ? SMALL_QF : 0);
}

void small_family_without_remote(struct small_family *family) {
  if (!family->remote) family->scopes = scopes_of(family);
}

static bool has_scope(const struct small_family *family, char letter) {
  static const enum small_scope BITS[128] = {
      ['w'] = SMALL_WG, ['q'] = SMALL_QF, ['d'] = SMALL_DEV, ['D'] = SMALL_DEV, ['s'] = SMALL_SYS, ['S'] = SMALL_SYS};
  if (!small_has_scope(family->language, letter)) return false;
  bool remote = letter == 'D' || letter == 'S', unasked = remote && family->scopes && !family->remote;
  return letter == 'a' || (scopes_of(family) & (unsigned)BITS[letter & 127] && !unasked);
}

/* No fence is relaxed. */
static bool has_order(const struct small_family *family, char kind, enum small_order order, char letter) {
  unsigned orders = family->orders ? family->orders : SMALL_NA | SMALL_RA;
  if (!(orders & (unsigned)order)) return false;
  if (kind == 'F' && order != SMALL_RA && order != SMALL_SC) return false;
  return !letter || small_has_order(family->language, kind, letter);
}

static void list_choices(struct generator *g) {
  static const struct {
    enum small_order order;
    char letter;
  } ORDERS[] = {{SMALL_RA, 0}, {SMALL_RLX, 'r'}, {SMALL_SC, 'c'}};
  if (g->family->barriers) g->choices[g->choice_count++] = (struct choice){'B', 'w', 0};
  for (const char *kind = g->family->fences ? "WRUF" : "WRU"; *kind; kind++) {
    if (strchr("WR", *kind) && has_order(g->family, *kind, SMALL_NA, 0))
      g->choices[g->choice_count++] = (struct choice){*kind, 'n', 0};
    for (const char *scope = &SMALL_SCOPES[1]; *scope; scope++)
      for (unsigned o = 0; o < 3; o++)
        if (has_scope(g->family, *scope) && has_order(g->family, *kind, ORDERS[o].order, ORDERS[o].letter))
          g->choices[g->choice_count++] = (struct choice){*kind, *scope, ORDERS[o].letter};
  }
}

void small_family_find_forms(struct arena *arena, struct small_family *family) {
  static const enum small_scope LEVELS[SCOPE_SYS + 1] = {
      [SCOPE_WG] = SMALL_WG, [SCOPE_QF] = SMALL_QF, [SCOPE_DEV] = SMALL_DEV, [SCOPE_SYS] = SMALL_SYS};
  struct generator g = {.family = family};
  struct program traits = {0};
  litmus_set_traits(family->language->tests, &traits);
  list_choices(&g);
  struct small_op *own = ARENA_ARRAY(arena, struct small_op, g.choice_count + 1);
  for (unsigned c = 0; c < g.choice_count; c++)
    own[c] = (struct small_op){.kind = g.choices[c].kind, .scope = g.choices[c].scope, .order = g.choices[c].order};
  struct small_unwanted unwanted = {
      .own = own, .own_count = g.choice_count, .clusters = family->clusters, .classes = family->classes};
  unwanted.innermost = traits.scope_words[SCOPE_WG];
  for (unsigned scope = SCOPE_NONE + 1, n = 0; family->scopes && scope <= SCOPE_SYS; scope++)
    if (!(family->scopes & (unsigned)LEVELS[scope])) unwanted.words[n++] = traits.scope_words[scope];
  const char *kinds = arena_printf(arena, "WRU%s%s", family->fences ? "F" : "", family->barriers ? "B" : "");
  small_forms_find(arena, family->language, kinds, &unwanted, &family->forms);
}

/* Programs without other words than the letters', and with each form. */
static bool run_forms(struct generator *g) {
  g->form = g->forms = g->form_room = 0;
  if (!choose_lengths(g, 0, 1)) return false;
  g->forms = g->family->words ? g->family->forms.count : 0;
  g->form_room = g->family->words;
  for (; g->form < g->forms; g->form++) {
    if (!has_form(g, &g->family->forms.at[g->form])) continue;
    if (!choose_lengths(g, 0, 1)) return false;
  }
  return true;
}

/* Programs with barriers, and the others. */
static bool run_barriers(struct generator *g) {
  g->barriers = g->family->barriers;
  if (g->barriers && !run_forms(g)) return false;
  g->barriers = false;
  return run_forms(g);
}

/* The locations after the first in each of the classes; last all in one class. */
static bool run_classes(struct generator *g) {
  unsigned ways = g->family->classes > 1 ? 1u << (g->locations - 1) : 1;
  while (ways-- > 0) {
    g->apart = ways > 0;
    for (unsigned x = 1; x < g->locations; x++) g->program.class[x] = ways >> (x - 1) & 1;
    if (!run_barriers(g)) return false;
  }
  return true;
}

static struct generator generator_of(const struct small_family *family) {
  struct generator g = {.family = family,
                        .left = family->budget ? family->budget : UINT64_MAX,
                        .program = {.language = family->language, .threads = family->threads},
                        .locations = family->locations ? family->locations : 2,
                        .devices = family->devices ? family->devices : 1,
                        .clusters = family->clusters};
  list_choices(&g);
  return g;
}

static void generate(const struct small_family *family, bool by_shape,
                     bool (*visit)(void *context, const struct small_program *program), void *context) {
  struct generator g = generator_of(family);
  g.visit = visit;
  g.context = context;
  g.by_shape = by_shape;
  bool go_on = !family->threads || run_classes(&g);
  for (size_t i = 0; i < family->list.count && go_on; i++) go_on = visit_one(&g, &family->list.at[i].program);
}

void small_generate(const struct small_family *family,
                    bool (*visit)(void *context, const struct small_program *program), void *context) {
  generate(family, false, visit, context);
}

void small_generate_by_shape(const struct small_family *family,
                             bool (*visit)(void *context, const struct small_program *program), void *context) {
  generate(family, true, visit, context);
}

struct listing {
  struct arena *arena;
  struct small_list list;
};

static bool list_one(void *context, const struct small_program *program) {
  struct listing *l = context;
  *vec_push(l->arena, &l->list) = (struct small_listed){NULL, *program};
  return true;
}

struct small_list small_family_list(struct arena *arena, const struct small_family *family) {
  struct listing l = {.arena = arena};
  struct small_family sized = *family;
  sized.list = (struct small_list){0};
  small_generate(&sized, list_one, &l);
  for (size_t i = 0; i < family->list.count; i++) *vec_push(arena, &l.list) = family->list.at[i];
  return l.list;
}

/* About how many. */

/* A work-group is one of those so far, or a new one, in a cluster of those so far or in a new one. */
static double place_ways(const struct generator *g, unsigned t, unsigned wgs, unsigned clusters, unsigned devices) {
  if (is_past(&g->program, t)) return 1;
  double ways = small_is_scoped(g->family->language) ? wgs * place_ways(g, t + 1, wgs, clusters, devices) : 0;
  if (g->clusters) ways += clusters * place_ways(g, t + 1, wgs + 1, clusters, devices);
  if (g->clusters && clusters == g->clusters) return ways;
  for (unsigned d = 0; d <= devices && d < g->devices; d++)
    ways += place_ways(g, t + 1, wgs + 1, clusters + 1, d == devices ? devices + 1 : devices);
  return ways;
}

/* Of so many operations, with locations in the order of first use. */
static double op_ways(const struct generator *g, unsigned left, unsigned locations) {
  if (!left) return 1;
  unsigned fences = 0, others = 0; /* few programs have barriers */
  for (unsigned c = 0; c < g->choice_count; c++) {
    fences += g->choices[c].kind == 'F';
    others += g->choices[c].kind != 'F' && g->choices[c].kind != 'B';
  }
  double same = op_ways(g, left - 1, locations), ways = fences * same;
  ways += others * locations * same;
  return locations < g->locations ? ways + others * op_ways(g, left - 1, locations + 1) : ways;
}

/* Of n threads of equal length, n! orders are one program, unless some of them are equal. */
static double length_ways(struct generator *g, unsigned t, unsigned least, unsigned ops, unsigned equal) {
  if (is_past(&g->program, t)) return op_ways(g, ops, 0);
  double ways = 0;
  for (unsigned n = least; n <= g->family->ops; n++) {
    unsigned alike = t && n == least ? equal + 1 : 1;
    ways += length_ways(g, t + 1, n, ops + n, alike) / alike * (g->family->guarded && n > 1 ? 1.5 : 1);
  }
  return ways;
}

uint64_t small_estimate(const struct small_family *family) {
  struct generator g = generator_of(family);
  double ways = (double)family->list.count;
  if (family->threads) ways += length_ways(&g, 0, 1, 0, 0) * place_ways(&g, 0, 0, 0, 0);
  assert(g.locations);
  if (family->classes > 1) ways *= 1u << (g.locations - 1);
  for (unsigned n = 0; n < family->words && family->threads; n++)
    ways *= 1 + (double)family->threads * family->ops * (double)family->forms.count / g.choice_count;
  if (family->budget && ways > (double)family->budget) ways = (double)family->budget;
  return ways < 1 ? 1 : ways < 0x1p62 ? (uint64_t)ways : (uint64_t)1 << 62;
}
