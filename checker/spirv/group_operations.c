/* SPDX-License-Identifier: MIT */
/* Operations of a sub-group or a work-group on values that each of its work-items gives.
 *
 * All members meet there, as at a barrier that orders no memory.  Code is made several times (spirv.c): what was known
 * of all members' values the last time is computed with at once, without any event.  A value that only a run knows is
 * stored, by a relaxed atomic operation, where nothing else is, and the other members wait for it.
 *
 * Operations of Vulkan (OpGroupNonUniform...) are of those members that come: of all whose code comes there at all.
 * Where a branch that only a run knows keeps one away, the others wait for ever, and a warning says so.  Floats are
 * combined in the order of the members, which implementations need not do. */
#include <math.h>
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/spirv/kernel_internal.h"

enum { BALLOT_WORDS = 4 };
static const int64_t NOTHING_YET = INT64_C(1) << 40; /* no value of 32 bits */

/* ---- which operations there are ---- */

enum group_kind {
  COMBINE,
  ALL,
  ANY,
  ALL_EQUAL,
  ELECT,
  BROADCAST,
  BROADCAST_FIRST,
  SHUFFLE,
  SHUFFLE_XOR,
  SHUFFLE_UP,
  SHUFFLE_DOWN,
  QUAD_BROADCAST,
  QUAD_SWAP,
  BALLOT
};

/* What combining nothing gives. */
enum identity { ZERO, ONE, ALL_BITS, LEAST, GREATEST };

struct group_row {
  uint16_t opcode, uniform; /* Vulkan's, and OpenCL's; 0: there is none */
  enum group_kind kind;
  uint16_t combine; /* COMBINE: of two values, or, `choose`, whether the first is to be taken */
  bool choose;
  enum identity identity;
};

static const struct group_row group_rows[] = {
    {SpvOpGroupNonUniformElect, 0, ELECT, 0, false, ZERO},
    {SpvOpGroupNonUniformAll, SpvOpGroupAll, ALL, 0, false, ZERO},
    {SpvOpGroupNonUniformAny, SpvOpGroupAny, ANY, 0, false, ZERO},
    {SpvOpGroupNonUniformAllEqual, 0, ALL_EQUAL, 0, false, ZERO},
    {SpvOpGroupNonUniformBroadcast, SpvOpGroupBroadcast, BROADCAST, 0, false, ZERO},
    {SpvOpGroupNonUniformBroadcastFirst, 0, BROADCAST_FIRST, 0, false, ZERO},
    {SpvOpGroupNonUniformBallot, 0, BALLOT, 0, false, ZERO},
    {SpvOpGroupNonUniformShuffle, 0, SHUFFLE, 0, false, ZERO},
    {SpvOpGroupNonUniformShuffleXor, 0, SHUFFLE_XOR, 0, false, ZERO},
    {SpvOpGroupNonUniformShuffleUp, 0, SHUFFLE_UP, 0, false, ZERO},
    {SpvOpGroupNonUniformShuffleDown, 0, SHUFFLE_DOWN, 0, false, ZERO},
    {SpvOpGroupNonUniformQuadBroadcast, 0, QUAD_BROADCAST, 0, false, ZERO},
    {SpvOpGroupNonUniformQuadSwap, 0, QUAD_SWAP, 0, false, ZERO},
    {SpvOpGroupNonUniformIAdd, SpvOpGroupIAdd, COMBINE, SpvOpIAdd, false, ZERO},
    {SpvOpGroupNonUniformFAdd, SpvOpGroupFAdd, COMBINE, SpvOpFAdd, false, ZERO},
    {SpvOpGroupNonUniformIMul, 0, COMBINE, SpvOpIMul, false, ONE},
    {SpvOpGroupNonUniformFMul, 0, COMBINE, SpvOpFMul, false, ONE},
    {SpvOpGroupNonUniformSMin, SpvOpGroupSMin, COMBINE, SpvOpSLessThan, true, GREATEST},
    {SpvOpGroupNonUniformUMin, SpvOpGroupUMin, COMBINE, SpvOpULessThan, true, ALL_BITS},
    {SpvOpGroupNonUniformFMin, SpvOpGroupFMin, COMBINE, SpvOpFOrdLessThan, true, GREATEST},
    {SpvOpGroupNonUniformSMax, SpvOpGroupSMax, COMBINE, SpvOpSGreaterThan, true, LEAST},
    {SpvOpGroupNonUniformUMax, SpvOpGroupUMax, COMBINE, SpvOpUGreaterThan, true, ZERO},
    {SpvOpGroupNonUniformFMax, SpvOpGroupFMax, COMBINE, SpvOpFOrdGreaterThan, true, LEAST},
    {SpvOpGroupNonUniformBitwiseAnd, 0, COMBINE, SpvOpBitwiseAnd, false, ALL_BITS},
    {SpvOpGroupNonUniformBitwiseOr, 0, COMBINE, SpvOpBitwiseOr, false, ZERO},
    {SpvOpGroupNonUniformBitwiseXor, 0, COMBINE, SpvOpBitwiseXor, false, ZERO},
    {SpvOpGroupNonUniformLogicalAnd, 0, COMBINE, SpvOpLogicalAnd, false, ONE},
    {SpvOpGroupNonUniformLogicalOr, 0, COMBINE, SpvOpLogicalOr, false, ZERO},
    {SpvOpGroupNonUniformLogicalXor, 0, COMBINE, SpvOpLogicalNotEqual, false, ZERO},
};

