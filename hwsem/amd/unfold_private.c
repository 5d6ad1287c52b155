/* SPDX-License-Identifier: MIT */
/* What only its thread sees: spilled words of private memory, and of the lanes
 * of registers. */
#include "hwsem/amd/unfold_internal.h"

static struct amd_value *find_spill(struct amd_unfolding *u, struct amd_path *p, uint64_t key) {
  for (unsigned i = 0; i < p->spill_count; i++)
    if (p->spills[i].key == key) return &p->spills[i].value;
  if (p->spill_count == SPILLS) {
    unfold_fail(u, "the machine handles at most %d spilled words of one thread", SPILLS);
    return &p->spills[0].value;
  }
  p->spills[p->spill_count] = (struct amd_spill){.key = key};
  return &p->spills[p->spill_count++].value;
}

struct amd_value *unfold_private_word(struct amd_unfolding *u, struct amd_path *p, uint32_t address) {
  return find_spill(u, p, address);
}

/* Keys of what is no word of private memory at its address: a lane of a register, of a stored register. */
static const uint64_t LANE = (uint64_t)1 << 48, STORED_LANE = (uint64_t)1 << 50;

static uint64_t lane_key(unsigned reg, uint64_t lane) {
  return LANE | (uint64_t)reg << 8 | lane;
}

static uint64_t stored_lane_key(uint64_t address) {
  return STORED_LANE | (address & UINT32_MAX) << 8;
}

/* A register whose lanes hold spilled words is moved with all of them switched on. */
static bool all_lanes(const struct amd_path *p) {
  return p->regs[AMD_EXEC].value.kind == VALUE_NUMBER && p->regs[AMD_EXEC].value.number == UINT32_MAX;
}

/* Keys are those of lane 0. */
static void copy_lanes(struct amd_unfolding *u, struct amd_path *p, uint64_t to, uint64_t from) {
  for (unsigned lane = 0; lane < 64; lane++) {
    const struct amd_value *value = NULL;
    bool any = false;
    for (unsigned i = 0; i < p->spill_count; i++) {
      if (p->spills[i].key == from + lane) value = &p->spills[i].value;
      any |= p->spills[i].key == to + lane;
    }
    struct amd_value copy = value ? *value : (struct amd_value){.kind = VALUE_UNSET};
    if (value || any) *find_spill(u, p, to + lane) = copy;
  }
}

void unfold_copy_lanes(struct amd_unfolding *u, struct amd_path *p, unsigned to, unsigned from) {
  if (all_lanes(p) && to != from) copy_lanes(u, p, lane_key(to, 0), lane_key(from, 0));
}

bool unfold_lane(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool reads = i->op == AMD_OP_READ_LANE;
  const struct amd_operand *lane = &i->at[2], *reg = &i->at[reads];
  if (lane->kind != AMD_NUMBER || reg->kind != AMD_REG || reg->reg < AMD_V)
    return unfold_fail(u, "%s needs a vector register and the number of a lane", i->name);
  uint64_t key = lane_key(reg->reg, lane->number & 63);
  struct amd_wide word = {{{0}}};
  if (reads) {
    word.at[0] = *find_spill(u, p, key);
    return unfold_write_wide(u, p, &i->at[0], 1, word);
  }
  if (!unfold_read_word(u, p, &i->at[1], 0, &word.at[0])) return false;
  *find_spill(u, p, key) = word.at[0];
  return true;
}

/* Of an address that is known only when it is read, forks say which it is: of those between which it lies, or of all
 * words that the thread has. */
static bool choose_word(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, struct amd_value v,
                        uint64_t *key) {
  enum { MOST_BYTES = 256 };
  *key = v.number;
  if (v.kind == VALUE_NUMBER) return true;
  bool depends = v.kind == VALUE_EXPRESSION, here = false;
  int64_t least = depends ? unfold_least(p, v.expr) : 0, most = depends ? unfold_most(p, v.expr) : MOST_BYTES;
  bool few = most - least < MOST_BYTES;
  if (!depends || (!few && !p->spill_count)) return unfold_fail(u, "the address is not known before running");
  unsigned step = i->bytes < 4 ? i->bytes : 4;
  for (unsigned k = 0; few ? least + k * step <= most : k < p->spill_count; k++) {
    *key = few ? (uint64_t)least + k * step : p->spills[k].key;
    if (*key > UINT32_MAX) continue;
    if (!unfold_decide(u, p, AMD_EQ, v, value_number((uint32_t)*key), &here)) return false;
    if (here) return true;
  }
  unfold_node(u, p, AMD_NODE_HAZARD);
  return false;
}

/* The address of a private word: what the operands after the data add up to.
 * The base of the stack is not known, and does not matter. */
static bool private_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t *key) {
  bool buffer = amd_is_buffer(i);
  bool store = i->op == AMD_OP_PRIVATE_STORE;
  struct amd_value sum = value_number((uint32_t)i->offset);
  for (unsigned k = 0; k < i->count; k++) {
    const struct amd_operand *operand = &i->at[k];
    bool data = k == (buffer || !store ? 0u : 1u), resource = buffer && k == 2;
    struct amd_value v = {0};
    if (data || resource || operand->kind == AMD_OFF) continue;
    if (!unfold_read_word(u, p, operand, 0, &v)) return false;
    bool scaled = i->scales && operand->kind == AMD_REG && operand->reg >= AMD_V;
    if (scaled) v = value_combine(u, AMD_MUL, v, value_number(i->bytes));
    if (v.kind != VALUE_UNSET) sum = value_combine(u, AMD_ADD, sum, v);
  }
  return choose_word(u, p, i, sum, key);
}

