/* SPDX-License-Identifier: MIT */
/* Families of small programs: their enumeration.
 *
 * Threads come in the order of their lengths, operations one by one, locations in
 * the order of first use; a program is visited when no reordering of threads of
 * equal length gives one that comes earlier. */
#include "checker/verify/small_family.h"

#include <string.h>

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
  unsigned locations, devices;
};

/* Codes. */

static uint8_t number_of(uint8_t *names, uint8_t *count, uint8_t value) {
  for (uint8_t i = 0; i < *count; i++)
    if (names[i] == value) return i;
  names[*count] = value;
  return (*count)++;
}

static unsigned place_in(const char *letters, char letter) {
  return letter ? (unsigned)(strchr(letters, letter) - letters) : 0;
}

static struct small_code encode(const struct small_program *p, const unsigned *order) {
  struct small_code code = {0};
  uint8_t locations[SMALL_LOCATIONS], wgs[SMALL_THREADS], devs[SMALL_THREADS];
  uint8_t location_count = 0, wg_count = 0, dev_count = 0;
  unsigned length = 0;
  for (unsigned k = 0; k < p->threads; k++) {
    unsigned t = order[k];
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      unsigned at = place_in("WRUF", op->kind);
      at = at * 8 + place_in(SMALL_SCOPES, op->scope);
      at = at * 3 + (op->order ? 1 + place_in("rc", op->order) : 0);
      at = at * 3 + (op->guard ? 1 + place_in("!=", op->guard) : 0);
      at = at * SMALL_LOCATIONS + (op->kind == 'F' ? 0 : number_of(locations, &location_count, op->location));
      code.at[length++] = (uint16_t)(at + 1);
    }
  }
  for (unsigned k = 0; k < p->threads; k++) {
    unsigned t = order[k];
    unsigned wg = number_of(wgs, &wg_count, p->wg[t]), dev = number_of(devs, &dev_count, p->dev[t]);
    unsigned at = wg * SMALL_THREADS + dev;
    code.at[length++] = (uint16_t)(at * 8 + p->count[t]);
  }
  return code;
}

static int compare_codes(const struct small_code *a, const struct small_code *b) {
  for (unsigned i = 0; i < SMALL_CODE; i++)
    if (a->at[i] != b->at[i]) return a->at[i] < b->at[i] ? -1 : 1;
  return 0;
}

/* The next permutation in dictionary order; false after the last. */
static bool permute(unsigned *order, unsigned count) {
  if (count < 2) return false;
  unsigned i = count - 1;
  while (i > 0 && order[i - 1] >= order[i]) i--;
  if (i == 0) return false;
  unsigned j = count - 1;
  while (order[j] <= order[i - 1]) j--;
  unsigned swap = order[i - 1];
  order[i - 1] = order[j];
  order[j] = swap;
  for (unsigned a = i, b = count - 1; a < b; a++, b--) {
    swap = order[a];
    order[a] = order[b];
    order[b] = swap;
  }
  return true;
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
  } while (permute(order, p->threads));
  return least;
}

static bool is_least(const struct small_program *p) {
  unsigned order[SMALL_THREADS];
  for (unsigned i = 0; i < p->threads; i++) order[i] = i;
  struct small_code own = encode(p, order);
  while (permute(order, p->threads)) {
    if (!by_length(p, order)) continue;
    struct small_code other = encode(p, order);
    if (compare_codes(&other, &own) < 0) return false;
  }
  return true;
}

/* Programs. */

/* The threads hang together by the locations they share. */
static bool connected(const struct small_program *p) {
  unsigned uses[SMALL_THREADS] = {0}, reached = 1, cells;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++)
      if (p->ops[t][i].kind != 'F') uses[t] |= 1u << p->ops[t][i].location;
  cells = uses[0];
  for (unsigned round = 0; round < p->threads; round++)
    for (unsigned t = 0; t < p->threads; t++)
      if (uses[t] & cells) {
        reached |= 1u << t;
        cells |= uses[t];
      }
  return reached == (1u << p->threads) - 1;
}

static void number_values(struct small_program *p) {
  int stored = 0, added = 8;
  for (unsigned t = 0; t < p->threads; t++) {
    for (unsigned i = 0; i < p->count[t]; i++) {
      struct small_op *op = &p->ops[t][i];
      op->value = 0;
      if (op->kind == 'W') op->value = ++stored;
      if (op->kind == 'U') {
        op->value = added;
        added *= 2;
      }
    }
  }
}

static bool reads(const struct small_op *op) {
  return op->kind == 'R' || op->kind == 'U';
}

/* A guard is one of all that follows: what is left of that has it, if there is
 * still something to read it from. */
bool small_without(const struct small_program *p, unsigned left_out, struct small_program *rest) {
  *rest = *p;
  for (unsigned t = 0; t < p->threads; t++) {
    unsigned count = 0;
    char guard = 0;
    bool has_read = false;
    for (unsigned i = 0; i < p->count[t]; i++) {
      struct small_op op = p->ops[t][i];
      if (op.guard) guard = op.guard;
      if (left_out >> (SMALL_OPS * t + i) & 1) continue;
      op.guard = has_read ? guard : 0;
      guard = 0;
      has_read |= reads(&op);
      rest->ops[t][count++] = op;
    }
    rest->count[t] = count;
    if (!count) return false;
  }
  number_values(rest);
  return connected(rest);
}