static const struct group_row *row_of(const struct inst *inst) {
  for (size_t i = 0; i < ARRAY_COUNT(group_rows); i++)
    if (group_rows[i].opcode == inst->opcode || (group_rows[i].uniform && group_rows[i].uniform == inst->opcode))
      return &group_rows[i];
  return NULL;
}

bool group_meets(const struct inst *inst) {
  return row_of(inst) != NULL;
}

/* ---- what members give ---- */

void gatherings_begin(struct kernel_code *k) {
  ARRAY_EACH (struct gathering, g, k->gatherings.at, k->gatherings.count) {
    g->came = g->comes;
    g->gave = g->gives;
    g->comes = ARENA_ARRAY(k->arena, bool, g->members);
    g->gives = ARENA_ARRAY(k->arena, struct scalar, (size_t)g->members * g->leaves + 1u);
    g->first = 0;
  }
}

bool gatherings_same(const struct kernel_code *k) {
  ARRAY_EACH (const struct gathering, g, k->gatherings.at, k->gatherings.count) {
    for (unsigned m = 0; m < g->members; m++)
      if (g->came[m] != g->comes[m]) return false;
    for (unsigned v = 0; v < g->members * g->leaves; v++)
      if (!scalar_same(g->gave[v], g->gives[v])) return false;
  }
  return true;
}

/* One that nothing is known of: all come, and give what only a run knows. */
static struct gathering *find_gathering(struct kernel_code *k, const char *key, unsigned members, unsigned leaves) {
  struct gathering *g = FIND_ROW(k->gatherings.at, k->gatherings.count, key, key);
  if (g) return g;
  g = vec_push(k->arena, &k->gatherings);
  size_t values = (size_t)members * leaves;
  *g = (struct gathering){.key = key,
                          .members = members,
                          .leaves = leaves,
                          .came = ARENA_ARRAY(k->arena, bool, members),
                          .comes = ARENA_ARRAY(k->arena, bool, members),
                          .gave = ARENA_ARRAY(k->arena, struct scalar, values + 1),
                          .gives = ARENA_ARRAY(k->arena, struct scalar, values + 1)};
  for (unsigned m = 0; m < members; m++) g->came[m] = true;
  for (size_t v = 0; v < values; v++) g->gave[v].kind = SCALAR_HELD;
  return g;
}

/* A work-item that comes by several ways may give several values. */
static void give(struct gathering *g, unsigned self, const struct scalar *values) {
  for (unsigned l = 0; l < g->leaves; l++) {
    struct scalar *given = &g->gives[self * g->leaves + l], now = {.kind = SCALAR_HELD};
    if (values[l].kind == SCALAR_KNOWN) now = scalar_known(values[l].value);
    if (g->comes[self] && !scalar_same(*given, now)) now = (struct scalar){.kind = SCALAR_HELD};
    *given = now;
  }
  g->comes[self] = true;
}

