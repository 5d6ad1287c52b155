/* SPDX-License-Identifier: MIT */
/* Threads in C's statements: tree to instructions.
 *
 * Registers are by name, one of a name in each thread, as in herd: blocks do
 * not make new ones.  A name is a location when it is a parameter of the thread
 * or is in the init section, unless the thread declares it; every other name is
 * a register.  An expression becomes a pure `struct expr` over registers; what
 * touches memory inside it is done before, from left to right, into temporaries.
 */
#include <string.h>

#include "checker/litmus/lowering.h"

static void lower_into(struct lowering *l, const struct ast_expr *e, unsigned reg);
static void lower_effect(struct lowering *l, const struct ast_expr *e);

struct instr *lowering_emit(struct lowering *l, enum instr_kind kind, struct span span) {
  return draft_emit(l->draft, l->thread, kind, span);
}

static unsigned here(const struct lowering *l) {
  return (unsigned)l->thread->code.count;
}

/* --- names ---------------------------------------------------------------------------- */

static bool is_parameter(const struct lowering *l, const char *name) {
  for (size_t i = 0; i < l->tree->parameters.count; i++)
    if (!strcmp(l->tree->parameters.at[i], name)) return true;
  return false;
}

static const struct array *find_array(const struct lowering *l, const char *name) {
  for (size_t i = 0; i < l->arrays.count; i++)
    if (!strcmp(l->arrays.at[i].name, name)) return &l->arrays.at[i];
  return NULL;
}

static const struct draft_location *find_location(const struct lowering *l, const char *name) {
  if (draft_find_register(l->thread, name) >= 0 || find_array(l, name)) return NULL;
  return draft_find_location(l->draft, name);
}

/* After an error there may be no such register. */
static void mark_assigned(struct lowering *l, unsigned reg) {
  if (reg < l->thread->registers.count) l->thread->registers.at[reg].assigned = true;
}

/* The array of registers that `e`, such as a[i], is an element of; NULL: none. */
static const struct array *array_of(const struct lowering *l, const struct ast_expr *e) {
  return e->kind == AST_INDEX && e->a->kind == AST_NAME ? find_array(l, e->a->name) : NULL;
}

static unsigned declare_register(struct lowering *l, const struct ast_stmt *s) {
  if (is_parameter(l, s->name))
    reader_fail(&l->draft->reader, s->span, "'%s' is already a parameter of the thread", s->name);
  unsigned reg = draft_use_register(l->draft, l->thread, s->name, s->span);
  mark_assigned(l, reg);
  return reg;
}

static unsigned use_register(struct lowering *l, const struct ast_expr *e) {
  if (find_array(l, e->name))
    reader_fail(&l->draft->reader, e->span, "'%s' is an array: name a cell, such as %s[0]", e->name, e->name);
  if (find_location(l, e->name)) {
    reader_fail(&l->draft->reader, e->span, "'%s' is a location: its value is written '*%s', its address '&%s'",
                e->name, e->name, e->name);
    return 0;
  }
  return draft_use_register(l->draft, l->thread, e->name, e->span);
}

static const struct expr *register_value(struct lowering *l, unsigned reg) {
  return draft_register_value(l->draft, reg);
}

const struct expr *lowering_temporary(struct lowering *l, unsigned *reg) {
  *reg = draft_new_temporary(l->draft, l->thread);
  return register_value(l, *reg);
}

/* --- addresses --------------------------------------------------------------------------- */

static void fail_address(struct lowering *l, const struct ast_expr *e) {
  if (e->kind != AST_NAME) {
    reader_fail(&l->draft->reader, e->span, "expected a location");
    return;
  }
  struct draft *draft = l->draft;
  const char **words = ARENA_ARRAY(draft->reader.arena, const char *, draft->locations.count + 1);
  for (size_t i = 0; i < draft->locations.count; i++) words[i] = draft->locations.at[i].name;
  reader_fail(&draft->reader, e->span, "'%s' is not a location%s", e->name,
              reader_hint(&draft->reader, e->name, words));
}

static struct address add_index(struct lowering *l, struct address address, const struct expr *index) {
  address.index = address.index ? draft_operation(l->draft, EXPR_ADD, address.index, index, NULL) : index;
  return address;
}

