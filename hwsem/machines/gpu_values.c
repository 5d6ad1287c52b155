/* SPDX-License-Identifier: MIT */
/* Which values can each register and location of a program hold?  Few, as a
 * rule, so that states keep the number of a value in a list instead of the
 * value.
 *
 * The sets grow from the initial values, instruction by instruction, until
 * nothing is new.  Control flow is not looked at, but a read-modify-write that
 * is in no loop is applied once at most on the way to a value.  A set that grows
 * too large is abandoned: what it is for is then kept as it is, in `wide` form. */
#include <stdlib.h>

#include "checker/base/number.h"
#include "hwsem/machines/gpu_state.h"

enum { MOST_VALUES = 32 };

/* Values, each with the read-modify-writes it comes from. */
struct set {
  bool any; /* given up */
  unsigned count;
  int64_t values[MOST_VALUES];
  uint64_t used[MOST_VALUES];
};

struct flow {
  struct gpu *g;
  struct set *locations;
  struct set **regs; /* by thread */
  uint64_t **once;   /* by thread, instruction: the bit of a read-modify-write that is in no loop */
  bool changed;
};

static void give_up(struct flow *f, struct set *set) {
  f->changed |= !set->any;
  set->any = true;
}

static void add(struct flow *f, struct set *set, int64_t value, uint64_t used) {
  if (set->any) return;
  for (unsigned i = 0; i < set->count; i++)
    if (set->values[i] == value && set->used[i] == used) return;
  if (set->count == MOST_VALUES) {
    give_up(f, set);
    return;
  }
  set->values[set->count] = value;
  set->used[set->count++] = used;
  f->changed = true;
}

static void add_set(struct flow *f, struct set *to, const struct set *from) {
  if (from->any) give_up(f, to);
  for (unsigned i = 0; i < from->count; i++) add(f, to, from->values[i], 0);
}

/* What an expression can be; `out` is empty before. `scratch` stands for a flow
 * in which changes do not count. */
static void eval_set(struct flow *scratch, const struct set *regs, const struct expr *e, struct set *out) {
  static const struct set ZERO = {.count = 1};
  out->any = false;
  out->count = 0;
  if (e->kind == EXPR_CONST) {
    add(scratch, out, e->value, 0);
  } else if (e->kind == EXPR_REG) {
    add_set(scratch, out, &regs[e->reg]);
  } else if (expr_is_truth(e->kind)) {
    add(scratch, out, 0, 0);
    add(scratch, out, 1, 0);
  } else {
    struct set a = ZERO, b = ZERO, c = ZERO;
    if (e->a) eval_set(scratch, regs, e->a, &a);
    if (e->b) eval_set(scratch, regs, e->b, &b);
    if (e->c) eval_set(scratch, regs, e->c, &c);
    out->any = a.any || b.any || c.any;
    for (unsigned i = 0; i < a.count; i++)
      for (unsigned k = 0; k < b.count; k++)
        for (unsigned n = 0; n < c.count; n++)
          add(scratch, out, expr_apply(e->kind, a.values[i], b.values[k], c.values[n], NULL), 0);
  }
}

/* A read-modify-write by a function: `set` with the operands applied. */
static void apply(struct flow *f, struct set *set, const struct hw_instr *instr, const struct set *operands,
                  uint64_t once) {
  if (operands->any) give_up(f, set);
  unsigned count = set->count;
  for (unsigned i = 0; i < count && !set->any; i++) {
    if (set->used[i] & once) continue;
    for (unsigned k = 0; k < operands->count; k++)
      add(f, set, width_fit(instr->width, rmw_apply(instr->function, set->values[i], operands->values[k])),
          set->used[i] | once);
  }
}

static void execution_access(struct flow *f, struct set *regs, const struct hw_instr *instr, uint64_t once,
                             struct set *location) {
  struct flow scratch = {0};
  struct set operand;
  bool success = instr->op == HW_RMW && instr->cas && !instr->returns_old;
  if (instr->reg != NO_REG && success) {
    add(f, &regs[instr->reg], 0, 0);
    add(f, &regs[instr->reg], 1, 0);
  } else if (instr->reg != NO_REG && instr->op != HW_ST) {
    add_set(f, &regs[instr->reg], location);
  }
  if (instr->old_reg != NO_REG && instr->op == HW_RMW) add_set(f, &regs[instr->old_reg], location);
  if (instr->op == HW_LD) return;
  eval_set(&scratch, regs, instr->value, &operand);
  if (instr->op == HW_ST || instr->cas)
    add_set(f, location, &operand);
  else
    apply(f, location, instr, &operand, once);
}

