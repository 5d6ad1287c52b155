/* SPDX-License-Identifier: MIT */
/* Instructions on memory that threads share: addresses, operations, waiting for
 * them, caches. */
#include <string.h>

#include "hwsem/amd/unfold_parts.h"

/* ---- addresses ---- */

enum { LOCAL_STEP = 4 * 301 };

unsigned amd_local_offset(unsigned i) {
  return i * LOCAL_STEP;
}

/* Base and offset of a global access: `v0, s[0:1]` or `v[0:1], off`. */
static bool global_address(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct amd_operand *vector, const struct amd_operand *scalar, uint64_t *address) {
  struct amd_wide v, s = {{value_number(0), value_number(0)}};
  bool pair = scalar->kind == AMD_OFF;
  if (vector->kind == AMD_REG && vector->words != (pair ? 2u : 1u))
    return unfold_fail(
        u,
        "the address of %s must be a pair of vector registers, or one vector register and a pair of scalar registers",
        i->name);
  if (!unfold_read_wide(u, p, vector, pair ? 2 : 1, &v)) return false;
  if (!pair && !unfold_read_wide(u, p, scalar, 2, &s)) return false;
  for (unsigned k = 0; k < 2; k++) {
    if (v.at[k].is_address) v.at[k] = value_number(v.at[k].number);
    if (v.at[k].kind == VALUE_UNSET || s.at[k].kind == VALUE_UNSET)
      return unfold_fail(u, "the address of %s is in a register that nothing has set", i->name);
    if (v.at[k].kind != VALUE_NUMBER || s.at[k].kind != VALUE_NUMBER)
      return unfold_fail(u, "the address is not known before running");
  }
  *address = ((uint64_t)v.at[1].number << 32 | v.at[0].number) + ((uint64_t)s.at[1].number << 32 | s.at[0].number) +
             (uint64_t)i->offset;
  return true;
}

static bool find_location(struct amd_unfolding *u, uint64_t address, unsigned *location) {
  uint64_t upper = address >> 32;
  if (upper >= 1 && upper <= u->location_count && (uint32_t)address == 0) {
    *location = (unsigned)upper - 1;
    return true;
  }
  return unfold_fail(u, "the address of %s is not a location of the test", u->instr->name);
}

/* The local location at an address, or -1. */
static int local_at(const struct amd_unfolding *u, uint32_t address) {
  unsigned next = 0;
  for (unsigned k = 0; k < u->location_count; k++)
    if (u->locations[k].region == REGION_LOCAL && address == amd_local_offset(next++)) return (int)k;
  return -1;
}

/* The location of a local access; of two words that are loaded at once, one is a
 * location and the other is padding, which optimisers read where it costs nothing. */
static bool local_location(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i,
                           const struct amd_operand *operand, unsigned *location, unsigned *word) {
  struct amd_value v = {0};
  *word = 0;
  if (!u->target->mode->local) return unfold_fail(u, "local memory cannot be used in mode %s", u->target->mode->name);
  if (!unfold_read_word(u, p, operand, 0, &v)) return false;
  if (v.kind == VALUE_UNSET) return unfold_fail(u, "the address of %s is in a register that nothing has set", i->name);
  if (v.kind != VALUE_NUMBER) return unfold_fail(u, "the address is not known before running");
  int first = local_at(u, v.number + (uint32_t)i->offset), second = -1;
  if (i->words == 2) second = local_at(u, v.number + (uint32_t)i->second);
  if (first >= 0 && second >= 0) return unfold_fail(u, "%s reads more than one location", i->name);
  *word = second >= 0;
  *location = (unsigned)(second >= 0 ? second : first);
  if (first >= 0 || second >= 0) return true;
  return unfold_fail(u, "the address of %s is not a local location of the test", i->name);
}

/* ---- operations on memory ---- */

static bool read_data(struct amd_unfolding *u, struct amd_path *p, unsigned reg, const struct amd_expr **data) {
  struct amd_value v = {0};
  if (!unfold_read(u, p, reg, &v)) return false;
  if (v.kind == VALUE_UNSET) return unfold_fail(u, "%s writes a register that nothing has set", u->instr->name);
  if (v.kind == VALUE_OPAQUE) return unfold_fail(u, "%s writes a value that is outside the machine", u->instr->name);
  *data = value_expression(u, v);
  return true;
}

static bool fill(struct amd_unfolding *u, struct amd_path *p, unsigned to, unsigned slot) {
  p->before[slot] = p->regs[to].value;
  p->regs[to] = (struct amd_cell){value_of_slot(u, slot), (uint8_t)(slot + 1)};
  return true;
}