/* ---- a meeting ---- */

struct meeting {
  struct work_item *w;
  const struct inst *inst;
  enum scope scope;
  unsigned members, self, leaves;
  const bool *present;         /* by member */
  const struct scalar *values; /* by member and leaf */
};

static struct instr *emit_access(struct work_item *w, enum instr_kind kind, unsigned location) {
  struct instr *instr = item_emit(w, kind);
  instr->address = (struct address){.base = location, .size = 1};
  instr->order = ORDER_RLX;
  instr->scope = SCOPE_WG;
  if (!w->k->vulkan) return instr;
  instr->tags = tag_bit(TAG_ATOM) | tag_bit(TAG_NONPRIV) | tag_bit(TAG_SC0);
  instr->read_tags = tag_bit(TAG_VIS);
  instr->write_tags = tag_bit(TAG_AV);
  return instr;
}

static unsigned location_of(struct kernel_code *k, struct gathering *g, unsigned value) {
  for (unsigned v = 0; !g->first && v < g->members * g->leaves; v++)
    *vec_push(k->arena, &k->locations) = (struct location){.name = arena_printf(k->arena, "%s[%u]", g->key, v),
                                                           .init = NOTHING_YET,
                                                           .region = REGION_GLOBAL,
                                                           .atomic = true,
                                                           .width = {.bits = 32, .is_signed = true}};
  if (!g->first) g->first = (unsigned)k->locations.count - g->members * g->leaves + 1;
  return g->first - 1 + value;
}

/* Values that only a run knows, by memory. */
static void exchange(struct meeting *m, struct gathering *g, const struct kernel_type *type,
                     const struct scalar *values, struct scalar *all) {
  struct work_item *w = m->w;
  unsigned present = 0;
  for (unsigned i = 0; i < m->members; i++) present += m->present[i];
  for (unsigned v = 0; v < m->members * m->leaves; v++) {
    bool own = v / m->leaves == m->self;
    if (own) all[v] = values[v % m->leaves];
    if (!own || present < 2 || g->gave[v].kind == SCALAR_KNOWN) continue;
    if (type->size / (type->leaves ? type->leaves : 1) > 4) {
      module_fail(&w->k->module, m->inst, "%s of a value of 64 bits that only a run knows is not supported",
                  module_opcode_name(m->inst));
      return;
    }
    emit_access(w, INSTR_STORE, location_of(w->k, g, v))->value = scalar_expr(w->arena, values[v % m->leaves]);
  }
  if (present > 1) emit_meeting(w, m->scope, present);
  for (unsigned v = 0; v < m->members * m->leaves; v++) {
    if (v / m->leaves == m->self || !m->present[v / m->leaves]) continue;
    all[v] = g->gave[v];
    if (all[v].kind == SCALAR_KNOWN) continue;
    unsigned reg = item_temporary(w);
    struct instr *load = emit_access(w, INSTR_LOAD, location_of(w->k, g, v));
    load->reg = (int)reg;
    load->awaits = true;
    load->nothing = NOTHING_YET;
    all[v] = item_held(w, reg, (struct scalar){0});
  }
}

/* How many members the meeting has; false: an error was added. */
static bool find_members(struct meeting *m) {
  const struct header *h = &m->w->k->header;
  if (!memory_scope(m->w, m->inst->operands[0], &m->scope)) return false;
  if (m->scope != SCOPE_SG && m->scope != SCOPE_WG)
    return module_fail(&m->w->k->module, m->inst, "%s of what is neither a sub-group nor a work-group is not supported",
                       module_opcode_name(m->inst));
  m->members = m->scope == SCOPE_SG ? h->threads : h->threads * h->subgroups;
  m->self = m->w->number % m->members;
  return true;
}

