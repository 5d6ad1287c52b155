/* SPDX-License-Identifier: MIT */
/* Each register and each location has one range, which joins all that is ever assigned to it. Ranges grow from none
 * until they cover every step of every thread; those that go on growing become any. A location to which instructions
 * outside of loops add constants, and nothing else writes, holds at most the sum of these: the writes that a value
 * comes from are all different. */
#include "checker/solve/location_ranges.h"

#include "checker/base/rel.h"
#include "checker/exec/loops/idle_iterations.h"

enum { PATIENCE = 6 };

struct ranging {
  const struct program *program;
  struct range **registers; /* by thread and register */
  struct range *holds;      /* by location */
  int64_t *added;           /* by location: all that is added to it; negative: something else is written, too */
  unsigned round;
  bool moved;
};

static void widen(struct ranging *r, struct range *range, struct range by) {
  if (!range_widen(range, by)) return;
  if (r->round > PATIENCE) *range = range_any;
  r->moved = true;
}

/* ---- Sums --------------------------------------------------------------------------------------------- */

/* A constant that is added once; 0: it does something else. */
static int64_t adds_once(const struct thread *thread, unsigned i) {
  const struct instr *instr = &thread->instrs[i];
  bool adds = instr->kind == INSTR_RMW && instr->op == RMW_ADD && !instr->address.index &&
              instr->value->kind == EXPR_CONST && instr->value->value > 0 && instr->value->value < INT16_MAX;
  return adds && (!instr->width.bits || instr->width.bits >= 32) && !thread_loops_at(thread, i) ? instr->value->value
                                                                                                : 0;
}

static void find_sums(struct ranging *r) {
  const struct program *program = r->program;
  for (unsigned t = 0; t < program->thread_count; t++)
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *instr = &program->threads[t].instrs[i];
      int64_t added = adds_once(&program->threads[t], i);
      for (unsigned x = 0; x < program->location_count; x++)
        if (instr_writes(program, instr, x)) r->added[x] = added && r->added[x] >= 0 ? r->added[x] + added : -1;
    }
  for (unsigned x = 0; x < program->location_count; x++) {
    int64_t init = program->locations[x].init;
    if (program->locations[x].any || r->added[x] > INT16_MAX || init < 0 || init > INT16_MAX) r->added[x] = -1;
  }
}

/* ---- Values that depend on themselves ------------------------------------------------------------------ */

enum { MOST_SLOTS = 1024 };

/* A relation of slots, which are locations and all threads' registers: to those whose values are made of it. */
struct flow {
  const struct ranging *r;
  struct shape shape;
  word *into;
  unsigned first; /* slot of the register 0 of the thread that is gone through */
  unsigned to;    /* slot that a value goes to */
};

static bool add_register(void *context, unsigned reg) {
  const struct flow *f = context;
  set_add(rel_row(f->shape, f->into, f->first + reg), f->to);
  return true;
}

static void flows_from(struct flow *f, const struct address *address) {
  for (unsigned i = 0; i < address_cells(address); i++)
    if (address_may_have(address, i)) set_add(rel_row(f->shape, f->into, address->base + i), f->to);
}

static void flows_to(struct flow *f, const struct instr *instr, const struct address *address) {
  for (unsigned i = 0; i < address_cells(address); i++) {
    f->to = address->base + i;
    if (!address_may_have(address, i) || f->r->added[f->to] > 0) continue;
    expr_registers(instr->value, add_register, f);
    if (instr->kind == INSTR_RMW) flows_from(f, &instr->address);
  }
}

static void add_flow(struct flow *f, const struct instr *instr) {
  if (instr->kind == INSTR_STORE || instr->kind == INSTR_RMW || instr->kind == INSTR_CAS)
    flows_to(f, instr, &instr->address);
  for (unsigned i = 0; instr->kind == INSTR_CAS && instr->writeback && i < address_cells(&instr->expected_at); i++) {
    f->to = instr->expected_at.base + i;
    flows_from(f, &instr->address);
  }
  if (instr->reg == NO_REG) return;
  f->to = f->first + (unsigned)instr->reg;
  if (instr->kind == INSTR_ASSIGN) expr_registers(instr->value, add_register, f);
  if (instr_is_access(instr)) flows_from(f, &instr->address);
}

/* A location whose value may be made of itself may then hold anything; one that is only added to cannot: nothing is
 * more than itself.  false: there is too much to be asked. */
static bool find_circles(struct ranging *r) {
  const struct program *program = r->program;
  unsigned count = program->location_count;
  for (unsigned t = 0; t < program->thread_count; t++) count += program->threads[t].reg_count;
  if (count > MOST_SLOTS) return false;
  struct arena *arena = arena_new();
  struct flow f = {.r = r, .shape = shape_of(count), .first = program->location_count};
  f.into = ARENA_ARRAY(arena, word, rel_words(f.shape));
  for (unsigned t = 0; t < program->thread_count; t++) {
    for (unsigned i = 0; i < program->threads[t].instr_count; i++) add_flow(&f, &program->threads[t].instrs[i]);
    f.first += program->threads[t].reg_count;
  }
  rel_close(f.shape, f.into);
  for (unsigned x = 0; x < program->location_count; x++)
    if (rel_has(f.shape, f.into, x, x)) r->holds[x] = range_any;
  arena_free(arena);
  return true;
}