static void follow(struct flow *f, unsigned t, unsigned pc) {
  const struct hw_instr *instr = &f->g->threads[t].code->instrs[pc];
  if (hw_is_access(instr->op)) {
    unsigned cells = address_cells(&instr->address);
    for (unsigned i = 0; i < cells; i++)
      execution_access(f, f->regs[t], instr, f->once[t][pc], &f->locations[instr->address.base + i]);
    /* Outside of its array an access reads 0. */
    if (instr->address.index && instr->reg != NO_REG) add(f, &f->regs[t][instr->reg], 0, 0);
    if (instr->address.index && instr->old_reg != NO_REG) add(f, &f->regs[t][instr->old_reg], 0, 0);
  } else if (instr->op == HW_ASSIGN && instr->reg != NO_REG) {
    struct flow scratch = {0};
    struct set value;
    eval_set(&scratch, f->regs[t], instr->value, &value);
    add_set(f, &f->regs[t][instr->reg], &value);
  }
}

/* Whether a jump backwards can bring instruction `pc` about again. */
static bool in_loop(const struct hw_thread *code, unsigned pc) {
  for (unsigned i = pc; i < code->instr_count; i++)
    if (hw_jumps(code->instrs[i].op) && code->instrs[i].destination <= pc) return true;
  return false;
}

static void start(struct arena *arena, struct flow *f) {
  const struct gpu *g = f->g;
  const struct program *program = g->program->program;
  unsigned bit = 0;
  f->locations = ARENA_ARRAY(arena, struct set, program->location_count + 1);
  for (unsigned i = 0; i < program->location_count; i++) add(f, &f->locations[i], program->locations[i].init, 0);
  f->regs = ARENA_ARRAY(arena, struct set *, g->thread_count + 1);
  f->once = ARENA_ARRAY(arena, uint64_t *, g->thread_count + 1);
  for (unsigned t = 0; t < g->thread_count; t++) {
    const struct hw_thread *code = g->threads[t].code;
    f->regs[t] = ARENA_ARRAY(arena, struct set, code->reg_count + 1);
    for (unsigned r = 0; r < code->reg_count; r++) add(f, &f->regs[t][r], code->reg_init[r], 0);
    f->once[t] = ARENA_ARRAY(arena, uint64_t, code->instr_count + 1);
    for (unsigned pc = 0; pc < code->instr_count; pc++)
      if (code->instrs[pc].op == HW_RMW && bit < 64 && !in_loop(code, pc)) f->once[t][pc] = UINT64_C(1) << bit++;
  }
}

/* The list of a set: its first value, which is the initial one, before the
 * others by size. */
static const struct domain *domain_of(struct arena *arena, const struct domain *wide, const struct set *set) {
  if (set->any) return wide;
  struct domain *domain = ARENA_NEW(arena, struct domain);
  int64_t *values = ARENA_ARRAY(arena, int64_t, set->count);
  for (unsigned i = 0; i < set->count; i++) {
    bool seen = false;
    for (unsigned k = 0; k < domain->count; k++) seen |= values[k] == set->values[i];
    if (!seen) values[domain->count++] = set->values[i];
  }
  qsort(values + 1, domain->count - 1, sizeof *values, number_compare);
  while (1u << domain->bits < domain->count) domain->bits++;
  domain->values = values;
  return domain->bits < wide->bits ? domain : wide;
}

void gpu_find_values(struct arena *arena, struct gpu *g, bool all_wide) {
  struct flow f = {.g = g};
  struct domain *wide = ARENA_MAKE(arena, struct domain, .bits = g->value_bits);
  unsigned location_count = g->program->program->location_count;
  if (!all_wide) {
    start(arena, &f);
    do {
      f.changed = false;
      for (unsigned t = 0; t < g->thread_count; t++)
        for (unsigned pc = 0; pc < g->threads[t].code->instr_count; pc++) follow(&f, t, pc);
    } while (f.changed);
  }
  g->domains = ARENA_ARRAY(arena, const struct domain *, location_count + 1);
  for (unsigned i = 0; i < location_count; i++)
    g->domains[i] = all_wide ? wide : domain_of(arena, wide, &f.locations[i]);
  for (unsigned t = 0; t < g->thread_count; t++) {
    unsigned count = g->threads[t].code->reg_count;
    g->threads[t].domains = ARENA_ARRAY(arena, const struct domain *, count + 1);
    for (unsigned r = 0; r < count; r++)
      g->threads[t].domains[r] = all_wide ? wide : domain_of(arena, wide, &f.regs[t][r]);
  }
}
