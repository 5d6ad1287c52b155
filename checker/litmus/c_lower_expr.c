/* SPDX-License-Identifier: MIT */
/* Expressions of threads in C's statements: tree to instructions.
 *
 * An expression becomes a pure `struct expr` over registers; what touches memory
 * inside it is done before, from left to right, into temporaries.
 */
#include "checker/base/tags.h"
#include "checker/litmus/lowering.h"

static void lower_into(struct lowering *l, const struct ast_expr *e, unsigned reg);

/* The array of registers that `e`, such as a[i], is an element of; NULL: none. */
static const struct array *array_of(const struct lowering *l, const struct ast_expr *e) {
  return e->kind == AST_INDEX && e->a->kind == AST_NAME ? lowering_find_array(l, e->a->name) : NULL;
}

/* --- addresses --------------------------------------------------------------------------- */

static void fail_address(struct lowering *l, const struct ast_expr *e) {
  if (e->kind != AST_NAME) {
    reader_fail(&l->draft->reader, e->span, "expected a location");
    return;
  }
  reader_fail(&l->draft->reader, e->span, "'%s' is not a location%s", e->name, draft_location_hint(l->draft, e->name));
}

static struct address add_index(struct lowering *l, struct address address, const struct expr *index) {
  address.index = address.index ? draft_operation(l->draft, EXPR_ADD, address.index, index, NULL) : index;
  return address;
}

/* Is `e` a register that holds addresses, or one without a declaration that may do so, as in herd7? */
static bool is_pointer(const struct lowering *l, const struct ast_expr *e) {
  int reg = e->kind == AST_NAME ? draft_find_register(l->thread, e->name) : -1;
  if (reg < 0) return false;
  const struct draft_register *r = &l->thread->registers.at[reg];
  return r->pointer || (r->assigned && !r->declared && l->draft->dialect->language == LANG_C);
}

/* Any register of C may be followed, whatever it is declared as, as in herd7. */
static bool may_point(struct lowering *l, const struct ast_expr *e) {
  if (is_pointer(l, e)) return true;
  if (l->draft->dialect->language != LANG_C || draft_find_register(l->thread, e->name) < 0) return false;
  diag_warning(l->draft->reader.diags, l->draft->reader.source, e->span,
               "'%s' is not declared as a pointer: what it holds is taken for an address", e->name);
  return true;
}

/* What a value points to: some cell of the program. */
static struct address pointed_to(struct lowering *l, const struct expr *value) {
  unsigned cells = 0;
  for (size_t i = 0; i < l->draft->locations.count; i++) cells += l->draft->locations.at[i].size;
  const struct expr *first = draft_constant(l->draft, ADDRESS_FIRST);
  l->draft->takes_addresses = true;
  return (struct address){.base = 0, .size = cells, .index = draft_operation(l->draft, EXPR_SUB, value, first, NULL)};
}

/* A pointer: `x`, `a + 1`, `&x`, `&a[i]`, and what a register or a cell points to. */
static struct address lower_pointer(struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_NAME) {
    const struct draft_location *location = lowering_find_location(l, e->name);
    if (location) return (struct address){.base = location->first, .size = location->size};
    if (may_point(l, e)) return pointed_to(l, lowering_register_value(l, lowering_use_register(l, e)));
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
  return (struct address){.base = 0, .size = 1};
}

/* The cell that a pointer points to. */
static struct address lower_address(struct lowering *l, const struct ast_expr *e) {
  return lowering_settle(l, lower_pointer(l, e), e->span);
}

/* The address that a pointer names, as a value. */
static const struct expr *lower_address_value(struct lowering *l, const struct ast_expr *e) {
  struct address address = lower_address(l, e);
  const struct expr *value = draft_constant(l->draft, ADDRESS_FIRST + address.base);
  l->draft->takes_addresses = true;
  return address.index ? draft_operation(l->draft, EXPR_ADD, value, address.index, NULL) : value;
}

/* `x`, `a + 1`: a pointer by the names of locations, where a value is wanted. */
static bool names_location(const struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_OPERATION && (e->op == EXPR_ADD || e->op == EXPR_SUB)) return names_location(l, e->a);
  return e->kind == AST_NAME && lowering_find_location(l, e->name) && !lowering_find_array(l, e->name);
}

/* A value that is to be kept where addresses are expected, or not: there, a
 * location's name means its address. */
static const struct expr *lower_kept(struct lowering *l, const struct ast_expr *e, bool pointer) {
  if (!pointer) return lowering_value(l, e);
  if (e->kind == AST_OPERATION && e->op == EXPR_COND && !e->b->effects && !e->c->effects)
    return draft_operation(l->draft, EXPR_COND, lowering_value(l, e->a), lower_kept(l, e->b, true),
                           lower_kept(l, e->c, true));
  return names_location(l, e) ? lower_address_value(l, e) : lowering_value(l, e);
}

