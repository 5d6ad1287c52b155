/* SPDX-License-Identifier: MIT */
/* Registers and operands of instructions, one word or two. */
#include <string.h>

#include "checker/base/array.h"
#include "hwsem/amd/unfold_internal.h"

/* As an instruction would that waits for this load alone. */
static void wait_for_load(struct amd_unfolding *u, struct amd_path *p, unsigned reg) {
  uint8_t pending = p->regs[reg].pending;
  p->regs[reg].counter = 0;
  if (!pending) return;
  struct amd_node *node = unfold_node(u, p, AMD_NODE_WAIT);
  node->must = amd_slot(pending - 1u) | p->together[pending - 1u];
  p->known |= node->must;
  for (unsigned r = 0; r < AMD_REGISTERS; r++)
    if (p->regs[r].pending == pending) p->regs[r].pending = 0;
}

/* Looks at a register that an instruction reads or overwrites; false: the load
 * that fills it has not been waited for. */
bool unfold_covered(struct amd_unfolding *u, struct amd_path *p, unsigned reg) {
  const struct amd_cell *cell = &p->regs[reg];
  if (u->thread->waits_for_values) wait_for_load(u, p, reg);
  if (!cell->pending && !cell->counter) return true;
  const struct amd_instr *load = cell->pending ? u->nodes.at[p->by_slot[cell->pending - 1]].instr : cell->load;
  unfold_node(u, p, AMD_NODE_HAZARD)->load = load;
  return false;
}

/* ---- past hazards ---- */

/* The slot of the hazard that the instruction meets in a register: 1 where the load
 * was done by then.  An instruction that is interpreted again has met it already. */
static unsigned meet_hazard(struct amd_unfolding *u, struct amd_path *p, unsigned reg) {
  if (p->early_count && p->early[0].instr != u->instr) p->early_count = 0;
  for (unsigned i = 0; i < p->early_count; i++)
    if (p->early[i].reg == reg) return p->early[i].slot;
  unsigned load = p->regs[reg].pending - 1u;
  struct amd_node *node = unfold_slot(u, p, AMD_NODE_HAZARD);
  node->load = u->nodes.at[p->by_slot[load]].instr;
  node->goes_on = true;
  node->load_slot = load;
  p->known |= amd_slot(node->slot);
  if (p->early_count < EARLY) p->early[p->early_count++] = (struct amd_early){u->instr, reg, node->slot};
  return node->slot;
}

/* `yes` where the slot has read 1, `no` where 0. */
static struct amd_value choose(struct amd_unfolding *u, unsigned slot, struct amd_value yes, struct amd_value no) {
  struct amd_value read = value_of_slot(u, slot, 0), zero = value_number(0);
  if (yes.kind == VALUE_UNSET) yes = zero;
  if (no.kind == VALUE_UNSET) no = zero;
  struct amd_value more = value_combine(u, AMD_MUL, read, value_combine(u, AMD_SUB, yes, no));
  return value_combine(u, AMD_ADD, no, more);
}

static bool goes_past(const struct amd_unfolding *u, const struct amd_path *p, unsigned reg) {
  return u->thread->past_hazards && p->regs[reg].pending;
}

/* What a register holds whose load has not been waited for: what it held before, or what was loaded. */
static struct amd_value read_early(struct amd_unfolding *u, struct amd_path *p, unsigned reg) {
  unsigned load = p->regs[reg].pending - 1u;
  struct amd_value held = p->regs[reg].value, now = choose(u, meet_hazard(u, p, reg), held, p->before[load]);
  now.is_address = held.is_address;
  now.number = held.number;
  return now;
}

/* A load that is on its way still comes, and then the register holds that. */
static void write_early(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value value) {
  unsigned load = p->regs[reg].pending - 1u;
  struct amd_value late = choose(u, meet_hazard(u, p, reg), value, p->regs[reg].value);
  late.is_address = value.kind == VALUE_NUMBER;
  late.number = value.number;
  p->regs[reg].value = late;
  p->before[load] = value;
}