static const char *location_name(const struct lowering *l, unsigned base) {
  size_t i = 0;
  while (i + 1 < l->draft->locations.count && l->draft->locations.at[i + 1].first <= base) i++;
  return l->draft->locations.at[i].name;
}

/* An index that is a constant is carried out, so that `a[1]` is a cell. */
static struct address settle(struct lowering *l, struct address address, struct span span) {
  if (!address.index || address.index->kind != EXPR_CONST) return address;
  int64_t index = address.index->value;
  if (index < 0 || index >= address.size)
    reader_fail(&l->draft->reader, span, "'%s' has %s0%s", location_name(l, address.base),
                address.size == 1 ? "only cell " : "cells ",
                address.size == 1 ? "" : arena_printf(l->draft->reader.arena, " to %u", address.size - 1));
  else
    address = (struct address){address.base + (unsigned)index, 1, NULL};
  return address;
}

/* Is `e` a register that holds addresses, or one that nobody declares, as herd7 has it, and may? */
static bool is_pointer(const struct lowering *l, const struct ast_expr *e) {
  int reg = e->kind == AST_NAME ? draft_find_register(l->thread, e->name) : -1;
  if (reg < 0) return false;
  const struct draft_register *r = &l->thread->registers.at[reg];
  return r->pointer || (r->assigned && !r->declared && l->draft->dialect->language == LANG_C);
}

/* What a value points to: some cell of the program. */
static struct address pointed_to(struct lowering *l, const struct expr *value) {
  unsigned cells = 0;
  for (size_t i = 0; i < l->draft->locations.count; i++) cells += l->draft->locations.at[i].size;
  const struct expr *first = draft_constant(l->draft, ADDRESS_FIRST);
  l->draft->takes_addresses = true;
  return (struct address){0, cells, draft_operation(l->draft, EXPR_SUB, value, first, NULL)};
}

/* A pointer: `x`, `a + 1`, `&x`, `&a[i]`, and what a register or a cell points to. */
static struct address lower_pointer(struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_NAME) {
    const struct draft_location *location = find_location(l, e->name);
    if (location) return (struct address){location->first, location->size, NULL};
    if (is_pointer(l, e)) return pointed_to(l, register_value(l, use_register(l, e)));
  } else if (e->kind == AST_DEREFERENCE || e->kind == AST_INDEX || e->kind == AST_CALL || e->kind == AST_LINUX ||
             e->kind == AST_ASSIGN) {
    return pointed_to(l, lowering_value(l, e));
  } else if (e->kind == AST_ADDRESS && e->a->kind == AST_INDEX) {
    struct address address = lower_pointer(l, e->a->a);
    return add_index(l, address, lowering_value(l, e->a->b));
  } else if (e->kind == AST_ADDRESS && (e->a->kind == AST_NAME || e->a->kind == AST_DEREFERENCE)) {
    return lower_pointer(l, e->a->kind == AST_NAME ? e->a : e->a->a);
  } else if (e->kind == AST_OPERATION && (e->op == EXPR_ADD || e->op == EXPR_SUB)) {
    struct address address = lower_pointer(l, e->a);
    const struct expr *index = lowering_value(l, e->b);
    return add_index(l, address, e->op == EXPR_ADD ? index : draft_operation(l->draft, EXPR_NEG, index, NULL, NULL));
  }
  fail_address(l, e);
  return (struct address){0, 1, NULL};
}

struct address lowering_address(struct lowering *l, const struct ast_expr *e) {
  return settle(l, lower_pointer(l, e), e->span);
}

/* The address that a pointer names, as a value. */
static const struct expr *lower_address_value(struct lowering *l, const struct ast_expr *e) {
  struct address address = lowering_address(l, e);
  const struct expr *value = draft_constant(l->draft, ADDRESS_FIRST + address.base);
  l->draft->takes_addresses = true;
  return address.index ? draft_operation(l->draft, EXPR_ADD, value, address.index, NULL) : value;
}

/* `x`, `a + 1`: a pointer by the names of locations, where a value is wanted. */
static bool names_location(const struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_OPERATION && (e->op == EXPR_ADD || e->op == EXPR_SUB)) return names_location(l, e->a);
  return e->kind == AST_NAME && find_location(l, e->name) && !find_array(l, e->name);
}

