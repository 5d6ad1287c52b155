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

struct amd_value *unfold_private_word(struct amd_unfolding *u, struct amd_path *p, uint32_t address) {
  return find_spill(u, p, address);
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

/* An address whose upper word says: private memory. */
static bool flat_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t *key) {
  struct amd_wide address;
  if (!unfold_read_wide(u, p, &i->at[i->op == AMD_OP_FLAT_LOAD], 2, &address)) return false;
  *key = (uint32_t)((uint64_t)i->offset + address.at[0].number);
  return true;
}

/* Bytes are cells of their own: one that holds part of a word is not followed. */
static bool byte_key(struct amd_unfolding *u, const struct amd_path *p, const struct amd_instr *i, uint64_t *key) {
  static const uint64_t BYTE = (uint64_t)1 << 49;
  bool byte = i->fn2 != 0;
  for (unsigned k = 0; k < p->spill_count; k++) {
    uint64_t other = p->spills[k].key, at = other & ~BYTE;
    bool other_byte = (other & BYTE) != 0;
    if (other >> 48 == 1 || byte == other_byte) continue;
    uint64_t first = byte ? at : *key, end = first + (byte ? 4 : 4 * i->words), single = byte ? *key : at;
    if (single >= first && single < end) return unfold_fail(u, "bytes of words in private memory are not followed");
  }
  if (byte) *key |= BYTE;
  return true;
}

static bool store_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, unsigned from,
                          uint64_t key) {
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {0};
    if (!unfold_read(u, p, from + k, &v)) return false;
    *find_spill(u, p, key + 4 * k) = i->fn2 ? value_combine(u, AMD_AND, v, value_number(0xff)) : v;
  }
  return true;
}

bool unfold_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool flat = i->op == AMD_OP_FLAT_LOAD || i->op == AMD_OP_FLAT_STORE;
  bool store = i->op == AMD_OP_PRIVATE_STORE || i->op == AMD_OP_FLAT_STORE;
  const struct amd_operand *data = &i->at[store && i->name[0] != 'b' ? 1 : 0];
  uint64_t key = 0;
  if (data->kind != AMD_REG || data->words < i->words)
    return unfold_fail(u, "%s needs registers for its data", i->name);
  if (!(flat ? flat_address : private_address)(u, p, i, &key) || !byte_key(u, p, i, &key)) return false;
  if (store && !store_private(u, p, i, data->reg, key)) return false;
  for (unsigned k = 0; k < i->words && !store; k++)
    if (!unfold_write(u, p, data->reg + k, *find_spill(u, p, key + 4 * k))) return false;
  unfold_issue(u, p, store ? AMD_STORES : AMD_LOADS, NO_SLOT);
  if (flat) unfold_issue(u, p, AMD_LOCAL, NO_SLOT);
  return true;
}
