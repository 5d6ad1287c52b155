/* SPDX-License-Identifier: MIT */
/* Small programs: notation, tests made from them, and their enumeration. */
#include "checker/verify/small.h"

#include <ctype.h>
#include <string.h>

#include "checker/base/vec.h"

/* Notation. */

static const char SCOPES[] = "nwdDsS";

static bool parse_op(const char **text, struct small_op *op) {
  const char *s = *text;
  if (!*s || !strchr("WRU", *s)) return false;
  op->kind = *s++;
  if (*s < 'u' || *s > 'z') return false;
  op->location = (uint8_t)((*s++ - 'x' + SMALL_LOCATIONS) % SMALL_LOCATIONS); /* x y z u v w */
  if (!*s || !strchr(SCOPES, *s)) return false;
  op->scope = *s++;
  op->value = 0;
  while (isdigit((unsigned char)*s) && op->value < 100000) op->value = 10 * op->value + (*s++ - '0');
  *text = s;
  return true;
}

bool small_parse(const char *text, struct small_program *p) {
  *p = (struct small_program){.threads = 1};
  char guard = 0;
  for (; *text;) {
    unsigned t = p->threads - 1;
    if (*text == ' ') {
      text++;
    } else if (*text == '|') {
      if (p->threads == SMALL_THREADS || p->count[t] == 0) return false;
      text++;
      p->threads++;
    } else if (*text == '!' || *text == '=') {
      guard = *text++;
    } else {
      struct small_op op = {.guard = guard};
      if (p->count[t] == SMALL_OPS || !parse_op(&text, &op)) return false;
      p->ops[t][p->count[t]++] = op;
      guard = 0;
    }
  }
  for (unsigned t = 0; t < p->threads; t++) p->wg[t] = (uint8_t)t;
  return p->count[p->threads - 1] > 0;
}

static const char *const LOCATION_NAMES[SMALL_LOCATIONS] = {"x", "y", "z", "u", "v", "w"};

static void print_op(const struct small_op *op, FILE *out) {
  if (op->guard) fprintf(out, "%c ", op->guard);
  fprintf(out, "%c%s%c", op->kind, LOCATION_NAMES[op->location], op->scope);
  if (op->kind != 'R') fprintf(out, "%d", op->value);
}

void small_print(const struct small_program *p, FILE *out) {
  for (unsigned t = 0; t < p->threads; t++) {
    if (t) fputc('|', out);
    for (unsigned i = 0; i < p->count[t]; i++) {
      if (i) fputc(' ', out);
      print_op(&p->ops[t][i], out);
    }
  }
}

static void print_list(const char *word, const uint8_t *at, unsigned count, FILE *out) {
  fputs(word, out);
  for (unsigned i = 0; i < count; i++) fprintf(out, "%c%d", i ? ',' : ' ', at[i]);
}

void small_print_place(const struct small_program *p, FILE *out) {
  print_list("wg", p->wg, p->threads, out);
  print_list(" dev", p->dev, p->threads, out);
}

unsigned small_size(const struct small_program *p) {
  unsigned size = 0;
  for (unsigned t = 0; t < p->threads; t++) size += p->count[t];
  return size;
}

bool small_is_wide(const struct small_program *p) {
  for (unsigned t = 0; t < p->threads; t++) {
    if (p->dev[t]) return true;
    for (unsigned i = 0; i < p->count[t]; i++)
      if (strchr("sS", p->ops[t][i].scope)) return true;
  }
  return false;
}

/* Tests. */

static const struct expr *constant(struct arena *arena, int64_t value) {
  struct expr *e = ARENA_NEW(arena, struct expr);
  *e = (struct expr){.kind = EXPR_CONST, .value = value};
  return e;
}

static const struct expr *guard_expr(struct arena *arena, char guard, unsigned reg) {
  struct expr *e = ARENA_NEW(arena, struct expr), *r = ARENA_NEW(arena, struct expr);
  *r = (struct expr){.kind = EXPR_REG, .reg = reg};
  *e = (struct expr){.kind = guard == '!' ? EXPR_NE : EXPR_EQ, .a = r, .b = constant(arena, 0)};
  return e;
}

static enum scope scope_of(char letter) {
  return letter == 'n' ? SCOPE_NONE : letter == 'w' ? SCOPE_WG : strchr("dD", letter) ? SCOPE_DEV : SCOPE_SYS;
}

