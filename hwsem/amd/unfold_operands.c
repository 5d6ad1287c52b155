/* SPDX-License-Identifier: MIT */
/* Registers and operands of instructions, one word or two. */
#include <string.h>

#include "hwsem/amd/unfold_parts.h"

/* Looks at a register that an instruction reads or overwrites; false: the load
 * that fills it has not been waited for. */
bool unfold_covered(struct amd_unfolding *u, struct amd_path *p, unsigned reg) {
  unsigned pending = p->regs[reg].pending;
  if (!pending) return true;
  const struct amd_instr *load = u->nodes.at[p->by_slot[pending - 1]].instr;
  unfold_node(u, p, AMD_NODE_HAZARD)->load = load;
  return false;
}

bool unfold_read(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value *value) {
  *value = value_number(0);
  if (reg == AMD_NULL) return true;
  if (!unfold_covered(u, p, reg)) return false;
  *value = p->regs[reg].value;
  return true;
}

bool unfold_write(struct amd_unfolding *u, struct amd_path *p, unsigned reg, struct amd_value value) {
  if (reg == AMD_NULL) return true;
  if (!unfold_covered(u, p, reg)) return false;
  p->regs[reg] = (struct amd_cell){.value = value};
  return true;
}

/* Word `i` of an operand. */
bool unfold_read_word(struct amd_unfolding *u, struct amd_path *p, const struct amd_operand *operand, unsigned i,
                      struct amd_value *value) {
  switch (operand->kind) {
    case AMD_REG:
      if (operand->words > i) return unfold_read(u, p, operand->reg + i, value);
      *value = value_number(0);
      return true;
    case AMD_NUMBER:
      *value = value_number((uint32_t)(operand->number >> (32 * i)));
      return true;
    case AMD_NAME: /* the address of local memory, which is the only thing with one */
      if (!strncmp(operand->name, "lds@", 4)) {
        *value = value_number(0);
        return true;
      }
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
  for (unsigned i = 0; i < words && i < 2; i++)
    if (!unfold_write(u, p, operand->reg + i, wide.at[i])) return false;
  return true;
}
