/* SPDX-License-Identifier: MIT */
/* PTX's tensor maps, which say where a tensor is, and which copies of tensors read through a proxy of their own:
 *
 *   tensormap.replace.tile.FIELD[.space].b1024.type [t], [ordinal,] value
 *   tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.SCOPE.sync.aligned [t], [from], 128
 *   fence.proxy.tensormap::generic.release.SCOPE
 *   fence.proxy.tensormap::generic.acquire.SCOPE [t], 128
 *
 * `t @ tensormap of g = 1` declares one; its value is the number of an element of g, the tensor.
 */
#include "checker/litmus/ptx_qualifiers.h"

/* --- accesses ---------------------------------------------------------------------------------- */

/* What a thread does to a map: a weak access of all of it (ISA, `tensormap.replace`). */
static struct instr *emit_access(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                                 const struct draft_location *map) {
  struct ptx_strength weak = {ORDER_NA, SCOPE_NONE, tag_bit(TAG_WEAK) | tag_bit(TAG_GEN)};
  struct instr *instr = ptx_emit(cell, op, kind, &weak);
  assembly_access(cell, instr, map);
  return instr;
}

static void copy_map(struct column_cell *cell, const struct opcode *op, const struct draft_location *to,
                     const struct draft_location *from) {
  unsigned value = draft_new_temporary(cell->draft, cell->thread);
  emit_access(cell, op, INSTR_LOAD, from)->reg = (int)value;
  emit_access(cell, op, INSTR_STORE, to)->value = draft_register_value(cell->draft, value);
}

enum field { ADDRESS, OTHER, NUMBERED };

static int take_field(struct column_cell *cell, struct opcode *op) {
  static const struct word_row fields[] = {{"global_address", ADDRESS},  {"rank", OTHER},
                                           {"elemtype", OTHER},          {"interleave_layout", OTHER},
                                           {"swizzle_mode", OTHER},      {"fill_mode", OTHER},
                                           {"swizzle_atomicity", OTHER}, {"box_dim", NUMBERED},
                                           {"global_dim", NUMBERED},     {"global_stride", NUMBERED},
                                           {"element_stride", NUMBERED}, {NULL, 0}};
  if (!opcode_expect_word(cell, op, "tile", "a mode")) return -1;
  return opcode_expect(cell, op, fields, "a field");
}

/* Where a tensor begins is what a map's value is here; what replaces another field writes the map as it was. */
static void lower_replace(struct column_cell *cell, struct opcode *op) {
  static const char usage[] = "[tensor map], value";
  struct ptx_place place = {0}, type = {0};
  int field = take_field(cell, op);
  ptx_take_space(op, &place);
  if (field < 0 || !opcode_expect_word(cell, op, "b1024", "a size")) return;
  ptx_take_type(op, &type);
  opcode_end(cell, op);
  const struct draft_location *map = ptx_location(cell, &place);
  assembly_comma(cell, op, usage);
  const struct expr *value = assembly_value(cell);
  if (field == NUMBERED) {
    assembly_comma(cell, op, "[tensor map], ordinal, value");
    value = assembly_value(cell);
  }
  if (field == ADDRESS)
    emit_access(cell, op, INSTR_STORE, map)->value = value;
  else
    copy_map(cell, op, map, map);
}

/* --- fences ------------------------------------------------------------------------------------- */

static void take_bytes(struct column_cell *cell, const struct opcode *op, const char *usage) {
  enum { MAP_BYTES = 128 };
  assembly_comma(cell, op, usage);
  ptx_take_count(cell, "the bytes of a tensor map", MAP_BYTES, MAP_BYTES);
}

/* The fence is for one map, which is the only one of the test. */
static void take_map(struct column_cell *cell, const struct opcode *op) {
  const struct token *token = cell->reader->token;
  const struct draft_location *map = ptx_location(cell, NULL);
  unsigned maps = 0;
  for (size_t i = 0; i < cell->draft->locations.count; i++) maps += cell->draft->locations.at[i].tensors != 0;
  if (map && !map->tensors)
    reader_fail(cell->reader, token->span, "'%s' is not a tensor map: declare one as 't @ tensormap of g'", map->name);
  else if (map && maps > 1)
    reader_fail(cell->reader, token->span, "not supported: a fence for one of several tensor maps");
  take_bytes(cell, op, "[tensor map], 128");
}

void ptx_lower_tensormap_fence(struct column_cell *cell, struct opcode *op) {
  static const struct word_row orders[] = {{"acquire", ORDER_ACQ}, {"release", ORDER_REL}, {NULL, 0}};
  struct ptx_strength strength = {.tags = tag_bit(TAG_TENSORMAP)};
  if (!ptx_take_scope(cell, op, opcode_expect(cell, op, orders, "an order"), &strength)) return;
  opcode_end(cell, op);
  if (strength.order == ORDER_ACQ) take_map(cell, op);
  ptx_emit(cell, op, INSTR_FENCE, &strength);
}

/* A copy of a map from shared memory, and then a fence that releases. */
static void lower_copy(struct column_cell *cell, struct opcode *op) {
  static const struct word_row release[] = {{"release", ORDER_REL}, {NULL, 0}};
  static const char usage[] = "[to], [from], 128";
  struct ptx_place to = {0}, from = {0};
  struct ptx_strength strength = {.tags = tag_bit(TAG_TENSORMAP)};
  ptx_take_space(op, &to);
  ptx_take_space(op, &from);
  if (!opcode_expect_word(cell, op, "tensormap::generic", "a proxy") ||
      !ptx_take_scope(cell, op, opcode_expect(cell, op, release, "an order"), &strength))
    return;
  opcode_skip_word(op, "sync");
  opcode_skip_word(op, "aligned");
  opcode_end(cell, op);
  const struct draft_location *target = ptx_location(cell, &to);
  assembly_comma(cell, op, usage);
  copy_map(cell, op, target, ptx_location(cell, &from));
  take_bytes(cell, op, usage);
  ptx_emit(cell, op, INSTR_FENCE, &strength);
}

void ptx_lower_tensormap(struct column_cell *cell, struct opcode *op) {
  static const struct word_row words[] = {{"replace", false}, {"cp_fenceproxy", true}, {NULL, 0}};
  int copies = opcode_expect(cell, op, words, "an operation");
  if (copies == true)
    lower_copy(cell, op);
  else if (copies == false)
    lower_replace(cell, op);
}
