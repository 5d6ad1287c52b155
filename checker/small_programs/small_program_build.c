/* SPDX-License-Identifier: MIT */
/* Small programs as tests: what the front end of their language makes of what
 * small_program_text.h prints, built without a text between, since sweeps ask for
 * millions of them. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/program/program.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

struct builder {
  struct arena *arena;
  const struct small_program *p;
  bool local; /* some operation is in local memory */
};

static const struct expr *compare(struct arena *arena, enum expr_kind kind, unsigned reg) {
  return expr_new(arena, kind, expr_register(arena, reg), expr_constant(arena, 0), NULL);
}

/* Operations. */

static enum scope scope_of(char letter) {
  static const enum scope SCOPES[] = {SCOPE_NONE, SCOPE_NONE, SCOPE_WG,  SCOPE_QF,
                                      SCOPE_DEV,  SCOPE_DEV,  SCOPE_SYS, SCOPE_SYS};
  return SCOPES[strchr(SMALL_SCOPES, letter) - SMALL_SCOPES];
}

static enum order order_of(const struct small_op *op) {
  static const enum order ORDERS[] = {ORDER_NA, ORDER_RLX, ORDER_SC, ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL};
  return op->kind == 'B' ? ORDER_NA : ORDERS[strchr("n" SMALL_ORDERS, small_order(op)) - "n" SMALL_ORDERS];
}

/* Of what a fence or barrier orders. */
static unsigned regions_of(const struct builder *b) {
  const struct small_language *language = b->p->language;
  return language->names_ordered && !b->local ? language->ordered & REGION_GLOBAL : language->ordered;
}

static enum order failure_order(enum order order) {
  return order == ORDER_ACQ_REL ? ORDER_ACQ : order == ORDER_REL ? ORDER_RLX : order;
}

static struct instr operation(const struct builder *b, const struct small_op *op, int reg) {
  static const enum instr_kind INSTRS[] = {INSTR_STORE, INSTR_LOAD, INSTR_RMW,    INSTR_FENCE,
                                           INSTR_RMW,   INSTR_CAS,  INSTR_BARRIER};
  struct instr instr = {.kind = INSTRS[strchr(SMALL_KINDS, op->kind) - SMALL_KINDS],
                        .reg = reg,
                        .op = op->kind == 'U' ? RMW_ADD : 0,
                        .order = order_of(op),
                        .scope = scope_of(op->scope),
                        .tags = small_is_remote(op) ? tag_bit(TAG_REMOTE) : 0,
                        .barrier_label = -1};
  if (small_is_access(op))
    instr.address = (struct address){.base = op->location, .size = 1};
  else
    instr.regions = regions_of(b);
  if (small_writes(op)) instr.value = expr_constant(b->arena, op->value);
  if (op->kind == 'X') instr.op = RMW_EXCHANGE;
  if (op->kind == 'C') {
    instr.expected = expr_constant(b->arena, 0);
    instr.failure = failure_order(instr.order);
  }
  if (b->p->language->mark) b->p->language->mark(&instr);
  return instr;
}

/* Threads. */

static unsigned add_register(struct builder *b, struct thread *thread, const char *name, int64_t initial) {
  thread->reg_names[thread->reg_count] = name;
  thread->reg_init[thread->reg_count] = initial;
  (void)b;
  return thread->reg_count++;
}

static void add_instr(struct thread *thread, struct instr instr) {
  thread->instrs[thread->instr_count++] = instr;
}

/* A branch to the thread's end, on what was read last, or on a register of conditions where
 * that is not 0. */
static void add_guard(struct builder *b, struct thread *thread, char guard, int last, int *flag) {
  enum expr_kind wanted = guard == '!' ? EXPR_NE : EXPR_EQ, other = guard == '!' ? EXPR_EQ : EXPR_NE;
  const struct expr *condition = compare(b->arena, wanted, (unsigned)last);
  const char *flag_name = b->p->language->condition;
  if (flag_name) {
    if (*flag < 0) *flag = (int)add_register(b, thread, flag_name, 0);
    add_instr(thread, (struct instr){.kind = INSTR_ASSIGN,
                                     .reg = *flag,
                                     .value = compare(b->arena, other, (unsigned)last),
                                     .barrier_label = -1});
    condition = expr_new(b->arena, EXPR_LNOT, expr_register(b->arena, (unsigned)*flag), NULL, NULL);
  }
  add_instr(thread, (struct instr){.kind = INSTR_BRANCH,
                                   .reg = NO_REG,
                                   .value = condition,
                                   .barrier_label = -1,
                                   .condition = b->p->language->functions ? thread->instr_count + 1 : 0});
}

/* The names of registers: more than a thread can have. */
static const char *const REGISTERS[] = {"r0", "r1", "r2", "r3", "r4", "r5", "r6", "r7", "r8", "r9", "r10", "r11"};
_Static_assert(ARRAY_COUNT(REGISTERS) >= SMALL_OPS, "a name for each operation's register");
static const char *const THREADS[] = {"P0", "P1", "P2", "P3", "P4", "P5", "P6", "P7"};
_Static_assert(ARRAY_COUNT(THREADS) >= SMALL_THREADS, "a name for each thread");