/* A value that is to be kept where addresses are expected, or not. */
const struct expr *lowering_kept(struct lowering *l, const struct ast_expr *e, bool pointer) {
  if (!pointer) return lowering_value(l, e);
  if (e->kind == AST_OPERATION && e->op == EXPR_COND && !e->b->effects && !e->c->effects)
    return draft_operation(l->draft, EXPR_COND, lowering_value(l, e->a), lowering_kept(l, e->b, true),
                           lowering_kept(l, e->c, true));
  return names_location(l, e) ? lower_address_value(l, e) : lowering_value(l, e);
}

/* Does the cell hold addresses?  Of one that is only known when the program
 * runs, the text says enough by naming a location. */
bool lowering_holds_addresses(const struct lowering *l, const struct address *address) {
  if (address->index && address->base == 0) return true;
  size_t i = 0;
  while (i + 1 < l->draft->locations.count && l->draft->locations.at[i + 1].first <= address->base) i++;
  return l->draft->locations.at[i].pointer;
}

/* The type of what is kept in a cell. */
struct width lowering_width(const struct lowering *l, const struct address *address) {
  if (address->index && address->base == 0 && l->draft->takes_addresses) return (struct width){0};
  size_t i = 0;
  while (i + 1 < l->draft->locations.count && l->draft->locations.at[i + 1].first <= address->base) i++;
  return l->draft->locations.count ? l->draft->locations.at[i].width : (struct width){0};
}

/* The cell that `*e` or `a[i]` stands for. */
struct address lowering_cell(struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_DEREFERENCE) return lowering_address(l, e->a);
  struct address address = lower_pointer(l, e->a);
  return settle(l, add_index(l, address, lowering_value(l, e->b)), e->span);
}

/* --- memory -------------------------------------------------------------------------------- */

static bool is_cell(const struct lowering *l, const struct ast_expr *e) {
  return e->kind == AST_DEREFERENCE || (e->kind == AST_INDEX && !array_of(l, e));
}

static void emit_plain_load(struct lowering *l, struct address address, struct span span, unsigned reg) {
  struct instr *instr = lowering_emit(l, INSTR_LOAD, span);
  instr->address = address;
  instr->reg = (int)reg;
}

static void emit_plain_store(struct lowering *l, struct address address, const struct expr *value, struct span span) {
  struct instr *instr = lowering_emit(l, INSTR_STORE, span);
  instr->address = address;
  instr->value = value;
}

void lowering_assign(struct lowering *l, unsigned reg, const struct expr *value, struct span span) {
  struct width width = reg < l->thread->registers.count ? l->thread->registers.at[reg].width : (struct width){0};
  value = draft_fit(l->draft, width, value);
  struct instr *instr = lowering_emit(l, INSTR_ASSIGN, span);
  instr->reg = (int)reg;
  instr->value = value;
}

/* A register that has been loaded into holds what fits its own type. */
static void fit_register(struct lowering *l, unsigned reg, struct width from, struct span span) {
  struct width to = reg < l->thread->registers.count ? l->thread->registers.at[reg].width : (struct width){0};
  if (to.bits && (to.bits != from.bits || to.is_signed != from.is_signed))
    lowering_assign(l, reg, register_value(l, reg), span);
}

static bool gives_value(enum function_kind kind) {
  return kind != FUNCTION_STORE && kind != FUNCTION_INIT && kind != FUNCTION_CLEAR && kind != FUNCTION_FENCE;
}

static enum instr_kind instruction_of(enum function_kind kind) {
  switch (kind) {
    case FUNCTION_LOAD:
      return INSTR_LOAD;
    case FUNCTION_STORE:
    case FUNCTION_INIT:
    case FUNCTION_CLEAR:
      return INSTR_STORE;
    case FUNCTION_RMW:
    case FUNCTION_TEST_AND_SET:
      return INSTR_RMW;
    case FUNCTION_CAS:
      return INSTR_CAS;
    case FUNCTION_FENCE:
      return INSTR_FENCE;
  }
  return INSTR_FENCE;
}

