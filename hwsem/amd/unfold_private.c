/* SPDX-License-Identifier: MIT */
/* What only its thread sees: spilled words of private memory, and of the lanes
 * of registers. */
#include "hwsem/amd/unfold_parts.h"

static struct amd_value *find_spill(struct amd_unfolding *u, struct amd_path *p, uint64_t key) {
  for (unsigned i = 0; i < p->spill_count; i++)
    if (p->spills[i].key == key) return &p->spills[i].value;
  if (p->spill_count == SPILLS) {
    unfold_fail(u, "more than %d spilled words of one thread are outside the machine", SPILLS);
    return &p->spills[0].value;
  }
  p->spills[p->spill_count] = (struct amd_spill){.key = key};
  return &p->spills[p->spill_count++].value;
}

bool unfold_lane(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool reads = i->op == AMD_OP_READ_LANE;
  const struct amd_operand *lane = &i->at[2], *reg = &i->at[reads];
  if (lane->kind != AMD_NUMBER || reg->kind != AMD_REG || reg->reg < AMD_V)
    return unfold_fail(u, "%s needs a vector register and the number of a lane", i->name);
  uint64_t key = (uint64_t)1 << 48 | (uint64_t)reg->reg << 8 | (lane->number & 63);
  struct amd_wide word = {{{0}}};
  if (reads) {
    word.at[0] = *find_spill(u, p, key);
    return unfold_write_wide(u, p, &i->at[0], 1, word);
  }
  if (!unfold_read_word(u, p, &i->at[1], 0, &word.at[0])) return false;
  *find_spill(u, p, key) = word.at[0];
  return true;
}

/* The address of a private word: what the operands after the data add up to.
 * The base of the stack is not known, and does not matter. */
static bool private_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t *key) {
  bool buffer = i->name[0] == 'b';
  bool store = i->op == AMD_OP_PRIVATE_STORE;
  uint64_t sum = (uint64_t)i->offset;
  for (unsigned k = 0; k < i->count; k++) {
    const struct amd_operand *operand = &i->at[k];
    bool data = k == (buffer || !store ? 0u : 1u), resource = buffer && k == 2;
    struct amd_value v = {0};
    if (data || resource || operand->kind == AMD_OFF) continue;
    if (!unfold_read_word(u, p, operand, 0, &v)) return false;
    if (v.kind == VALUE_EXPRESSION || v.kind == VALUE_OPAQUE)
      return unfold_fail(u, "the address is not known before running");
    if (v.kind == VALUE_NUMBER) sum += v.number;
  }
  *key = (uint32_t)sum;
  return true;
}

bool unfold_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool store = i->op == AMD_OP_PRIVATE_STORE;
  const struct amd_operand *data = &i->at[store && i->name[0] == 's' ? 1 : 0];
  uint64_t key = 0;
  if (data->kind != AMD_REG || data->words < i->words)
    return unfold_fail(u, "%s needs registers for its data", i->name);
  if (!private_address(u, p, i, &key)) return false;
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {0};
    if (store) {
      if (!unfold_read(u, p, data->reg + k, &v)) return false;
      *find_spill(u, p, key + 4 * k) = v;
    } else if (!unfold_write(u, p, data->reg + k, *find_spill(u, p, key + 4 * k))) {
      return false;
    }
  }
  unfold_issue(u, p, store ? AMD_STORES : AMD_LOADS, NO_SLOT);
  return true;
}