static void build_thread(struct builder *b, unsigned t, struct thread *thread) {
  const struct small_program *p = b->p;
  *thread = (struct thread){.name = THREADS[t], .sg = t, .wg = p->wg[t], .dev = p->dev[t]};
  thread->qf = p->dev[t]; /* where there are no queue families, a device is one */
  if (p->language->families) thread->dev = 0;
  thread->instrs = ARENA_ARRAY(b->arena, struct instr, 3 * p->count[t]);
  thread->reg_names = ARENA_ARRAY(b->arena, const char *, p->count[t] + 1);
  thread->reg_init = ARENA_ARRAY(b->arena, int64_t, p->count[t] + 1);
  int flag = -1, last = NO_REG;
  unsigned named = 0;
  bool guarded = false;
  ARRAY_EACH (const struct small_op, op, p->ops[t], p->count[t]) {
    if (op->guard && last != NO_REG) {
      add_guard(b, thread, op->guard, last, &flag);
      guarded = true;
    }
    int reg = NO_REG;
    if (small_reads(op)) reg = last = (int)add_register(b, thread, REGISTERS[named++], guarded ? -1 : 0);
    add_instr(thread, operation(b, op, reg));
  }
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_BRANCH) thread->instrs[i].target = thread->instr_count;
}

/* Global locations keep the numbers of the notation, so those between may be unused; local
 * ones that are used come after. Functions of C declare as atomic what any atomic operation touches;
 * columns declare nothing. */
static void build_locations(struct builder *b, struct program *program) {
  bool declared = b->p->language->functions, atomic[SMALL_LOCATIONS] = {false};
  bool used[SMALL_LOCATIONS] = {false};
  unsigned globals = b->p->globals, at[SMALL_LOCATIONS] = {0};
  program->locations = ARENA_ARRAY(b->arena, struct location, SMALL_LOCATIONS);
  for (unsigned t = 0; t < b->p->threads; t++)
    ARRAY_EACH (const struct small_op, op, b->p->ops[t], b->p->count[t]) {
      if (!small_is_access(op)) continue;
      if (op->location < SMALL_GLOBALS && op->location >= globals) globals = op->location + 1u;
      atomic[op->location] |= op->scope != 'n';
      used[op->location] = true;
    }
  for (unsigned i = 0; i < SMALL_LOCATIONS; i++) {
    if (i < SMALL_GLOBALS ? i >= globals : !used[i]) continue;
    at[i] = program->location_count;
    program->locations[program->location_count++] =
        (struct location){.name = small_location_names[i],
                          .region = i < SMALL_GLOBALS ? REGION_GLOBAL : REGION_LOCAL,
                          .atomic = atomic[i] || !declared || !used[i]};
  }
  INSTR_EACH (instr, program)
    if (instr_is_access(instr)) instr->address.base = at[instr->address.base];
}

static unsigned highest(const uint8_t *at, unsigned count) {
  unsigned most = 0;
  for (unsigned i = 0; i < count; i++)
    if (at[i] > most) most = at[i];
  return most + 1;
}

/* All but registers of conditions. */
static void observe(struct arena *arena, struct litmus_test *test) {
  VEC(struct observable) all = {0};
  const struct program *p = test->program;
  for (unsigned t = 0; t < p->thread_count; t++)
    for (unsigned r = 0; r < p->threads[t].reg_count; r++)
      if (p->threads[t].reg_names[r][0] == 'r') *vec_push(arena, &all) = (struct observable){(int)t, r};
  for (unsigned i = 0; i < p->location_count; i++)
    if (p->locations[i].region != REGION_LOCAL) *vec_push(arena, &all) = (struct observable){-1, i};
  /* The first three are called x, y and z. */
  if (p->location_count > 3) observables_sort(p, all.at, all.count);
  test->observables = all.at;
  test->observable_count = (unsigned)all.count;
}

static struct litmus_test *wrap(struct arena *arena, struct program *program, enum litmus_language language) {
  static const struct prop TRUE_PROP = {.kind = PROP_TRUE};
  static const struct source NO_SOURCE = {"(generated)", "", 0};
  struct litmus_test *test = ARENA_NEW(arena, struct litmus_test);
  program->name = "generated";
  program->source = &NO_SOURCE;
  *test = (struct litmus_test){.name = "generated",
                               .language = language,
                               .source = &NO_SOURCE,
                               .program = program,
                               .quantifier = QUANT_EXISTS,
                               .condition = &TRUE_PROP,
                               .condition_text = "exists (true)"};
  observe(arena, test);
  return test;
}

static struct litmus_test *read_text(struct arena *arena, const struct small_program *p, struct diags *diags) {
  const struct source *source = small_source(arena, p, "(generated)", "generated", NULL, "exists (true)");
  return litmus_parse(arena, source, NULL, diags);
}

const char *small_fault(struct arena *arena, const struct small_program *p) {
  struct diags diags = diags_new(arena);
  return read_text(arena, p, &diags) ? NULL : diags.at[0].message;
}

struct litmus_test *small_test(struct arena *arena, const struct small_program *p) {
  struct diags diags = diags_new(arena);
  enum small_reading reading = p->language->reading;
  bool special = p->clusters || small_classes(p) != 1 || (reading == SMALL_READ_SPECIAL && small_is_special(p));
  if (small_has_dependencies(p) || special || reading == SMALL_READ_ALL) return read_text(arena, p, &diags);
  struct builder b = {arena, p, small_uses_local(p)};
  struct program *program = ARENA_NEW(arena, struct program);
  litmus_set_traits(p->language->tests, program);
  program->thread_count = p->threads;
  program->threads = ARENA_ARRAY(arena, struct thread, p->threads);
  for (unsigned t = 0; t < p->threads; t++) build_thread(&b, t, &program->threads[t]);
  build_locations(&b, program);
  program->sg_count = p->threads;
  program->wg_count = highest(p->wg, p->threads);
  program->qf_count = highest(p->dev, p->threads);
  program->dev_count = p->language->families ? 1 : program->qf_count;
  program->placed = small_is_scoped(p->language);
  return wrap(arena, program, p->language->tests);
}
