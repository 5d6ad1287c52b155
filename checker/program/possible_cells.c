/* SPDX-License-Identifier: MIT */
/* Each register has one value for the whole thread, which joins those of all its assignments; what memory holds is not
 * asked.  Assignments are gone through until nothing changes: a loop that counts in steps of 4 keeps two bits. */
#include "checker/program/possible_cells.h"

#include "checker/base/array.h"
#include "checker/program/live_registers.h"

/* ---- Values of which some bits are known --------------------------------------------------- */

/* Bits that are 0, and that are 1, in all of the values that it stands for; both: it stands for none. */
struct bits {
  uint64_t zero, one;
};

static const struct bits bits_any = {0, 0}, bits_none = {UINT64_MAX, UINT64_MAX};

static struct bits constant(int64_t value) {
  return (struct bits){~(uint64_t)value, (uint64_t)value};
}

static bool is_constant(struct bits b) {
  return (b.zero ^ b.one) == UINT64_MAX;
}

static bool is_none(struct bits b) {
  return b.zero & b.one;
}

static bool may_be_equal(struct bits a, struct bits b) {
  return !((a.zero & b.one) | (a.one & b.zero));
}

static struct bits join(struct bits a, struct bits b) {
  return (struct bits){a.zero & b.zero, a.one & b.one};
}

static struct bits truth(bool may_fail, bool may_hold) {
  return (struct bits){~(uint64_t)1 | !may_hold, !may_fail};
}

/* Where operands and what is carried are known, the sum is. */
static struct bits sum(struct bits a, struct bits b, unsigned carried) {
  uint64_t most = ~a.zero + ~b.zero + carried, least = a.one + b.one + carried;
  uint64_t carries = ~(most ^ a.zero ^ b.zero) | (least ^ a.one ^ b.one);
  uint64_t known = (a.zero | a.one) & (b.zero | b.one) & carries;
  return (struct bits){~most & known, least & known};
}

/* How many bits are known, from the lowest on; and how many of these are 0. */
static unsigned known_below(struct bits b) {
  uint64_t open = ~(b.zero | b.one);
  return open ? (unsigned)__builtin_ctzll(open) : 64;
}
static unsigned zeros_below(struct bits b) {
  return ~b.zero ? (unsigned)__builtin_ctzll(~b.zero) : 64;
}

static uint64_t low_bits(unsigned count) {
  return count < 64 ? ((uint64_t)1 << count) - 1 : UINT64_MAX;
}

/* The lowest bits of a product are those of the operands' lowest bits; each zero of one counts for the other. */
static struct bits product(struct bits a, struct bits b) {
  unsigned zeros = zeros_below(a) + zeros_below(b);
  unsigned of_a = known_below(a) - zeros_below(a), of_b = known_below(b) - zeros_below(b);
  uint64_t low = low_bits((of_a < of_b ? of_a : of_b) + zeros), value = a.one * b.one;
  return (struct bits){~value & low, value & low};
}

static struct bits shifted(enum expr_kind kind, struct bits a, unsigned by) {
  if (kind == EXPR_SHL) return (struct bits){a.zero << by | low_bits(by), a.one << by};
  return (struct bits){(uint64_t)((int64_t)a.zero >> by), (uint64_t)((int64_t)a.one >> by)};
}

/* Division without sign by a power of 2. */
static struct bits divided(enum expr_kind kind, struct bits a, uint64_t by) {
  unsigned shift = (unsigned)__builtin_ctzll(by);
  if (kind == EXPR_UMOD) return (struct bits){a.zero | ~(by - 1), a.one & (by - 1)};
  return (struct bits){a.zero >> shift | ~(UINT64_MAX >> shift), a.one >> shift};
}

static struct bits of_two(enum expr_kind kind, struct bits a, struct bits b) {
  switch (kind) {
    case EXPR_ADD:
      return sum(a, b, 0);
    case EXPR_SUB:
      return sum(a, (struct bits){b.one, b.zero}, 1);
    case EXPR_MUL:
      return product(a, b);
    case EXPR_AND:
      return (struct bits){a.zero | b.zero, a.one & b.one};
    case EXPR_OR:
      return (struct bits){a.zero & b.zero, a.one | b.one};
    case EXPR_XOR:
      return (struct bits){(a.zero & b.zero) | (a.one & b.one), (a.zero & b.one) | (a.one & b.zero)};
    case EXPR_SHL:
    case EXPR_SHR:
      return is_constant(b) ? shifted(kind, a, b.one % 64) : bits_any;
    case EXPR_UDIV:
    case EXPR_UMOD:
      return is_constant(b) && b.one && !(b.one & (b.one - 1)) ? divided(kind, a, b.one) : bits_any;
    case EXPR_EQ:
    case EXPR_NE: {
      bool equal = may_be_equal(a, b), other = !(equal && is_constant(a) && is_constant(b));
      return kind == EXPR_EQ ? truth(other, equal) : truth(equal, other);
    }
    default:
      return expr_is_truth(kind) ? truth(true, true) : bits_any;
  }
}