/* The cell that `*e` or `a[i]` stands for. */
static struct address lower_cell(struct lowering *l, const struct ast_expr *e) {
  if (e->kind == AST_DEREFERENCE) return lower_address(l, e->a);
  struct address address = lower_pointer(l, e->a);
  return lowering_settle(l, add_index(l, address, lowering_value(l, e->b)), e->span);
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

static bool gives_value(enum function_kind kind) {
  return kind != FUNCTION_STORE && kind != FUNCTION_INIT && kind != FUNCTION_CLEAR && kind != FUNCTION_FENCE;
}

static enum instr_kind instruction_of(enum function_kind kind) {
  static const enum instr_kind kinds[] = {
      [FUNCTION_LOAD] = INSTR_LOAD,   [FUNCTION_STORE] = INSTR_STORE, [FUNCTION_INIT] = INSTR_STORE,
      [FUNCTION_CLEAR] = INSTR_STORE, [FUNCTION_RMW] = INSTR_RMW,     [FUNCTION_TEST_AND_SET] = INSTR_RMW,
      [FUNCTION_CAS] = INSTR_CAS,     [FUNCTION_FENCE] = INSTR_FENCE};
  return kinds[kind];
}

/* The register `r` that a compare-and-swap takes as `&r`, or -1. */
static int expected_register(struct lowering *l, const struct ast_expr *e) {
  if (e->kind != AST_ADDRESS || e->a->kind != AST_NAME || lowering_find_location(l, e->a->name)) return -1;
  return (int)lowering_use_register(l, e->a);
}

struct operands {
  struct address address, expected_at;
  const struct expr *value;
  int expected; /* register, or -1: in memory */
};

static struct operands lower_operands(struct lowering *l, const struct ast_call *call) {
  struct operands o = {.expected = -1};
  if (call->address) o.address = lower_address(l, call->address);
  if (call->expected) {
    o.expected = expected_register(l, call->expected);
    if (o.expected < 0) o.expected_at = lower_address(l, call->expected);
  }
  if (call->value) o.value = lower_kept(l, call->value, lowering_holds_addresses(l, &o.address));
  bool kept = call->function->kind != FUNCTION_RMW || call->function->op == RMW_EXCHANGE;
  if (call->value && kept) o.value = draft_fit(l->draft, lowering_width(l, &o.address), o.value);
  enum function_kind kind = call->function->kind;
  if (kind == FUNCTION_TEST_AND_SET) o.value = draft_constant(l->draft, 1);
  if (kind == FUNCTION_CLEAR) o.value = draft_constant(l->draft, 0);
  return o;
}

static bool writes_back(const struct lowering *l) {
  return !(l->draft->dialect->may_keep_expected && l->draft->options->cas_keeps_expected);
}

static void fill_cas(struct lowering *l, struct instr *instr, const struct ast_call *call, const struct operands *o) {
  instr->failure = call->failure;
  instr->weak = call->function->weak;
  instr->expected_in_memory = o->expected < 0;
  instr->expected_at = o->expected_at;
  if (o->expected >= 0)
    instr->expected = lowering_register_value(l, (unsigned)o->expected);
  else
    instr->writeback = writes_back(l);
}

/* With the expected value in a register r, writing back is r := old, which on
 * success changes nothing; and success is old == r. */
static void write_back_register(struct lowering *l, const struct ast_expr *e, int reg, unsigned expected) {
  if (e->call->function->weak)
    reader_fail(&l->draft->reader, e->call->expected->span,
                "a weak compare-and-swap needs its expected value in memory");
  struct instr *cas = &l->thread->code.at[lowering_here(l) - 1];
  unsigned saved;
  const struct expr *old = lowering_temporary(l, &saved);
  cas->reg = (int)saved;
  cas->returns_old = true;
  const struct expr *success = draft_operation(l->draft, EXPR_EQ, old, lowering_register_value(l, expected), NULL);
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
    lowering_fit(l, (unsigned)reg, lowering_width(l, &o.address), e->span);
  if (kind == FUNCTION_CAS) fill_cas(l, instr, call, &o);
  if (kind == FUNCTION_CAS && o.expected >= 0 && writes_back(l)) write_back_register(l, e, reg, (unsigned)o.expected);
}

/* --- operations of the Linux kernel --------------------------------------------------------------- */

/* Annotations are numbered as they are met: the operation's before those of what its operands call. */
static void lower_linux(struct lowering *l, const struct ast_expr *e, int reg) {
  const struct linux_call *call = e->linux_call;
  struct linux_operands o = {0};
  if (!linux_begin(l, e, reg, &o.strength)) return;
  bool place = call->kind == LINUX_LOAD || call->kind == LINUX_STORE;
  if (call->location) o.address = place ? lower_cell(l, call->location) : lower_address(l, call->location);
  bool pointer = (call->expected || call->value) && lowering_holds_addresses(l, &o.address);
  if (call->expected) o.expected = lower_kept(l, call->expected, pointer);
  if (call->value) o.value = lower_kept(l, call->value, pointer);
  linux_lower(l, e, reg, &o);
}

/* --- expressions -------------------------------------------------------------------------------- */

/* `&&`, `||` and `?:` whose later operands touch memory need a branch. */
static bool needs_branch(const struct ast_expr *e) {
  if (e->kind != AST_OPERATION) return false;
  if (e->op == EXPR_COND) return e->b->effects || e->c->effects;
  return (e->op == EXPR_LAND || e->op == EXPR_LOR) && e->b->effects;
}

/* The 0 or 1 that C's logic makes of a value. */
static const struct expr *truth(struct lowering *l, const struct expr *value) {
  if (expr_is_condition(value->kind)) return value;
  return draft_operation(l->draft, EXPR_NE, value, draft_constant(l->draft, 0), NULL);
}

/* a && b is a ? truth(b) : 0, and a || b is a ? 1 : truth(b). */
static void lower_side(struct lowering *l, const struct ast_expr *e, const struct ast_expr *side, int otherwise,
                       unsigned reg) {
  if (side && e->op == EXPR_COND)
    lower_into(l, side, reg);
  else
    lowering_assign(l, reg, side ? truth(l, lowering_value(l, side)) : draft_constant(l->draft, otherwise), e->span);
}

unsigned lowering_condition(struct lowering *l, const struct ast_expr *e) {
  unsigned first = lowering_here(l);
  const struct expr *value = lowering_value(l, e);
  return lowering_branch(l, value, first, e->span);
}

static void lower_branching(struct lowering *l, const struct ast_expr *e, unsigned reg) {
  unsigned branch = lowering_condition(l, e->a);
  lower_side(l, e, e->op == EXPR_LOR ? NULL : e->b, 1, reg);
  unsigned jump = lowering_jump(l, e->span);
  lowering_patch(l, branch, lowering_here(l));
  lower_side(l, e, e->op == EXPR_COND ? e->c : e->op == EXPR_LOR ? e->b : NULL, 0, reg);
  lowering_patch(l, jump, lowering_here(l));
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

static const struct expr *saved_in_temporary(struct lowering *l, const struct expr *value, struct span span) {
  if (value->kind == EXPR_CONST) return value;
  unsigned reg;
  const struct expr *saved = lowering_temporary(l, &reg);
  lowering_assign(l, reg, value, span);
  return saved;
}

static const struct expr *assign_element(struct lowering *l, const struct ast_expr *e, const struct array *array) {
  const struct expr *index = lower_index(l, e->a), *old = NULL;
  if (e->compound) old = saved_in_temporary(l, lowering_read_element(l, array, index), e->span);
  const struct expr *value = lowering_value(l, e->b);
  if (e->compound) value = draft_operation(l->draft, e->op, old, value, NULL);
  value = saved_in_temporary(l, value, e->span);
  lowering_write_element(l, array, index, value, e->span);
  return e->after ? old : value;
}

/* --- assignments -------------------------------------------------------------------------------- */

static const struct expr *assign_cell(struct lowering *l, const struct ast_expr *e) {
  struct address address = lower_cell(l, e->a);
  const struct expr *old = NULL;
  if (e->compound) {
    unsigned saved;
    old = lowering_temporary(l, &saved);
    emit_plain_load(l, address, e->a->span, saved);
  }
  const struct expr *value = lower_kept(l, e->b, lowering_holds_addresses(l, &address));
  if (e->compound) value = draft_operation(l->draft, e->op, old, value, NULL);
  value = draft_fit(l->draft, lowering_width(l, &address), value);
  emit_plain_store(l, address, value, e->span);
  return e->after ? old : value;
}

static const struct expr *assign_register(struct lowering *l, const struct ast_expr *e, bool wanted) {
  unsigned reg = lowering_use_register(l, e->a);
  const struct expr *now = lowering_register_value(l, reg), *old = now;
  if (!e->compound) {
    lowering_kept_into(l, e->b, reg, is_pointer(l, e->a), e->span);
  } else {
    unsigned saved;
    if (e->after && wanted) {
      old = lowering_temporary(l, &saved);
      lowering_assign(l, saved, now, e->span);
    }
    lowering_assign(l, reg, draft_operation(l->draft, e->op, now, lowering_value(l, e->b), NULL), e->span);
  }
  lowering_mark_assigned(l, reg);
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

/* Is there an access to memory among the thread's instructions of a range? */
static bool has_access(const struct lowering *l, size_t from, size_t to) {
  for (size_t i = from; i < to; i++)
    if (instr_is_access(&l->thread->code.at[i])) return true;
  return false;
}

/* C leaves open which operand of `+` comes first, or whether they are ordered at all.  The
 * instructions of the left one begin at `first`, those of the right one at `second`. */
static void warn_of_order(struct lowering *l, const struct ast_expr *e, size_t first, size_t second) {
  struct draft *draft = l->draft;
  bool chosen = e->op != EXPR_LAND && e->op != EXPR_LOR && e->op != EXPR_COND;
  if (!chosen || draft->order_chosen || !has_access(l, first, second) || !has_access(l, second, l->thread->code.count))
    return;
  draft->order_chosen = true;
  diag_warning(draft->reader.diags, draft->reader.source, e->span,
               "C does not order the operands here; the left one is taken first, and outcomes of other orders are "
               "missing");
}

static const struct expr *lower_operation(struct lowering *l, const struct ast_expr *e) {
  bool compared = e->op == EXPR_EQ || e->op == EXPR_NE; /* with a location: with its address */
  size_t first = l->thread->code.count;
  const struct expr *a = lower_kept(l, e->a, compared);
  size_t second = l->thread->code.count;
  const struct expr *b = e->b ? lower_kept(l, e->b, compared) : NULL;
  warn_of_order(l, e, first, second);
  const struct expr *c = e->c ? lowering_value(l, e->c) : NULL;
  return draft_operation(l->draft, e->op, a, b, c);
}

/* A register's value.  In C a location's name is its address, as in herd7, if most often a slip. */
static const struct expr *lower_name(struct lowering *l, const struct ast_expr *e) {
  if (l->draft->dialect->language != LANG_C || !names_location(l, e))
    return lowering_register_value(l, lowering_use_register(l, e));
  diag_warning(l->draft->reader.diags, l->draft->reader.source, e->span,
               "'%s' is a location, and this its address: its value is written '*%s'", e->name, e->name);
  return lower_address_value(l, e);
}

const struct expr *lowering_value(struct lowering *l, const struct ast_expr *e) {
  if (l->draft->reader.failed) return draft_constant(l->draft, 0);
  if (l->own) return l->own->value(l, e);
  unsigned reg;
  const struct expr *result;
  switch (e->kind) {
    case AST_NUMBER:
      return draft_constant(l->draft, e->value);
    case AST_NAME:
      return lower_name(l, e);
    case AST_ASSIGN:
      return lower_assign(l, e, true);
    case AST_COMMA:
      lowering_effect(l, e->a);
      return lowering_value(l, e->b);
    case AST_OPERATION:
      if (!needs_branch(e)) return lower_operation(l, e);
      break;
    case AST_ADDRESS:
      return lower_address_value(l, e);
    case AST_INDEX:
      if (array_of(l, e)) return lowering_read_element(l, array_of(l, e), lower_index(l, e));
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
    struct address address = lower_cell(l, e);
    emit_plain_load(l, address, e->span, reg);
    lowering_fit(l, reg, lowering_width(l, &address), e->span);
  } else if (e->kind == AST_CALL)
    lower_call(l, e, (int)reg);
  else if (e->kind == AST_LINUX)
    lower_linux(l, e, (int)reg);
  else if (needs_branch(e))
    lower_branching(l, e, reg);
  else
    lowering_assign(l, reg, lowering_value(l, e), e->span);
}

void lowering_kept_into(struct lowering *l, const struct ast_expr *e, unsigned reg, bool pointer, struct span span) {
  if (pointer && names_location(l, e))
    lowering_assign(l, reg, lower_address_value(l, e), span);
  else
    lower_into(l, e, reg);
}

/* For its effects only: a load whose value nobody wants has no register. */
void lowering_effect(struct lowering *l, const struct ast_expr *e) {
  if (l->own) {
    l->own->effect(l, e);
  } else if (e->kind == AST_CALL) {
    lower_call(l, e, NO_REG);
  } else if (e->kind == AST_LINUX) {
    lower_linux(l, e, NO_REG);
  } else if (e->kind == AST_COMMA) {
    lowering_effect(l, e->a);
    lowering_effect(l, e->b);
  } else if (e->kind == AST_ASSIGN) {
    lower_assign(l, e, false);
  } else {
    lowering_value(l, e);
  }
}