/* The register `r` that a compare-and-swap takes as `&r`, or -1. */
static int expected_register(struct lowering *l, const struct ast_expr *e) {
  if (e->kind != AST_ADDRESS || e->a->kind != AST_NAME || find_location(l, e->a->name)) return -1;
  return (int)use_register(l, e->a);
}

struct operands {
  struct address address, expected_at;
  const struct expr *value;
  int expected; /* register, or -1: in memory */
};

static struct operands lower_operands(struct lowering *l, const struct ast_call *call) {
  struct operands o = {.expected = -1};
  if (call->address) o.address = lowering_address(l, call->address);
  if (call->expected) {
    o.expected = expected_register(l, call->expected);
    if (o.expected < 0) o.expected_at = lowering_address(l, call->expected);
  }
  if (call->value) o.value = lowering_kept(l, call->value, lowering_holds_addresses(l, &o.address));
  bool kept = call->function->kind != FUNCTION_RMW || call->function->op == RMW_EXCHANGE;
  if (call->value && kept) o.value = draft_fit(l->draft, lowering_width(l, &o.address), o.value);
  enum function_kind kind = call->function->kind;
  if (kind == FUNCTION_TEST_AND_SET) o.value = draft_constant(l->draft, 1);
  if (kind == FUNCTION_CLEAR) o.value = draft_constant(l->draft, 0);
  return o;
}

static bool writes_back(const struct lowering *l) {
  return l->draft->dialect->writes_back || l->draft->options->cas_writeback;
}

static void fill_cas(struct lowering *l, struct instr *instr, const struct ast_call *call, const struct operands *o) {
  instr->failure = call->failure;
  instr->weak = call->function->weak;
  instr->expected_in_memory = o->expected < 0;
  instr->expected_at = o->expected_at;
  if (o->expected >= 0)
    instr->expected = register_value(l, (unsigned)o->expected);
  else
    instr->writeback = writes_back(l);
}

/* With the expected value in a register r, writing back is r := old, which on
 * success changes nothing; and success is old == r. */
static void write_back_register(struct lowering *l, const struct ast_expr *e, int reg, unsigned expected) {
  if (e->call->function->weak)
    reader_fail(&l->draft->reader, e->call->expected->span,
                "a weak compare-and-swap needs its expected value in memory");
  struct instr *cas = &l->thread->code.at[here(l) - 1];
  unsigned saved;
  const struct expr *old = lowering_temporary(l, &saved);
  cas->reg = (int)saved;
  cas->returns_old = true;
  const struct expr *success = draft_operation(l->draft, EXPR_EQ, old, register_value(l, expected), NULL);
  if (reg != NO_REG) lowering_assign(l, (unsigned)reg, success, e->span);
  lowering_assign(l, expected, old, e->span);
}

static void lower_call(struct lowering *l, const struct ast_expr *e, int reg) {
  const struct ast_call *call = e->call;
  enum function_kind kind = call->function->kind;
  if (reg != NO_REG && !gives_value(kind)) reader_fail(&l->draft->reader, e->span, "'%s' returns no value", call->name);
  struct operands o = lower_operands(l, call);
  struct instr *instr = lowering_emit(l, instruction_of(kind), e->span);
  instr->reg = reg;
  instr->address = o.address;
  instr->value = o.value;
  instr->op = kind == FUNCTION_RMW ? call->function->op : RMW_EXCHANGE;
  if (instr->kind == INSTR_RMW && instr->op != RMW_EXCHANGE) instr->width = lowering_width(l, &o.address);
  instr->regions = call->regions;
  if (call->remote) instr->tags = tag_bit(TAG_REMOTE);
  instr->order = kind == FUNCTION_INIT ? ORDER_NA : call->order;
  instr->scope = kind == FUNCTION_INIT ? SCOPE_NONE : call->scope;
  instr->implicit_scope = kind != FUNCTION_INIT && call->implicit_scope;
  if (reg != NO_REG && kind != FUNCTION_CAS && gives_value(kind))
    fit_register(l, (unsigned)reg, lowering_width(l, &o.address), e->span);
  if (kind == FUNCTION_CAS) fill_cas(l, instr, call, &o);
  if (kind == FUNCTION_CAS && o.expected >= 0 && writes_back(l)) write_back_register(l, e, reg, (unsigned)o.expected);
}

