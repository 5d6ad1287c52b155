/* SPDX-License-Identifier: MIT */
/* From the families' notation to tests. */
#include "checker/verify/notation.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/vec.h"
#include "checker/program/program.h"
#include "checker/verify/small_program.h"

static const char LOCATIONS[] = "xyzuvwab"; /* the last two are local */
enum { LOCATION_COUNT = sizeof LOCATIONS - 1, FIRST_LOCAL = LOCATION_COUNT - 2, THREADS = 8 };

struct notation {
  struct arena *arena;
  const char *at;
  struct program *program;
  struct thread *thread;
  VEC(struct instr) code;
  VEC(const char *) registers;
  VEC(int64_t) initial;
  unsigned cell[LOCATION_COUNT]; /* of each letter, in the program */
  bool atomic[LOCATION_COUNT];
  bool guarded;
  unsigned writes;
};

static const struct expr *constant(struct notation *n, int64_t value) {
  struct expr *e = ARENA_NEW(n->arena, struct expr);
  *e = (struct expr){.kind = EXPR_CONST, .value = value};
  return e;
}

static const struct expr *register_value(struct notation *n, unsigned reg) {
  struct expr *e = ARENA_NEW(n->arena, struct expr);
  *e = (struct expr){.kind = EXPR_REG, .reg = reg};
  return e;
}

static struct instr *emit(struct notation *n, enum instr_kind kind) {
  struct instr *instr = vec_push(n->arena, &n->code);
  *instr = (struct instr){.kind = kind, .reg = NO_REG, .barrier_label = -1};
  return instr;
}

static int new_register(struct notation *n) {
  unsigned reg = (unsigned)n->registers.count;
  *vec_push(n->arena, &n->registers) = arena_printf(n->arena, "r%u", reg);
  *vec_push(n->arena, &n->initial) = n->guarded ? -1 : 0;
  return (int)reg;
}

static bool take_scope(struct notation *n, enum scope *scope) {
  static const char SCOPES[] = "nwds";
  static const enum scope MEANT[] = {SCOPE_NONE, SCOPE_WG, SCOPE_DEV, SCOPE_SYS};
  const char *found = *n->at ? strchr(SCOPES, *n->at) : NULL;
  if (!found) return false;
  *scope = MEANT[found - SCOPES];
  n->at++;
  return true;
}

static enum order take_order(struct notation *n, enum order usual) {
  static const char ORDERS[] = "rcqla";
  static const enum order MEANT[] = {ORDER_RLX, ORDER_SC, ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL};
  const char *found = *n->at ? strchr(ORDERS, *n->at) : NULL;
  if (!found) return usual;
  n->at++;
  return MEANT[found - ORDERS];
}

static bool parse_fence(struct notation *n) {
  struct instr *instr = emit(n, INSTR_FENCE);
  instr->regions = REGION_GLOBAL | REGION_LOCAL;
  if (!take_scope(n, &instr->scope) || instr->scope == SCOPE_NONE) return false;
  instr->order = take_order(n, ORDER_ACQ_REL);
  return true;
}

static void add_barrier(struct notation *n) {
  struct instr *instr = emit(n, INSTR_BARRIER);
  instr->scope = SCOPE_WG;
  instr->order = ORDER_ACQ_REL;
  instr->regions = REGION_GLOBAL | REGION_LOCAL;
}

static enum order failure_order(enum order order) {
  return order == ORDER_ACQ_REL ? ORDER_ACQ : order == ORDER_REL ? ORDER_RLX : order;
}

static bool parse_access(struct notation *n, char kind) {
  static const char KINDS[] = "RWUXC";
  static const enum instr_kind MEANT[] = {INSTR_LOAD, INSTR_STORE, INSTR_RMW, INSTR_RMW, INSTR_CAS};
  static const enum order USUAL[] = {ORDER_ACQ, ORDER_REL, ORDER_ACQ_REL, ORDER_ACQ_REL, ORDER_ACQ_REL};
  const char *found = strchr(KINDS, kind), *letter = *n->at ? strchr(LOCATIONS, *n->at) : NULL;
  if (!found || !letter) return false;
  n->at++;
  struct instr *instr = emit(n, MEANT[found - KINDS]);
  unsigned location = (unsigned)(letter - LOCATIONS);
  if (!take_scope(n, &instr->scope) || (instr->scope == SCOPE_NONE && found > KINDS + 1)) return false;
  instr->address = (struct address){.base = location, .size = 1};
  instr->order = instr->scope == SCOPE_NONE ? ORDER_NA : take_order(n, USUAL[found - KINDS]);
  n->atomic[location] |= instr->scope != SCOPE_NONE;
  instr->op = kind == 'U' ? RMW_ADD : RMW_EXCHANGE;
  if (kind != 'R') instr->value = constant(n, (int64_t)1 << n->writes++);
  if (kind == 'C') {
    instr->expected = constant(n, 0);
    instr->failure = failure_order(instr->order);
  }
  if (kind != 'W') instr->reg = new_register(n);
  return true;
}