/* All members give their values of a type; false: an error was added. */
static bool meet(struct meeting *m, const struct kernel_type *type, const struct scalar *values, bool uniform) {
  struct work_item *w = m->w;
  m->leaves = type ? type->leaves : 0;
  const char *key = meeting_key(w, m->scope);
  if (!key) return false;
  struct gathering *g = find_gathering(w->k, key, m->members, m->leaves);
  bool *present = ARENA_ARRAY(w->scratch, bool, m->members);
  for (unsigned i = 0; i < m->members; i++) present[i] = uniform || g->came[i] || i == m->self;
  struct scalar *all = ARENA_ARRAY(w->scratch, struct scalar, m->members * m->leaves + 1u);
  m->present = present;
  m->values = all;
  give(g, m->self, values);
  exchange(m, g, type ? type : &(struct kernel_type){0}, values, all);
  return !w->k->module.failed;
}

/* ---- results ---- */

static struct scalar value_of(const struct meeting *m, unsigned member, unsigned leaf) {
  return m->values[member * m->leaves + leaf];
}

static struct scalar both(struct work_item *w, enum expr_kind kind, struct scalar a, struct scalar b) {
  return scalar_apply(w->arena, kind, a, b);
}

static struct scalar identity_of(const struct group_row *row, const struct kernel_type *type) {
  bool real = type->kind == TYPE_FLOAT;
  const struct initial one = {.number = 1}, least = {.real = true, .value = -INFINITY},
                       greatest = {.real = true, .value = INFINITY};
  int64_t lowest = type->bits >= 64 ? INT64_MIN : -(INT64_C(1) << (type->bits - 1));
  switch (row->identity) {
    case ZERO:
      break;
    case ONE:
      return scalar_known(constant_from(type, &one));
    case ALL_BITS:
      return scalar_known(-1);
    case LEAST:
      return scalar_known(real ? constant_from(type, &least) : lowest);
    case GREATEST:
      return scalar_known(real ? constant_from(type, &greatest) : -(lowest + 1));
  }
  return scalar_known(0);
}

static struct scalar combine_two(struct work_item *w, const struct group_row *row, const struct kernel_type *type,
                                 struct scalar a, struct scalar b) {
  static const struct kernel_type truth = {.kind = TYPE_BOOL, .bits = 1};
  if (!row->choose) return compute_binary(w->arena, row->combine, type, type, a, b);
  return scalar_choose(w->arena, compute_binary(w->arena, row->combine, &truth, type, a, b), a, b);
}

/* Of all members, or of those up to or before this one, or of its cluster. */
static struct scalar combined(const struct meeting *m, const struct group_row *row, const struct kernel_type *type,
                              unsigned leaf, unsigned cluster) {
  uint32_t operation = m->inst->operands[1];
  struct scalar result = {0};
  for (unsigned i = 0; i < m->members; i++) {
    bool before = i < m->self || (i == m->self && operation == SpvGroupOperationInclusiveScan);
    bool scan = operation == SpvGroupOperationInclusiveScan || operation == SpvGroupOperationExclusiveScan;
    if (!m->present[i] || (scan && !before) || i / cluster != m->self / cluster) continue;
    struct scalar next = value_of(m, i, leaf);
    result = result.kind == SCALAR_UNSET ? next : combine_two(m->w, row, type, result, next);
  }
  return result.kind == SCALAR_UNSET ? identity_of(row, type) : result;
}

static struct scalar voted(const struct meeting *m, enum group_kind kind) {
  struct scalar result = scalar_known(kind != ANY);
  unsigned first = 0;
  while (!m->present[first]) first++;
  for (unsigned i = 0; i < m->members; i++)
    for (unsigned l = 0; m->present[i] && l < m->leaves; l++) {
      struct scalar vote = both(m->w, EXPR_NE, value_of(m, i, l), scalar_known(0));
      if (kind == ALL_EQUAL) vote = both(m->w, EXPR_EQ, value_of(m, i, l), value_of(m, first, l));
      result = both(m->w, kind == ANY ? EXPR_LOR : EXPR_LAND, result, vote);
    }
  return result;
}