/* --- expressions -------------------------------------------------------------------------------- */

/* `&&`, `||` and `?:` whose later operands touch memory need a branch. */
static bool needs_branch(const struct ast_expr *e) {
  if (e->kind != AST_OPERATION) return false;
  if (e->op == EXPR_COND) return e->b->effects || e->c->effects;
  return (e->op == EXPR_LAND || e->op == EXPR_LOR) && e->b->effects;
}

static unsigned emit_branch(struct lowering *l, const struct expr *condition, struct span span) {
  struct instr *instr = lowering_emit(l, INSTR_BRANCH, span);
  instr->value = condition;
  return here(l) - 1;
}

static unsigned emit_jump(struct lowering *l, struct span span) {
  lowering_emit(l, INSTR_JUMP, span);
  return here(l) - 1;
}

static void patch(struct lowering *l, unsigned at, unsigned target) {
  l->thread->code.at[at].target = target;
}

/* The 0 or 1 that C's logic makes of a value. */
static const struct expr *truth(struct lowering *l, const struct expr *value) {
  bool is_truth = (value->kind >= EXPR_EQ && value->kind <= EXPR_LOR) || value->kind == EXPR_LNOT;
  return is_truth ? value : draft_operation(l->draft, EXPR_NE, value, draft_constant(l->draft, 0), NULL);
}

/* a && b is a ? truth(b) : 0, and a || b is a ? 1 : truth(b). */
static void lower_side(struct lowering *l, const struct ast_expr *e, const struct ast_expr *side, int otherwise,
                       unsigned reg) {
  if (side && e->op == EXPR_COND)
    lower_into(l, side, reg);
  else
    lowering_assign(l, reg, side ? truth(l, lowering_value(l, side)) : draft_constant(l->draft, otherwise), e->span);
}

static void lower_branching(struct lowering *l, const struct ast_expr *e, unsigned reg) {
  unsigned branch = emit_branch(l, lowering_value(l, e->a), e->a->span);
  lower_side(l, e, e->op == EXPR_LOR ? NULL : e->b, 1, reg);
  unsigned jump = emit_jump(l, e->span);
  patch(l, branch, here(l));
  lower_side(l, e, e->op == EXPR_COND ? e->c : e->op == EXPR_LOR ? e->b : NULL, 0, reg);
  patch(l, jump, here(l));
}

/* --- arrays of registers ------------------------------------------------------------------------ */

/* The index of a[i], checked: one that lies outside divides by zero, which is
 * as undefined. */
static const struct expr *lower_index(struct lowering *l, const struct ast_expr *e) {
  struct draft *draft = l->draft;
  const struct array *array = array_of(l, e);
  const struct expr *index = lowering_value(l, e->b), *size = draft_constant(draft, array->size);
  if (index->kind == EXPR_CONST) {
    if (index->value >= 0 && index->value < array->size) return index;
    reader_fail(&draft->reader, e->span, "'%s' has cells 0 to %u", array->name, array->size - 1);
    return draft_constant(draft, 0);
  }
  const struct expr *low = draft_operation(draft, EXPR_GE, index, draft_constant(draft, 0), NULL);
  const struct expr *high = draft_operation(draft, EXPR_LT, index, size, NULL);
  unsigned reg;
  const struct expr *checked = lowering_temporary(l, &reg);
  lowering_assign(l, reg,
                  draft_operation(draft, EXPR_DIV, index, draft_operation(draft, EXPR_LAND, low, high, NULL), NULL),
                  e->span);
  return checked;
}

/* a[i] is i == 0 ? a[0] : i == 1 ? a[1] : ... */
static const struct expr *read_element(struct lowering *l, const struct array *array, const struct expr *index) {
  if (index->kind == EXPR_CONST) return register_value(l, array->first + (unsigned)index->value);
  const struct expr *value = register_value(l, array->first + array->size - 1);
  for (unsigned cell = array->size - 1; cell-- > 0;) {
    const struct expr *hit = draft_operation(l->draft, EXPR_EQ, index, draft_constant(l->draft, cell), NULL);
    value = draft_operation(l->draft, EXPR_COND, hit, register_value(l, array->first + cell), value);
  }
  return value;
}