static struct bits bits_of(const struct expr *e, const struct bits *registers) {
  if (e->kind == EXPR_CONST) return constant(e->value);
  if (e->kind == EXPR_REG) return registers[e->reg];
  struct bits a = bits_of(e->a, registers);
  if (is_none(a)) return a;
  if (e->kind == EXPR_COND) {
    struct bits yes = a.zero == UINT64_MAX ? bits_none : bits_of(e->b, registers);
    return a.one ? yes : join(yes, bits_of(e->c, registers));
  }
  if (e->kind == EXPR_NOT) return (struct bits){a.one, a.zero};
  if (e->kind == EXPR_NEG) return sum((struct bits){a.one, a.zero}, constant(0), 1);
  if (e->kind == EXPR_LNOT) return truth(!may_be_equal(a, constant(0)) || !is_constant(a), !a.one);
  if (!e->b) return bits_any;
  struct bits b = bits_of(e->b, registers);
  return is_none(b) ? b : of_two(e->kind, a, b);
}

/* ---- Registers ------------------------------------------------------------------------------ */

/* Liveness takes a byte for each register at each instruction. */
enum { MOST_LIVENESS = 1 << 24 };

/* Before anything is assigned: those that may be used before have their initial values, others none. */
static struct bits *start(struct arena *arena, const struct thread *thread) {
  struct bits *registers = ARENA_ARRAY(arena, struct bits, thread->reg_count + 1u);
  bool large = (uint64_t)thread->instr_count * thread->reg_count > MOST_LIVENESS;
  const bool *live = large ? NULL : live_registers(arena, thread, NULL);
  for (unsigned r = 0; r < thread->reg_count; r++)
    registers[r] = !live || live[r] ? constant(thread->reg_init[r]) : bits_none;
  return registers;
}

/* After so many rounds, a bit that changes takes those above it along: a counter would lose one in each. */
enum { PATIENCE = 4 };

static bool assign(struct bits *reg, struct bits value, unsigned round) {
  struct bits joined = is_none(*reg) ? value : is_none(value) ? *reg : join(*reg, value);
  uint64_t lost = (reg->zero ^ joined.zero) | (reg->one ^ joined.one);
  if (!lost) return false;
  if (round > PATIENCE && !is_none(*reg)) {
    uint64_t kept = low_bits((unsigned)__builtin_ctzll(lost));
    joined = (struct bits){joined.zero & kept, joined.one & kept};
  }
  *reg = joined;
  return true;
}

static void settle(const struct thread *thread, struct bits *registers) {
  bool changed = true;
  for (unsigned round = 0; changed; round++) {
    changed = false;
    ARRAY_EACH (const struct instr, instr, thread->instrs, thread->instr_count) {
      if (instr->reg == NO_REG) continue;
      struct bits value = instr->kind == INSTR_ASSIGN ? bits_of(instr->value, registers) : bits_any;
      changed |= assign(&registers[instr->reg], value, round);
    }
  }
}

/* ---- Cells ---------------------------------------------------------------------------------- */

static void mark(uint64_t *cells, unsigned size, struct bits value) {
  if (is_none(value)) return;
  for (unsigned i = 0; i < size; i++)
    if (may_be_equal(value, constant(i))) cells[i / 64] |= (uint64_t)1 << i % 64;
}

/* Each value of a choice on its own: the front end of kernels chooses an element by its address. */
static void mark_chosen(uint64_t *cells, unsigned size, const struct expr *index, const struct bits *registers) {
  for (; index->kind == EXPR_COND; index = index->c) {
    struct bits condition = bits_of(index->a, registers);
    if (condition.zero != UINT64_MAX) mark_chosen(cells, size, index->b, registers);
    if (condition.one) return;
  }
  mark(cells, size, bits_of(index, registers));
}

static bool is_open(const struct address *address) {
  return address->index && address->index->kind != EXPR_CONST;
}

static void find(struct arena *arena, struct address *address, const struct bits *registers) {
  if (!is_open(address)) return;
  uint64_t *cells = ARENA_ARRAY(arena, uint64_t, address->size / 64 + 1);
  mark_chosen(cells, address->size, address->index, registers);
  address->possible = cells;
}

static bool has_open(const struct thread *thread) {
  for (unsigned i = 0; i < thread->instr_count; i++)
    if (is_open(&thread->instrs[i].address) || is_open(&thread->instrs[i].expected_at)) return true;
  return false;
}

void possible_cells_find(struct arena *arena, struct program *program) {
  ARRAY_EACH (const struct thread, thread, program->threads, program->thread_count) {
    if (!has_open(thread)) continue;
    struct arena *own = arena_new();
    struct bits *registers = start(own, thread);
    settle(thread, registers);
    for (unsigned i = 0; i < thread->instr_count; i++) {
      find(arena, &thread->instrs[i].address, registers);
      find(arena, &thread->instrs[i].expected_at, registers);
    }
    arena_free(own);
  }
}