static bool add_guard(struct notation *n, char guard) {
  if (!n->registers.count) return false;
  struct expr *e = ARENA_NEW(n->arena, struct expr);
  *e = (struct expr){.kind = guard == '!' ? EXPR_NE : EXPR_EQ,
                     .a = register_value(n, (unsigned)n->registers.count - 1),
                     .b = constant(n, 0)};
  struct instr *branch = emit(n, INSTR_BRANCH);
  branch->value = e;
  branch->condition = (unsigned)n->code.count; /* nothing but the branch */
  n->guarded = true;
  return true;
}

static bool parse_item(struct notation *n) {
  char c = *n->at++;
  if (c == '!' || c == '=') return add_guard(n, c);
  if (c == 'F') return parse_fence(n);
  if (c == 'B') {
    add_barrier(n);
    return true;
  }
  return parse_access(n, c);
}

static void begin_thread(struct notation *n) {
  struct program *p = n->program;
  n->thread = &p->threads[p->thread_count];
  *n->thread = (struct thread){.name = arena_printf(n->arena, "P%u", p->thread_count), .sg = p->thread_count};
  p->thread_count++;
  n->code.at = NULL;
  n->code.count = n->code.room = 0;
  n->registers.at = NULL;
  n->registers.count = n->registers.room = 0;
  n->initial.at = NULL;
  n->initial.count = n->initial.room = 0;
  n->guarded = false;
}

static void end_thread(struct notation *n) {
  for (size_t i = 0; i < n->code.count; i++)
    if (n->code.at[i].kind == INSTR_BRANCH) n->code.at[i].target = (unsigned)n->code.count;
  n->thread->instrs = n->code.at;
  n->thread->instr_count = (unsigned)n->code.count;
  n->thread->reg_names = n->registers.at;
  n->thread->reg_init = n->initial.at;
  n->thread->reg_count = (unsigned)n->registers.count;
}

static bool parse_threads(struct notation *n) {
  begin_thread(n);
  while (*n->at) {
    if (*n->at == ' ') {
      n->at++;
    } else if (*n->at == '|') {
      if (n->code.count == 0 || n->program->thread_count == THREADS) return false;
      end_thread(n);
      begin_thread(n);
      n->at++;
    } else if (!parse_item(n)) {
      return false;
    }
  }
  end_thread(n);
  return n->thread->instr_count > 0;
}

/* x, y and z, used or not, so that they keep their numbers and a write-back
 * passes the queues of all three in every program; further global locations up
 * to the last one used; local ones behind them. */
static void place_locations(struct notation *n) {
  struct program *p = n->program;
  bool used[LOCATION_COUNT] = {false};
  unsigned last = 3;
  for (unsigned t = 0; t < p->thread_count; t++)
    for (unsigned i = 0; i < p->threads[t].instr_count; i++)
      if (instr_is_access(&p->threads[t].instrs[i])) used[p->threads[t].instrs[i].address.base] = true;
  for (unsigned x = 0; x < FIRST_LOCAL; x++)
    if (used[x] && x >= last) last = x + 1;
  bool local = used[FIRST_LOCAL] || used[FIRST_LOCAL + 1];
  p->locations = ARENA_ARRAY(n->arena, struct location, LOCATION_COUNT);
  for (unsigned x = 0; x < LOCATION_COUNT; x++) {
    if (x < FIRST_LOCAL ? x >= last : !local) continue;
    n->cell[x] = p->location_count;
    p->locations[p->location_count++] = (struct location){.name = arena_strndup(n->arena, &LOCATIONS[x], 1),
                                                          .region = x < FIRST_LOCAL ? REGION_GLOBAL : REGION_LOCAL,
                                                          .atomic = n->atomic[x]};
  }
  for (unsigned t = 0; t < p->thread_count; t++)
    for (unsigned i = 0; i < p->threads[t].instr_count; i++)
      if (instr_is_access(&p->threads[t].instrs[i]))
        p->threads[t].instrs[i].address.base = n->cell[p->threads[t].instrs[i].address.base];
}

static bool place_threads(struct program *p, const char *groups) {
  for (unsigned t = 0; t < p->thread_count; t++) {
    if (!isdigit((unsigned char)*groups)) return false;
    p->threads[t].wg = (unsigned)(*groups++ - '0');
    if (p->threads[t].wg >= p->wg_count) p->wg_count = p->threads[t].wg + 1;
    if (*groups == ',') groups++;
  }
  p->sg_count = p->thread_count;
  p->dev_count = 1;
  p->placed = true;
  return !*groups;
}

struct litmus_test *notation_test(struct arena *arena, const char *text, const char *groups, const char **at) {
  struct program *program = ARENA_NEW(arena, struct program);
  struct notation n = {.arena = arena, .at = text, .program = program};
  program->threads = ARENA_ARRAY(arena, struct thread, THREADS);
  bool good = parse_threads(&n);
  *at = n.at;
  if (!good || !place_threads(program, groups)) return NULL;
  place_locations(&n);
  return small_wrap(arena, program, text);
}