/* a[i] = v is a[0] = i == 0 ? v : a[0], and so on for every cell. */
static void write_element(struct lowering *l, const struct array *array, const struct expr *index,
                          const struct expr *value, struct span span) {
  for (unsigned cell = 0; cell < array->size; cell++) {
    const struct expr *now = register_value(l, array->first + cell);
    const struct expr *hit = draft_operation(l->draft, EXPR_EQ, index, draft_constant(l->draft, cell), NULL);
    if (hit->kind == EXPR_CONST && !hit->value) continue;
    lowering_assign(l, array->first + cell,
                    hit->kind == EXPR_CONST ? value : draft_operation(l->draft, EXPR_COND, hit, value, now), span);
  }
}

static const struct expr *saved_in_temporary(struct lowering *l, const struct expr *value, struct span span) {
  if (value->kind == EXPR_CONST) return value;
  unsigned reg;
  const struct expr *saved = lowering_temporary(l, &reg);
  lowering_assign(l, reg, value, span);
  return saved;
}

static const struct expr *assign_element(struct lowering *l, const struct ast_expr *e, const struct array *array) {
  const struct expr *index = lower_index(l, e->a), *old = NULL;
  if (e->compound) old = saved_in_temporary(l, read_element(l, array, index), e->span);
  const struct expr *value = lowering_value(l, e->b);
  if (e->compound) value = draft_operation(l->draft, e->op, old, value, NULL);
  value = saved_in_temporary(l, value, e->span);
  write_element(l, array, index, value, e->span);
  return e->after ? old : value;
}

/* --- assignments -------------------------------------------------------------------------------- */

static const struct expr *assign_cell(struct lowering *l, const struct ast_expr *e) {
  struct address address = lowering_cell(l, e->a);
  const struct expr *old = NULL;
  if (e->compound) {
    unsigned saved;
    old = lowering_temporary(l, &saved);
    emit_plain_load(l, address, e->a->span, saved);
  }
  const struct expr *value = lowering_kept(l, e->b, lowering_holds_addresses(l, &address));
  if (e->compound) value = draft_operation(l->draft, e->op, old, value, NULL);
  value = draft_fit(l->draft, lowering_width(l, &address), value);
  emit_plain_store(l, address, value, e->span);
  return e->after ? old : value;
}

static const struct expr *assign_register(struct lowering *l, const struct ast_expr *e, bool wanted) {
  unsigned reg = use_register(l, e->a);
  const struct expr *now = register_value(l, reg), *old = now;
  if (!e->compound && is_pointer(l, e->a) && names_location(l, e->b)) {
    lowering_assign(l, reg, lower_address_value(l, e->b), e->span);
  } else if (!e->compound) {
    lower_into(l, e->b, reg);
  } else {
    unsigned saved;
    if (e->after && wanted) {
      old = lowering_temporary(l, &saved);
      lowering_assign(l, saved, now, e->span);
    }
    lowering_assign(l, reg, draft_operation(l->draft, e->op, now, lowering_value(l, e->b), NULL), e->span);
  }
  mark_assigned(l, reg);
  return e->after ? old : now;
}

/* `wanted`: somebody looks at the value, which `x++` must keep from before. */
static const struct expr *lower_assign(struct lowering *l, const struct ast_expr *e, bool wanted) {
  if (array_of(l, e->a)) return assign_element(l, e, array_of(l, e->a));
  if (is_cell(l, e->a)) return assign_cell(l, e);
  if (e->a->kind == AST_NAME) return assign_register(l, e, wanted);
  reader_fail(&l->draft->reader, e->a->span, "only registers and locations such as '*x' can be assigned to");
  return draft_constant(l->draft, 0);
}

static const struct expr *lower_operation(struct lowering *l, const struct ast_expr *e) {
  bool compared = e->op == EXPR_EQ || e->op == EXPR_NE; /* with a location: with its address */
  const struct expr *a = lowering_kept(l, e->a, compared);
  const struct expr *b = e->b ? lowering_kept(l, e->b, compared) : NULL;
  const struct expr *c = e->c ? lowering_value(l, e->c) : NULL;
  return draft_operation(l->draft, e->op, a, b, c);
}