static struct scalar ballot_word(const struct meeting *m, unsigned word) {
  struct scalar bits = scalar_known(0);
  for (unsigned i = 0; i < m->members; i++)
    if (m->present[i] && i / 32 == word)
      bits = both(m->w, EXPR_OR, bits, both(m->w, EXPR_SHL, value_of(m, i, 0), scalar_known(i % 32)));
  return scalar_fit(m->w->arena, 32, bits);
}

/* The number of the member whose value is taken. */
static struct scalar source_of(const struct meeting *m, enum group_kind kind) {
  struct scalar self = scalar_known(m->self), by = scalar_known(0);
  unsigned first = 0, quad = m->self & ~3u;
  while (!m->present[first]) first++;
  if (kind == BROADCAST_FIRST) return scalar_known(first);
  struct value operand = item_value(m->w, m->inst->operands[2]);
  if (operand.at) by = scalar_unsigned(m->w->arena, 32, item_scalar(m->w, m->inst->operands[2]));
  switch (kind) {
    case SHUFFLE_XOR:
      return both(m->w, EXPR_XOR, self, by);
    case SHUFFLE_UP:
      return both(m->w, EXPR_SUB, self, by);
    case SHUFFLE_DOWN:
      return both(m->w, EXPR_ADD, self, by);
    case QUAD_BROADCAST:
      return both(m->w, EXPR_OR, scalar_known(quad), by);
    case QUAD_SWAP: /* horizontally, vertically, diagonally */
      return both(m->w, EXPR_XOR, self, both(m->w, EXPR_ADD, by, scalar_known(1)));
    default: /* a local id, in OpenCL perhaps of several dimensions */
      for (unsigned i = 1, step = 1; operand.at && i < operand.type->leaves && i < 3; i++) {
        step *= m->w->k->header.items.at[i - 1];
        by = both(m->w, EXPR_ADD, by, both(m->w, EXPR_MUL, operand.at[i], scalar_known(step)));
      }
      return by;
  }
}

/* From where nobody gave a value, any may come. */
static struct scalar taken(const struct meeting *m, struct scalar source, unsigned leaf) {
  struct scalar result = {0};
  for (unsigned i = m->members; i-- > 0;) {
    struct scalar is = both(m->w, EXPR_EQ, source, scalar_known(i));
    if (!m->present[i] || (is.kind == SCALAR_KNOWN && !is.value)) continue;
    if (is.kind == SCALAR_KNOWN) return value_of(m, i, leaf);
    if (result.kind == SCALAR_UNSET) result = item_free_value(m->w);
    result = scalar_choose(m->w->arena, is, value_of(m, i, leaf), result);
  }
  return result.kind == SCALAR_UNSET ? item_free_value(m->w) : result;
}

static const struct kernel_type *leaf_type(const struct kernel_type *type) {
  return type->kind == TYPE_VECTOR ? type->element : type;
}

/* How many members a cluster has: operand 3, where there is one. */
static unsigned cluster_of(const struct meeting *m) {
  if (m->inst->operands[1] != SpvGroupOperationClusteredReduce || m->inst->operand_count < 4) return m->members;
  struct scalar size = item_scalar(m->w, m->inst->operands[3]);
  return size.kind == SCALAR_KNOWN && size.value > 0 && size.value < m->members ? (unsigned)size.value : m->members;
}

static struct scalar result_of(const struct meeting *m, const struct group_row *row, const struct kernel_type *type,
                               unsigned leaf) {
  unsigned first = 0;
  while (!m->present[first]) first++;
  switch (row->kind) {
    case COMBINE:
      return combined(m, row, leaf_type(type), leaf, cluster_of(m));
    case ELECT:
      return scalar_known(first == m->self);
    case ALL:
    case ANY:
    case ALL_EQUAL:
      return voted(m, row->kind);
    case BALLOT:
      return ballot_word(m, leaf);
    default:
      return taken(m, source_of(m, row->kind), leaf);
  }
}

/* ---- ballots, which no one else takes part in ---- */