/* An address whose upper word says: private memory. */
static bool flat_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t *key) {
  struct amd_wide address;
  if (!unfold_address(u, p, i, &i->at[i->op == AMD_OP_FLAT_LOAD], &i->at[2], &address)) return false;
  return choose_word(u, p, i, address.at[0], key);
}

/* ---- bytes of words ---- */

enum { WORD = 4 };

static uint32_t mask_of(unsigned bytes) {
  return bytes < WORD ? (1u << 8 * bytes) - 1 : UINT32_MAX;
}

/* Up to four bytes at an address. */
static struct amd_value read_bytes(struct amd_unfolding *u, struct amd_path *p, uint32_t address, unsigned bytes) {
  unsigned at = address % WORD;
  struct amd_value v = *unfold_private_word(u, p, address - at);
  v = value_combine(u, AMD_SHR, v, value_number(8 * at));
  if (at + bytes > WORD) {
    struct amd_value next = *unfold_private_word(u, p, address - at + WORD);
    v = value_combine(u, AMD_OR, v, value_combine(u, AMD_SHL, next, value_number(8 * (WORD - at))));
  }
  return bytes < WORD ? value_combine(u, AMD_AND, v, value_number(mask_of(bytes))) : v;
}

/* The others of the word stay; those that nothing has set are zero. */
static void write_part(struct amd_unfolding *u, struct amd_path *p, uint32_t address, uint32_t mask,
                       struct amd_value v) {
  struct amd_value *word = unfold_private_word(u, p, address), old = *word;
  if (old.kind == VALUE_UNSET) old = value_number(0);
  old = value_combine(u, AMD_AND, old, value_number(~mask));
  *word = mask == UINT32_MAX ? v : value_combine(u, AMD_OR, old, value_combine(u, AMD_AND, v, value_number(mask)));
}

static void write_bytes(struct amd_unfolding *u, struct amd_path *p, uint32_t address, unsigned bytes,
                        struct amd_value v) {
  unsigned at = address % WORD, here = at + bytes > WORD ? WORD - at : bytes;
  write_part(u, p, address - at, mask_of(here) << 8 * at, value_combine(u, AMD_SHL, v, value_number(8 * at)));
  if (here == bytes) return;
  v = value_combine(u, AMD_SHR, v, value_number(8 * here));
  write_part(u, p, address - at + WORD, mask_of(bytes - here), v);
}

static unsigned bytes_of_word(const struct amd_instr *i) {
  return i->bytes < WORD ? i->bytes : WORD;
}

static bool store_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                          const struct amd_operand *data, uint64_t key) {
  enum amd_piece piece = i->piece ? i->piece : data->piece;
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {0};
    if (!unfold_read(u, p, data->reg + k, &v)) return false;
    if (piece) v = value_piece(u, v, piece, false);
    write_bytes(u, p, (uint32_t)key + WORD * k, bytes_of_word(i), v);
    if (all_lanes(p)) copy_lanes(u, p, stored_lane_key(key + WORD * k), lane_key(data->reg + k, 0));
  }
  return true;
}

static bool load_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                         const struct amd_operand *data, unsigned k, struct amd_value v) {
  enum amd_piece piece = i->piece ? i->piece : data->piece;
  if (i->extends) v = value_combine(u, (enum amd_fn)i->extends, v, value_number(0));
  if (piece && !unfold_join_piece(u, p, data->reg, piece, false, &v)) return false;
  return unfold_write(u, p, data->reg + k, v);
}

/* Spills are no accesses of a test's location. */
static void note_private(struct amd_unfolding *u, struct amd_path *p, uint64_t address, const struct amd_value *read) {
  for (unsigned x = 0; x < u->location_count; x++)
    if (u->locations[x].region == REGION_PRIVATE && amd_pointer(u->locations, x, false).word[0] == address)
      unfold_note_access(u, p, x, read);
}

bool unfold_private(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool flat = i->op == AMD_OP_FLAT_LOAD || i->op == AMD_OP_FLAT_STORE;
  bool store = i->op == AMD_OP_PRIVATE_STORE || i->op == AMD_OP_FLAT_STORE;
  const struct amd_operand *data = &i->at[store && i->name[0] != 'b' ? 1 : 0];
  uint64_t key = 0;
  if (!(flat ? flat_address : private_address)(u, p, i, &key)) return false;
  if (store && !store_private(u, p, i, data, key)) return false;
  if (store) note_private(u, p, key, NULL);
  for (unsigned k = 0; k < i->words && !store; k++) {
    struct amd_value v = read_bytes(u, p, (uint32_t)key + WORD * k, bytes_of_word(i));
    note_private(u, p, key + WORD * k, &v);
    if (!load_private(u, p, i, data, k, v)) return false;
    if (all_lanes(p)) copy_lanes(u, p, lane_key(data->reg + k, 0), stored_lane_key(key + WORD * k));
  }
  wait_counters_increment(u, p, store ? AMD_STORES : AMD_LOADS, NO_SLOT);
  if (flat) wait_counters_increment(u, p, AMD_LOCAL, NO_SLOT);
  if (!store) wait_counters_guard(u, p, data->reg, i->words, AMD_LOADS);
  return true;
}