bool unfold_read(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value *value) {
  *value = value_number(0);
  if (reg == AMD_NULL) return true;
  bool past = goes_past(u, p, reg);
  if (!past && !unfold_covered(u, p, reg)) return false;
  *value = past ? read_early(u, p, reg) : p->regs[reg].value;
  return true;
}

bool unfold_write(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value value) {
  if (reg == AMD_NULL) return true;
  if (goes_past(u, p, reg)) {
    write_early(u, p, reg, value);
    return true;
  }
  if (!unfold_covered(u, p, reg)) return false;
  p->regs[reg] = (struct amd_cell){.value = value};
  return true;
}

/* ---- operands ---- */

static unsigned first_bit(enum amd_piece piece) {
  return piece >= AMD_BYTE0 ? 8 * (unsigned)(piece - AMD_BYTE0) : piece == AMD_HIGH ? 16 : 0;
}

static uint32_t mask_of(enum amd_piece piece) {
  return piece >= AMD_BYTE0 ? 0xff : piece ? 0xffff : UINT32_MAX;
}

struct amd_value value_piece(struct amd_unfolding *u, struct amd_value v, enum amd_piece piece, bool is_signed) {
  enum amd_fn extend = piece >= AMD_BYTE0 ? AMD_SEXT8 : AMD_SEXT16;
  v = value_combine(u, AMD_SHR, v, value_number(first_bit(piece)));
  if (piece && is_signed) return value_combine(u, extend, v, value_number(0));
  return value_combine(u, AMD_AND, v, value_number(mask_of(piece)));
}

bool unfold_join_piece(struct amd_unfolding *u, struct amd_path *p, unsigned reg, enum amd_piece piece, bool alone,
                       struct amd_value *value) {
  struct amd_value old = value_number(0), mask = value_number(mask_of(piece));
  unsigned at = first_bit(piece);
  if (!alone && !unfold_read(u, p, reg, &old)) return false;
  if (old.kind == VALUE_UNSET) old = value_number(0);
  old = value_combine(u, AMD_AND, old, value_number(~(mask_of(piece) << at)));
  struct amd_value set = value_combine(u, AMD_SHL, value_combine(u, AMD_AND, *value, mask), value_number(at));
  *value = value_combine(u, AMD_OR, old, set);
  return true;
}

static bool read_register(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned i,
                          struct amd_value *value) {
  *value = value_number(0);
  if (operand->words <= i) return true;
  if (!unfold_read(u, p, operand->reg + i, value)) return false;
  if (operand->piece) *value = value_piece(u, *value, operand->piece, operand->is_signed);
  return true;
}

/* A word of a symbol's address.  false: there is no such symbol.  Drivers without an ABI of HSA's put the base of
 * private memory in place of SCRATCH_RSRC_DWORD0 and 1. */
static bool read_symbol(const struct amd_unfolding *u, const struct amd_operand *operand, bool upper,
                        struct amd_value *value) {
  static const char BASE[] = "SCRATCH_RSRC_DWORD";
  *value = (struct amd_value){.kind = VALUE_UNSET};
  if (!strncmp(operand->name, BASE, sizeof BASE - 1)) return true;
  ARRAY_EACH (const struct amd_symbol, symbol, u->thread->symbols, u->thread->symbol_count) {
    if (strcmp(symbol->name, operand->name) != 0) continue;
    struct amd_pointer pointer = {{symbol->offset, KERNARG}, 2};
    if (symbol->location >= 0) pointer = amd_pointer(u->locations, (unsigned)symbol->location, false);
    *value = value_number(upper ? pointer.word[1] : pointer.word[0] + (uint32_t)operand->number);
    return true;
  }
  return false;
}