static struct instr operation(struct arena *arena, const struct small_op *op, int reg) {
  static const char KINDS[] = "RWU";
  static const enum order ORDERS[] = {ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL};
  unsigned kind = (unsigned)(strchr(KINDS, op->kind) - KINDS);
  struct instr instr = {.kind = (enum instr_kind[]){INSTR_LOAD, INSTR_STORE, INSTR_RMW}[kind],
                        .reg = reg,
                        .address = {.base = op->location, .size = 1},
                        .op = RMW_ADD,
                        .order = op->scope == 'n' ? ORDER_NA : ORDERS[kind],
                        .scope = scope_of(op->scope),
                        .tags = op->scope == 'D' || op->scope == 'S' ? tag_bit(TAG_REMOTE) : 0,
                        .barrier_label = -1};
  if (op->kind != 'R') instr.value = constant(arena, op->value);
  return instr;
}

static void build_thread(struct arena *arena, const struct small_program *p, unsigned t, struct thread *thread) {
  *thread = (struct thread){.name = arena_printf(arena, "P%u", t), .sg = t, .wg = p->wg[t], .dev = p->dev[t]};
  thread->instrs = ARENA_ARRAY(arena, struct instr, 2 * p->count[t]);
  thread->reg_names = ARENA_ARRAY(arena, const char *, p->count[t] + 1);
  thread->reg_init = ARENA_ARRAY(arena, int64_t, p->count[t] + 1);
  bool guarded = false;
  for (unsigned i = 0; i < p->count[t]; i++) {
    const struct small_op *op = &p->ops[t][i];
    if (op->guard && thread->reg_count > 0) {
      thread->instrs[thread->instr_count++] =
          (struct instr){.kind = INSTR_BRANCH, .value = guard_expr(arena, op->guard, thread->reg_count - 1)};
      guarded = true;
    }
    int reg = NO_REG;
    if (op->kind != 'W') {
      reg = (int)thread->reg_count++;
      thread->reg_names[reg] = arena_printf(arena, "r%d", reg);
      thread->reg_init[reg] = guarded ? -1 : 0;
    }
    thread->instrs[thread->instr_count++] = operation(arena, op, reg);
  }
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_BRANCH) thread->instrs[i].target = thread->instr_count;
}

/* Locations keep the numbers of the notation, so those between may be unused;
 * a location that any atomic operation touches is atomic. */
static void build_locations(struct arena *arena, const struct small_program *p, struct program *program) {
  program->locations = ARENA_ARRAY(arena, struct location, SMALL_LOCATIONS);
  for (unsigned t = 0; t < p->threads; t++) {
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      if (op->location >= program->location_count) program->location_count = op->location + 1u;
      if (op->scope != 'n') program->locations[op->location].atomic = true;
    }
  }
  for (unsigned i = 0; i < program->location_count; i++) {
    program->locations[i].name = LOCATION_NAMES[i];
    program->locations[i].region = REGION_GLOBAL;
  }
}

static unsigned highest(const uint8_t *at, unsigned count) {
  unsigned most = 0;
  for (unsigned i = 0; i < count; i++)
    if (at[i] > most) most = at[i];
  return most + 1;
}

static void observe(struct arena *arena, struct litmus_test *test) {
  VEC(struct observable) all = {0};
  const struct program *p = test->program;
  for (unsigned t = 0; t < p->thread_count; t++)
    for (unsigned r = 0; r < p->threads[t].reg_count; r++) *vec_push(arena, &all) = (struct observable){(int)t, r};
  for (unsigned i = 0; i < p->location_count; i++)
    if (p->locations[i].region != REGION_LOCAL) *vec_push(arena, &all) = (struct observable){-1, i};
  test->observables = all.at;
  test->observable_count = (unsigned)all.count;
}

struct litmus_test *small_wrap(struct arena *arena, struct program *program, const char *name) {
  static const struct prop TRUE_PROP = {.kind = PROP_TRUE};
  static const struct source NO_SOURCE = {"(generated)", "", 0};
  struct litmus_test *test = ARENA_NEW(arena, struct litmus_test);
  program->name = "generated";
  program->source = &NO_SOURCE;
  *test = (struct litmus_test){.name = name,
                               .language = LANG_OPENCL,
                               .source = &NO_SOURCE,
                               .program = program,
                               .quantifier = QUANT_EXISTS,
                               .condition = &TRUE_PROP,
                               .condition_text = "exists (true)"};
  observe(arena, test);
  return test;
}

struct litmus_test *small_test(struct arena *arena, const struct small_program *p) {
  struct program *program = ARENA_NEW(arena, struct program);
  program->thread_count = p->threads;
  program->threads = ARENA_ARRAY(arena, struct thread, p->threads);
  for (unsigned t = 0; t < p->threads; t++) build_thread(arena, p, t, &program->threads[t]);
  build_locations(arena, p, program);
  program->sg_count = p->threads;
  program->wg_count = highest(p->wg, p->threads);
  program->dev_count = highest(p->dev, p->threads);
  program->placed = true;
  return small_wrap(arena, program, "generated");
}