const struct expr *lowering_value(struct lowering *l, const struct ast_expr *e) {
  if (l->draft->reader.failed) return draft_constant(l->draft, 0);
  unsigned reg;
  const struct expr *result;
  switch (e->kind) {
    case AST_NUMBER:
      return draft_constant(l->draft, e->value);
    case AST_NAME:
      return register_value(l, use_register(l, e));
    case AST_ASSIGN:
      return lower_assign(l, e, true);
    case AST_COMMA:
      lower_effect(l, e->a);
      return lowering_value(l, e->b);
    case AST_OPERATION:
      if (!needs_branch(e)) return lower_operation(l, e);
      break;
    case AST_ADDRESS:
      return lower_address_value(l, e);
    case AST_INDEX:
      if (array_of(l, e)) return read_element(l, array_of(l, e), lower_index(l, e));
      break;
    case AST_DEREFERENCE:
    case AST_CALL:
    case AST_LINUX:
      break;
  }
  result = lowering_temporary(l, &reg);
  lower_into(l, e, reg);
  return result;
}

/* As lower_value, into a given register and without a temporary. */
static void lower_into(struct lowering *l, const struct ast_expr *e, unsigned reg) {
  if (is_cell(l, e)) {
    struct address address = lowering_cell(l, e);
    emit_plain_load(l, address, e->span, reg);
    fit_register(l, reg, lowering_width(l, &address), e->span);
  } else if (e->kind == AST_CALL)
    lower_call(l, e, (int)reg);
  else if (e->kind == AST_LINUX)
    linux_lower(l, e, (int)reg);
  else if (needs_branch(e))
    lower_branching(l, e, reg);
  else
    lowering_assign(l, reg, lowering_value(l, e), e->span);
}

/* For its effects only: a load whose value nobody wants has no register. */
static void lower_effect(struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_CALL) {
    lower_call(l, e, NO_REG);
  } else if (e->kind == AST_LINUX) {
    linux_lower(l, e, NO_REG);
  } else if (e->kind == AST_COMMA) {
    lower_effect(l, e->a);
    lower_effect(l, e->b);
  } else if (e->kind == AST_ASSIGN) {
    lower_assign(l, e, false);
  } else {
    lowering_value(l, e);
  }
}

/* --- statements ---------------------------------------------------------------------------------------- */

static void lower_statement(struct lowering *l, const struct ast_stmt *s);

static void lower_if(struct lowering *l, const struct ast_stmt *s) {
  unsigned branch = emit_branch(l, lowering_value(l, s->a), s->a->span);
  lower_statement(l, s->body);
  if (s->otherwise) {
    unsigned jump = emit_jump(l, s->span);
    patch(l, branch, here(l));
    lower_statement(l, s->otherwise);
    patch(l, jump, here(l));
  } else {
    patch(l, branch, here(l));
  }
}

static void lower_body(struct lowering *l, const struct ast_stmt *s, struct loop *loop) {
  loop->outer = l->loop;
  l->loop = loop;
  lower_statement(l, s->body);
  l->loop = loop->outer;
  for (size_t i = 0; i < loop->continues.count; i++) patch(l, loop->continues.at[i], here(l));
}

static void close_loop(struct lowering *l, const struct loop *loop) {
  for (size_t i = 0; i < loop->breaks.count; i++) patch(l, loop->breaks.at[i], here(l));
}

/* while and for: top: unless a goto end; body; step; goto top; end: */
static void lower_while(struct lowering *l, const struct ast_stmt *s) {
  struct loop loop = {0};
  if (s->first) lower_statement(l, s->first);
  unsigned top = here(l);
  if (s->a) *vec_push(l->draft->reader.arena, &loop.breaks) = emit_branch(l, lowering_value(l, s->a), s->a->span);
  lower_body(l, s, &loop);
  if (s->step) lower_effect(l, s->step);
  patch(l, emit_jump(l, s->span), top);
  close_loop(l, &loop);
}