static bool is_register(const struct amd_operand *operand, unsigned words) {
  return operand->kind == AMD_REG && operand->words == words && operand->reg >= AMD_V;
}

bool unfold_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool local = i->op == AMD_OP_DS_LOAD;
  uint64_t address = 0;
  unsigned location = 0, word = 0;
  if (i->words != 1 && !local) return unfold_fail(u, "%s reads more than one location", i->name);
  if (!is_register(&i->at[0], i->words)) return unfold_fail(u, "%s needs a vector register to load", i->name);
  if (local ? !local_location(u, p, i, &i->at[1], &location, &word)
            : !global_address(u, p, i, &i->at[1], &i->at[2], &address) || !find_location(u, address, &location))
    return false;
  for (unsigned k = 0; k < i->words; k++)
    if (!unfold_covered(u, p, i->at[0].reg + k)) return false;
  struct amd_node *node = unfold_operation(u, p, AMD_NODE_LOAD, local ? AMD_LOCAL : AMD_LOADS);
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_LOAD, NULL, i->bits);
  if (!local && i->bits && !rule) return unfold_fail(u, "%s has no load with these bits", u->target->full);
  node->location = location;
  node->local = local;
  node->returns = true;
  node->passes = rule && !local ? rule->caches : 0;
  if (i->words == 2)
    p->regs[i->at[0].reg + !word] = (struct amd_cell){{.kind = VALUE_OPAQUE}, (uint8_t)(node->slot + 1)};
  return fill(u, p, i->at[0].reg + word, node->slot);
}

/* To the results: what a thread leaves behind, and no traffic of memory. */
static bool store_results(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i, uint64_t address) {
  unsigned first = (uint32_t)address / 4;
  if ((uint32_t)address % 4 || first + i->words > OUTS) return unfold_fail(u, "%s writes outside the results", i->name);
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {0};
    if (!unfold_read_word(u, p, &i->at[1], k, &v)) return false;
    p->out[first + k] = v;
  }
  unfold_issue(u, p, AMD_STORES, NO_SLOT);
  return true;
}

bool unfold_store(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool local = i->op == AMD_OP_DS_STORE;
  uint64_t address = 0;
  unsigned location = 0, word = 0;
  const struct amd_expr *data = NULL;
  if (!is_register(&i->at[1], i->words)) return unfold_fail(u, "%s needs vector registers to store", i->name);
  if (local) {
    if (!local_location(u, p, i, &i->at[0], &location, &word)) return false;
  } else {
    if (!global_address(u, p, i, &i->at[0], &i->at[2], &address)) return false;
    if (address >> 32 == OUT) return store_results(u, p, i, address);
    if (!find_location(u, address, &location)) return false;
  }
  if (i->words != 1) return unfold_fail(u, "%s writes more than one location", i->name);
  if (!read_data(u, p, i->at[1].reg, &data)) return false;
  struct amd_node *node = unfold_operation(u, p, AMD_NODE_STORE, local ? AMD_LOCAL : AMD_STORES);
  const struct amd_rule *rule = amd_target_rule(u->target, AMD_STORE, NULL, i->bits);
  node->location = location;
  node->local = local;
  node->data = data;
  node->through = rule && rule->caches;
  return true;
}

/* Operands of a read-modify-write: [destination] address data ... */
bool unfold_rmw(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  bool local = i->op >= AMD_OP_DS_LOAD;
  bool cas = i->op == AMD_OP_GLOBAL_CAS || i->op == AMD_OP_DS_CAS || i->op == AMD_OP_DS_CAS_OLD;
  bool returns = local ? i->returns : (i->bits & u->target->return_bits) != 0;
  unsigned first = returns ? 1 : 0, expected_count = 2 + (local ? (cas ? 1u : 0u) : 1u) + first;
  uint64_t address = 0;
  unsigned location = 0, word = 0;
  if (i->count != expected_count) return unfold_fail(u, "%s cannot have %u operands here", i->name, i->count);
  const struct amd_operand *data = &i->at[first + 1];
  if (!is_register(data, cas && !local ? 2 : 1) || (returns && !is_register(&i->at[0], 1)))
    return unfold_fail(u, "%s needs vector registers for its data", i->name);
  if (local ? !local_location(u, p, i, &i->at[first], &location, &word)
            : !global_address(u, p, i, &i->at[first], &i->at[first + 2], &address) ||
                  !find_location(u, address, &location))
    return false;
  unsigned other = !cas ? data->reg : local ? i->at[first + 2].reg : data->reg + 1;
  const struct amd_expr *a = NULL, *b = NULL;
  if (!read_data(u, p, data->reg, &a) || (cas && !read_data(u, p, other, &b))) return false;
  if (returns && !unfold_covered(u, p, i->at[0].reg)) return false;
  enum amd_class class = local ? AMD_LOCAL : returns ? AMD_LOADS : AMD_STORES;
  struct amd_node *node = unfold_operation(u, p, cas ? AMD_NODE_CAS : AMD_NODE_RMW, class);
  node->location = location;
  node->local = local;
  node->returns = returns;
  node->op = (enum rmw_op)i->fn;
  node->data = i->op == AMD_OP_DS_CAS_OLD ? b : a;
  node->expected = i->op == AMD_OP_DS_CAS_OLD ? a : b;
  return !returns || fill(u, p, i->at[0].reg, node->slot);
}