/* Word `i` of an operand. */
bool unfold_read_word(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned i,
                      struct amd_value *value) {
  switch (operand->kind) {
    case AMD_REG:
      return read_register(u, p, operand, i, value);
    case AMD_NUMBER:
      *value = value_number((uint32_t)(operand->number >> (32 * i)));
      if (operand->piece) *value = value_piece(u, *value, operand->piece, operand->is_signed);
      return true;
    case AMD_NAME:
      if (!strncmp(operand->name, "lds@", 4)) { /* where local memory begins */
        *value = value_number(0);
        return true;
      }
      if (read_symbol(u, operand, operand->upper || i, value)) return true;
      break;
    case AMD_OFF:
      break;
  }
  return unfold_fail(u, "this operand of %s is not in the machine's instruction set", u->instr->name);
}

bool unfold_read_wide(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned words,
                      struct amd_wide *wide) {
  wide->at[1] = value_number(0);
  for (unsigned i = 0; i < words && i < 2; i++)
    if (!unfold_read_word(u, p, operand, i, &wide->at[i])) return false;
  return true;
}

bool unfold_write_wide(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned words,
                       struct amd_wide wide) {
  if (operand->kind != AMD_REG || operand->words < words)
    return unfold_fail(u, "%s cannot write to this operand", u->instr->name);
  if (operand->piece && !unfold_join_piece(u, p, operand->reg, operand->piece, operand->alone, &wide.at[0]))
    return false;
  for (unsigned i = 0; i < words && i < 2; i++)
    if (!unfold_write(u, p, operand->reg + i, wide.at[i])) return false;
  return true;
}

/* ---- addresses ---- */

bool unfold_is_address(struct amd_unfolding *u, const struct amd_instr *i, struct amd_value *v) {
  if (v->is_address) *v = value_number(v->number);
  if (v->kind == VALUE_UNSET) return unfold_fail(u, "the address of %s is in a register that nothing has set", i->name);
  if (v->kind == VALUE_OPAQUE)
    return unfold_fail(u, "the address of %s depends on memory in a way that the machine does not model", i->name);
  return true;
}

/* An offset in one register, and what it is in bytes. */
static void extend_offset(struct amd_unfolding *u, const struct amd_instr *i, struct amd_wide *offset) {
  if (u->target->signed_offsets) offset->at[1] = value_combine(u, AMD_SAR, offset->at[0], value_number(31));
  if (!i->scales) return;
  bool shifts = i->bytes && !(i->bytes & (i->bytes - 1)); /* of shifts, more is known than of products */
  struct amd_wide by = {{value_number(shifts ? (uint32_t)__builtin_ctz(i->bytes) : i->bytes), value_number(0)}};
  *offset = value_combine_wide(u, shifts ? AMD_SHL : AMD_MUL, 2, *offset, by);
}

bool unfold_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                    const struct amd_operand *vector, const struct amd_operand *scalar, struct amd_wide *address) {
  struct amd_wide v, s = {{value_number(0), value_number(0)}};
  bool pair = scalar->kind == AMD_OFF;
  bool buffer = amd_is_buffer(i), wide = pair || (buffer && vector->kind == AMD_REG && vector->words == 2);
  if (!unfold_read_wide(u, p, vector, wide ? 2 : 1, &v)) return false;
  if (!pair && !unfold_read_wide(u, p, scalar, 2, &s)) return false;
  for (unsigned k = 0; k < 2; k++)
    if (!unfold_is_address(u, i, &v.at[k]) || !unfold_is_address(u, i, &s.at[k])) return false;
  if (!wide) extend_offset(u, i, &v);
  uint64_t offset = (uint64_t)i->offset;
  struct amd_wide more = {{value_number((uint32_t)offset), value_number((uint32_t)(offset >> 32))}};
  *address = value_combine_wide(u, AMD_ADD, 2, value_combine_wide(u, AMD_ADD, 2, v, s), more);
  return true;
}