static struct scalar ballot_bit(struct work_item *w, const struct value *ballot, struct scalar index) {
  struct scalar word = scalar_known(0);
  for (unsigned i = 0; i < BALLOT_WORDS && i < ballot->type->leaves; i++)
    word = scalar_choose(w->arena, both(w, EXPR_EQ, both(w, EXPR_SHR, index, scalar_known(5)), scalar_known(i)),
                         ballot->at[i].kind == SCALAR_UNSET ? scalar_known(0) : ballot->at[i], word);
  struct scalar shifted = both(w, EXPR_SHR, word, both(w, EXPR_AND, index, scalar_known(31)));
  return both(w, EXPR_AND, shifted, scalar_known(1));
}

static struct scalar count_bits(struct work_item *w, const struct value *ballot, uint32_t operation) {
  unsigned members = w->k->header.threads, self = w->number % members, end = members;
  if (operation == SpvGroupOperationInclusiveScan) end = self + 1;
  if (operation == SpvGroupOperationExclusiveScan) end = self;
  struct scalar count = scalar_known(0);
  for (unsigned i = 0; i < end; i++) count = both(w, EXPR_ADD, count, ballot_bit(w, ballot, scalar_known(i)));
  return count;
}

static struct scalar find_bit(struct work_item *w, const struct value *ballot, bool last) {
  unsigned members = w->k->header.threads;
  struct scalar found = {0};
  for (unsigned i = 0; i < members; i++) {
    unsigned at = last ? i : members - 1 - i;
    struct scalar bit = ballot_bit(w, ballot, scalar_known(at));
    if (bit.kind == SCALAR_KNOWN && !bit.value) continue;
    if (bit.kind != SCALAR_KNOWN && found.kind == SCALAR_UNSET) found = item_free_value(w);
    found = scalar_choose(w->arena, bit, scalar_known(at), found);
  }
  return found.kind == SCALAR_UNSET ? item_free_value(w) : found;
}

static bool eval_ballot(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  bool counts = inst->opcode == SpvOpGroupNonUniformBallotBitCount;
  switch (inst->opcode) {
    case SpvOpGroupNonUniformInverseBallot:
    case SpvOpGroupNonUniformBallotBitExtract:
    case SpvOpGroupNonUniformBallotBitCount:
    case SpvOpGroupNonUniformBallotFindLSB:
    case SpvOpGroupNonUniformBallotFindMSB:
      break;
    default:
      return false;
  }
  struct value ballot = item_value(w, inst->operands[counts ? 2 : 1]);
  struct scalar result;
  if (!ballot.at) return true;
  if (counts)
    result = count_bits(w, &ballot, inst->operands[1]);
  else if (inst->opcode == SpvOpGroupNonUniformInverseBallot)
    result = ballot_bit(w, &ballot, scalar_known(w->number % w->k->header.threads));
  else if (inst->opcode == SpvOpGroupNonUniformBallotBitExtract)
    result = ballot_bit(w, &ballot, item_scalar(w, inst->operands[2]));
  else
    result = find_bit(w, &ballot, inst->opcode == SpvOpGroupNonUniformBallotFindMSB);
  item_define_one(w, inst->result, result);
  return true;
}

bool eval_group(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  const struct group_row *row = row_of(inst);
  if (!row) return eval_ballot(w);
  struct meeting m = {.w = w, .inst = inst};
  struct value given = {0};
  const struct kernel_type *to = types_get(&w->k->types, inst->type);
  if (!find_members(&m)) return true;
  if (row->kind != ELECT) given = item_value(w, inst->operands[row->kind == COMBINE ? 2 : 1]);
  if (row->kind != ELECT && !given.at) return true;
  unsigned leaves = given.at ? given.type->leaves : 0;
  struct scalar *values = ARENA_ARRAY(w->scratch, struct scalar, leaves + 1u);
  for (unsigned i = 0; i < leaves; i++) values[i] = given.at[i].kind == SCALAR_UNSET ? item_free_value(w) : given.at[i];
  if (!meet(&m, given.type, values, inst->opcode == row->uniform)) return true;
  struct scalar *result = ARENA_ARRAY(w->scratch, struct scalar, to->leaves + 1u);
  for (unsigned i = 0; i < to->leaves; i++) result[i] = result_of(&m, row, to, i);
  item_define(w, inst->result, result, to->leaves);
  return true;
}