static bool is_past(const struct small_program *p, unsigned t) {
  return t >= p->threads || t >= SMALL_THREADS;
}

/* Placements: work-groups numbered by first use, each on a device; in a language
 * without scopes each thread is on its own. */
static bool place(struct generator *g, unsigned t, unsigned wgs) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) return !is_least(p) || g->visit(g->context, p);
  for (unsigned w = p->language == LANG_C ? wgs : 0; w <= wgs; w++) {
    unsigned devices = 0;
    for (unsigned u = 0; u < t; u++)
      if (p->dev[u] + 1u > devices) devices = p->dev[u] + 1u;
    unsigned first = 0, last = devices < g->devices ? devices : g->devices - 1;
    for (unsigned u = 0; u < t; u++)
      if (p->wg[u] == w) first = last = p->dev[u];
    for (unsigned d = first; d <= last; d++) {
      p->wg[t] = (uint8_t)w;
      p->dev[t] = (uint8_t)d;
      if (!place(g, t + 1, w == wgs ? wgs + 1 : wgs)) return false;
    }
  }
  return true;
}

static bool choose_guards(struct generator *g, unsigned t) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) return place(g, 0, 0);
  if (!choose_guards(g, t + 1)) return false;
  if (!g->family->guarded || p->count[t] < 2 || !reads(&p->ops[t][0])) return true;
  p->ops[t][1].guard = '!';
  bool go_on = choose_guards(g, t + 1);
  p->ops[t][1].guard = 0;
  return go_on;
}

static bool choose_op(struct generator *g, unsigned t, unsigned i, unsigned locations) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) {
    if (!connected(p)) return true;
    number_values(p);
    return choose_guards(g, 0);
  }
  if (i == p->count[t]) return choose_op(g, t + 1, 0, locations);
  for (unsigned c = 0; c < g->choice_count; c++) {
    const struct choice *choice = &g->choices[c];
    unsigned last = choice->kind == 'F' ? 0 : locations;
    for (unsigned x = 0; x <= last && x < g->locations; x++) {
      p->ops[t][i] = (struct small_op){
          .kind = choice->kind, .scope = choice->scope, .order = choice->order, .location = (uint8_t)x};
      bool first_use = choice->kind != 'F' && x == locations;
      if (!choose_op(g, t, i + 1, first_use ? locations + 1 : locations)) return false;
    }
  }
  return true;
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
  if (family->language == LANG_C) return 0;
  if (family->scopes) return family->scopes;
  unsigned wide = family->language == LANG_VULKAN ? SMALL_QF : SMALL_SYS;
  return SMALL_WG | SMALL_DEV | (family->devices > 1 ? wide : 0);
}

static bool has_remote(const struct small_family *family) {
  return family->language <= LANG_HSA && family->language != LANG_C && (family->remote || !family->scopes);
}

static bool has_scope(const struct small_family *family, char letter) {
  unsigned scopes = scopes_of(family);
  switch (letter) {
    case 'a':
      return family->language == LANG_C;
    case 'w':
      return scopes & SMALL_WG;
    case 'q':
      return scopes & SMALL_QF;
    case 'd':
      return scopes & SMALL_DEV;
    case 'D':
      return scopes & SMALL_DEV && has_remote(family);
    case 's':
      return scopes & SMALL_SYS;
    default:
      return scopes & SMALL_SYS && has_remote(family);
  }
}

/* PTX's accesses are never sequentially consistent, and no fence is relaxed. */
static bool has_order(const struct small_family *family, char kind, enum small_order order) {
  unsigned orders = family->orders ? family->orders : SMALL_NA | SMALL_RA;
  if (!(orders & (unsigned)order)) return false;
  if (kind == 'F') return order == SMALL_RA || order == SMALL_SC;
  return !(order == SMALL_SC && family->language == LANG_PTX);
}

static void list_choices(struct generator *g) {
  static const struct {
    enum small_order order;
    char letter;
  } ORDERS[] = {{SMALL_RA, 0}, {SMALL_RLX, 'r'}, {SMALL_SC, 'c'}};
  for (const char *kind = g->family->fences ? "WRUF" : "WRU"; *kind; kind++) {
    if (strchr("WR", *kind) && has_order(g->family, *kind, SMALL_NA))
      g->choices[g->choice_count++] = (struct choice){*kind, 'n', 0};
    for (const char *scope = &SMALL_SCOPES[1]; *scope; scope++)
      for (unsigned o = 0; o < 3; o++)
        if (has_scope(g->family, *scope) && has_order(g->family, *kind, ORDERS[o].order))
          g->choices[g->choice_count++] = (struct choice){*kind, *scope, ORDERS[o].letter};
  }
}

void small_generate(const struct small_family *family,
                    bool (*visit)(void *context, const struct small_program *program), void *context) {
  struct generator g = {.family = family,
                        .visit = visit,
                        .context = context,
                        .program = {.language = family->language, .threads = family->threads},
                        .locations = family->locations ? family->locations : 2,
                        .devices = family->devices ? family->devices : 1};
  list_choices(&g);
  choose_lengths(&g, 0, 1);
}

static bool count_one(void *context, const struct small_program *program) {
  (void)program;
  ++*(uint64_t *)context;
  return true;
}

uint64_t small_count(const struct small_family *family) {
  uint64_t count = 0;
  small_generate(family, count_one, &count);
  return count;
}