/* ---- Steps -------------------------------------------------------------------------------------------- */

static struct range held(const struct ranging *r, const struct address *address) {
  struct range all = range_none;
  for (unsigned i = 0; i < address_cells(address); i++)
    if (address_may_have(address, i)) range_widen(&all, r->holds[address->base + i]);
  return all;
}

static void store(struct ranging *r, const struct address *address, struct range value) {
  for (unsigned i = 0; i < address_cells(address); i++)
    if (address_may_have(address, i)) widen(r, &r->holds[address->base + i], value);
}

static void step_rmw(struct ranging *r, unsigned thread, unsigned i) {
  const struct instr *instr = &r->program->threads[thread].instrs[i];
  int64_t added = r->added[instr->address.base], init = r->program->locations[instr->address.base].init;
  struct range old = held(r, &instr->address);
  if (!instr->address.index && added >= 0) {
    old = (struct range){init, init + added - instr->value->value};
    widen(r, &r->holds[instr->address.base], (struct range){init, init + added});
  } else {
    store(r, &instr->address, range_any);
  }
  if (instr->reg != NO_REG) widen(r, &r->registers[thread][instr->reg], old);
}

static void step_cas(struct ranging *r, unsigned thread, const struct instr *instr) {
  const struct range *registers = r->registers[thread];
  struct range old = held(r, &instr->address);
  store(r, &instr->address, instr->unless ? range_any : range_of(instr->value, registers));
  if (instr->expected_in_memory && instr->writeback) store(r, &instr->expected_at, old);
  if (instr->reg == NO_REG) return;
  widen(r, &r->registers[thread][instr->reg], instr->returns_old ? old : (struct range){0, 1});
}

static void step(struct ranging *r, unsigned thread, unsigned i) {
  const struct instr *instr = &r->program->threads[thread].instrs[i];
  struct range *registers = r->registers[thread];
  if (instr->kind == INSTR_RMW) step_rmw(r, thread, i);
  if (instr->kind == INSTR_CAS) step_cas(r, thread, instr);
  if (instr->kind == INSTR_STORE) store(r, &instr->address, range_of(instr->value, registers));
  if (instr->reg == NO_REG) return;
  if (instr->kind == INSTR_LOAD) widen(r, &registers[instr->reg], held(r, &instr->address));
  if (instr->kind == INSTR_ASSIGN) widen(r, &registers[instr->reg], range_of(instr->value, registers));
}

/* ---- All of them ---------------------------------------------------------------------------------------- */

static bool is_plain(const struct instr *instr) {
  return (instr_is_access(instr) && instr->kind != INSTR_LOCK) || instr->kind == INSTR_FENCE ||
         instr->kind == INSTR_BARRIER || instr->kind == INSTR_MEET || instr->kind == INSTR_MARK ||
         instr->kind == INSTR_ASSIGN || instr_jumps(instr);
}

/* Names of one another's memory, locks, copies and objects are left alone. */
static bool can_tell(const struct program *program) {
  for (unsigned x = 0; x < program->location_count; x++)
    if (program->locations[x].physical) return false;
  INSTR_EACH (instr, program)
    if (!is_plain(instr)) return false;
  return !program->addresses && !program->object_count;
}

const struct range *location_ranges(struct arena *arena, const struct program *program, bool thin_air) {
  if (!can_tell(program)) return NULL;
  struct ranging r = {.program = program,
                      .registers = ARENA_ARRAY(arena, struct range *, program->thread_count),
                      .holds = ARENA_ARRAY(arena, struct range, program->location_count + 1u),
                      .added = ARENA_ARRAY(arena, int64_t, program->location_count + 1u),
                      .moved = true};
  for (unsigned x = 0; x < program->location_count; x++) r.holds[x] = range_at_first(&program->locations[x]);
  for (unsigned t = 0; t < program->thread_count; t++) {
    const struct thread *thread = &program->threads[t];
    r.registers[t] = ARENA_ARRAY(arena, struct range, thread->reg_count + 1u);
    for (unsigned reg = 0; reg < thread->reg_count; reg++)
      r.registers[t][reg] = (struct range){thread->reg_init[reg], thread->reg_init[reg]};
  }
  find_sums(&r);
  if (thin_air && !find_circles(&r)) return NULL;
  for (; r.moved; r.round++) {
    r.moved = false;
    for (unsigned t = 0; t < program->thread_count; t++)
      for (unsigned i = 0; i < program->threads[t].instr_count; i++) step(&r, t, i);
  }
  return r.holds;
}