/* Enumeration: threads in the order of their lengths, operations one by one,
 * locations in the order of first use; a program is visited when no reordering
 * of threads of equal length gives one that comes earlier. */

struct generator {
  const struct small_family *family;
  bool (*visit)(void *context, const struct small_program *program);
  void *context;
  struct small_program program;
};

/* A program as a sequence of numbers; equal programs up to renaming have the
 * same least one. */
struct code {
  unsigned length;
  uint8_t at[SMALL_THREADS * (SMALL_OPS + 2)];
};

static uint8_t number_of(uint8_t *names, uint8_t *count, uint8_t value) {
  for (uint8_t i = 0; i < *count; i++)
    if (names[i] == value) return i;
  names[*count] = value;
  return (*count)++;
}

static struct code encode(const struct small_program *p, const unsigned *order) {
  struct code code = {0};
  uint8_t locations[SMALL_LOCATIONS], wgs[SMALL_THREADS], devs[SMALL_THREADS];
  uint8_t location_count = 0, wg_count = 0, dev_count = 0;
  for (unsigned k = 0; k < p->threads; k++) {
    unsigned t = order[k];
    for (unsigned i = 0; i < p->count[t]; i++) {
      const struct small_op *op = &p->ops[t][i];
      unsigned kind = op->kind == 'W' ? 0 : op->kind == 'R' ? 1 : 2;
      unsigned scope = (unsigned)(strchr(SCOPES, op->scope) - SCOPES);
      uint8_t location = number_of(locations, &location_count, op->location);
      code.at[code.length++] = (uint8_t)(((kind * 6 + scope) * 2 + (op->guard != 0)) * SMALL_LOCATIONS + location);
    }
  }
  for (unsigned k = 0; k < p->threads; k++) {
    uint8_t wg = number_of(wgs, &wg_count, p->wg[order[k]]), dev = number_of(devs, &dev_count, p->dev[order[k]]);
    code.at[code.length++] = (uint8_t)(wg * SMALL_THREADS + dev);
  }
  return code;
}

static bool same_lengths(const struct small_program *p, const unsigned *order) {
  for (unsigned k = 0; k < p->threads; k++)
    if (p->count[order[k]] != p->count[k]) return false;
  return true;
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

static bool is_least(const struct small_program *p) {
  unsigned order[SMALL_THREADS];
  for (unsigned i = 0; i < p->threads; i++) order[i] = i;
  struct code own = encode(p, order);
  while (permute(order, p->threads)) {
    if (!same_lengths(p, order)) continue;
    struct code other = encode(p, order);
    if (memcmp(other.at, own.at, own.length) < 0) return false;
  }
  return true;
}

/* The threads hang together by the locations they share. */
static bool connected(const struct small_program *p) {
  unsigned uses[SMALL_THREADS] = {0}, reached = 1, cells;
  for (unsigned t = 0; t < p->threads; t++)
    for (unsigned i = 0; i < p->count[t]; i++) uses[t] |= 1u << p->ops[t][i].location;
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

static bool is_past(const struct small_program *p, unsigned t) {
  return t >= p->threads || t >= SMALL_THREADS;
}

/* Placements: work-groups numbered by first use, each on a device. */
static bool place(struct generator *g, unsigned t, unsigned wgs) {
  struct small_program *p = &g->program;
  if (is_past(p, t)) return !is_least(p) || g->visit(g->context, p);
  for (unsigned w = 0; w <= wgs; w++) {
    unsigned devices = 0;
    for (unsigned u = 0; u < t; u++)
      if (p->dev[u] + 1u > devices) devices = p->dev[u] + 1u;
    unsigned first = 0, last = devices < g->family->devices ? devices : g->family->devices - 1;
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
  if (!g->family->guarded || p->count[t] < 2 || p->ops[t][0].kind == 'W') return true;
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
  unsigned scopes = g->family->devices > 1 ? 6 : 4;
  for (const char *kind = "WRU"; *kind; kind++) {
    for (unsigned s = *kind == 'U'; s < scopes; s++) {
      for (unsigned x = 0; x <= locations && x < 2; x++) {
        p->ops[t][i] = (struct small_op){.kind = *kind, .scope = SCOPES[s], .location = (uint8_t)x};
        if (!choose_op(g, t, i + 1, x == locations ? locations + 1 : locations)) return false;
      }
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

void small_generate(const struct small_family *family,
                    bool (*visit)(void *context, const struct small_program *program), void *context) {
  struct generator g = {.family = family, .visit = visit, .context = context, .program = {.threads = family->threads}};
  choose_lengths(&g, 0, 1);
}