static void lower_do(struct lowering *l, const struct ast_stmt *s) {
  struct loop loop = {0};
  unsigned top = here(l);
  lower_body(l, s, &loop);
  *vec_push(l->draft->reader.arena, &loop.breaks) = emit_branch(l, lowering_value(l, s->a), s->a->span);
  patch(l, emit_jump(l, s->span), top);
  close_loop(l, &loop);
}

static void lower_leave(struct lowering *l, const struct ast_stmt *s) {
  if (!l->loop) {
    reader_fail(&l->draft->reader, s->span, "'%s' outside a loop", s->kind == AST_BREAK ? "break" : "continue");
    return;
  }
  unsigned jump = emit_jump(l, s->span);
  if (s->kind == AST_BREAK)
    *vec_push(l->draft->reader.arena, &l->loop->breaks) = jump;
  else
    *vec_push(l->draft->reader.arena, &l->loop->continues) = jump;
}

static void lower_barrier(struct lowering *l, const struct ast_stmt *s) {
  struct instr *instr = lowering_emit(l, INSTR_BARRIER, s->span);
  instr->regions = s->regions;
  instr->scope = s->scope;
  if (s->name) instr->barrier_label = draft_barrier_label(l->draft, s->name);
}

static void declare_array(struct lowering *l, const struct ast_stmt *s) {
  struct draft *draft = l->draft;
  if (is_parameter(l, s->name) || draft_find_register(l->thread, s->name) >= 0 || find_array(l, s->name)) {
    reader_fail(&draft->reader, s->span, "'%s' is already there", s->name);
    return;
  }
  struct array *array = vec_push(draft->reader.arena, &l->arrays);
  *array = (struct array){s->name, (unsigned)l->thread->registers.count, s->cells};
  for (unsigned cell = 0; cell < s->cells; cell++) {
    const char *name = arena_printf(draft->reader.arena, "%s[%u]", s->name, cell);
    mark_assigned(l, draft_use_register(draft, l->thread, name, s->span));
  }
  for (unsigned cell = 0; s->values.count && cell < s->cells; cell++)
    lowering_assign(l, array->first + cell,
                    cell < s->values.count ? lowering_value(l, s->values.at[cell]) : draft_constant(draft, 0), s->span);
}

static void lower_declaration(struct lowering *l, const struct ast_stmt *s) {
  if (s->cells) {
    declare_array(l, s);
    return;
  }
  unsigned reg = declare_register(l, s);
  if (reg < l->thread->registers.count) {
    l->thread->registers.at[reg].pointer |= s->pointer;
    l->thread->registers.at[reg].declared = true;
    l->thread->registers.at[reg].width = s->width;
  }
  if (s->pointer && s->a && names_location(l, s->a))
    lowering_assign(l, reg, lower_address_value(l, s->a), s->span);
  else if (s->a)
    lower_into(l, s->a, reg);
}

static void lower_statement(struct lowering *l, const struct ast_stmt *s) {
  if (l->draft->reader.failed) return;
  switch (s->kind) {
    case AST_EMPTY:
      return;
    case AST_EXPRESSION:
      lower_effect(l, s->a);
      return;
    case AST_DECLARE:
      lower_declaration(l, s);
      return;
    case AST_SEQUENCE:
      for (const struct ast_stmt *link = s->body; link; link = link->next) lower_statement(l, link->first);
      return;
    case AST_IF:
      lower_if(l, s);
      return;
    case AST_WHILE:
    case AST_FOR:
      lower_while(l, s);
      return;
    case AST_DO:
      lower_do(l, s);
      return;
    case AST_BREAK:
    case AST_CONTINUE:
      lower_leave(l, s);
      return;
    case AST_RETURN:
      *vec_push(l->draft->reader.arena, &l->returns) = emit_jump(l, s->span);
      return;
    case AST_BARRIER:
      lower_barrier(l, s);
      return;
  }
}

void c_lower_threads(struct draft *draft) {
  for (size_t i = 0; i < draft->threads.count && !draft->reader.failed; i++) {
    struct lowering l = {.draft = draft, .thread = &draft->threads.at[i], .tree = draft->threads.at[i].body};
    lower_statement(&l, l.tree->body);
    for (size_t j = 0; j < l.returns.count; j++) patch(&l, l.returns.at[j], here(&l));
  }
}