/* Kernel arguments; anything else would need a scalar cache. */
bool unfold_scalar_load(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  struct amd_wide base;
  if (!unfold_read_wide(u, p, &i->at[1], 2, &base)) return false;
  bool unset = base.at[0].kind == VALUE_UNSET && base.at[1].kind == VALUE_UNSET;
  bool kernarg =
      unset ? u->thread->argument_count > 0 : base.at[1].kind == VALUE_NUMBER && base.at[1].number == KERNARG;
  if (!kernarg) return unfold_fail(u, "%s reads memory through the scalar cache; the machine has none", i->name);
  if (i->at[2].kind != AMD_NUMBER) return unfold_fail(u, "the address is not known before running");
  if (i->at[0].kind != AMD_REG || i->at[0].words != i->words)
    return unfold_fail(u, "%s needs %u registers to load", i->name, i->words);
  uint64_t offset = i->at[2].number + (uint64_t)i->offset + (unset ? 0 : base.at[0].number);
  for (unsigned k = 0; k < i->words; k++) {
    struct amd_value v = {.kind = VALUE_UNSET};
    for (unsigned n = 0; n < u->thread->argument_count; n++) {
      const struct amd_argument *argument = &u->thread->arguments[n];
      if (offset + 4 * k == argument->offset) v = value_number(0);
      if (offset + 4 * k == argument->offset + 4)
        v = value_number(argument->location < 0 ? OUT : (uint32_t)argument->location + 1);
    }
    if (!unfold_write(u, p, i->at[0].reg + k, v)) return false;
  }
  return true;
}

/* ---- waiting ---- */

static void cover(struct amd_path *p, uint32_t slots) {
  for (unsigned r = 0; r < AMD_REGISTERS; r++)
    if (p->regs[r].pending && slots >> (p->regs[r].pending - 1) & 1) p->regs[r].pending = 0;
}

bool unfold_wait(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  uint32_t must = 0;
  bool any = false;
  for (unsigned c = 0; c < u->target->counter_count; c++) {
    int most = -1;
    for (unsigned k = 0; k < AMD_CLASSES; k++)
      if (u->target->counters[c].classes >> k & 1) most = i->wait[k];
    for (unsigned n = 0; most >= 0 && n + (unsigned)most < p->issued_count[c]; n++)
      if (p->issued[c][n] != NO_SLOT) must |= 1u << p->issued[c][n];
    any |= most >= 0 && (unsigned)most < p->issued_count[c];
  }
  struct amd_node *node = unfold_node(u, p, AMD_NODE_WAIT);
  node->must = must;
  node->any = any;
  cover(p, must);
  return true;
}

/* An instruction may both write back and invalidate: in this order. */
bool unfold_cache(struct amd_unfolding *u, struct amd_path *p, const struct amd_instr *i) {
  const struct amd_rule *back = amd_target_rule(u->target, AMD_WRITE_BACK, i->name, i->bits);
  const struct amd_rule *invalidate = amd_target_rule(u->target, AMD_INVALIDATE, i->name, i->bits);
  if (!back && !invalidate) return unfold_fail(u, "%s has no %s with these bits", u->target->full, i->name);
  if (back) unfold_operation(u, p, AMD_NODE_WRITE_BACK, AMD_STORES);
  if (!invalidate) return true;
  unfold_node(u, p, AMD_NODE_INVALIDATE)->caches = invalidate->caches;
  if (invalidate->counted) unfold_issue(u, p, AMD_LOADS, NO_SLOT);
  return true;
}
