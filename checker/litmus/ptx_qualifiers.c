/* SPDX-License-Identifier: MIT */
/* What instructions of PTX have in common: scopes, state spaces, types, locations; see ptx_qualifiers.h. */
#include "checker/litmus/ptx_qualifiers.h"

/* --- where and how much ---------------------------------------------------------------------- */

enum space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED };

static const struct word_row spaces[] = {{"global", SPACE_GLOBAL},      {"shared", SPACE_SHARED},
                                         {"shared::cta", SPACE_SHARED}, {"shared::cluster", SPACE_SHARED},
                                         {"const", SPACE_GLOBAL},       {NULL, 0}};

/* By their bits; floats are numbers here, which fit in anything. */
enum { SIGNED = 1 << 8, REAL = 1 << 9 };

static const struct word_row types[] = {
    {"b8", 8},          {"b16", 16},          {"b32", 32},          {"b64", 64},
    {"u8", 8},          {"u16", 16},          {"u32", 32},          {"u64", 64},
    {"s8", 8 | SIGNED}, {"s16", 16 | SIGNED}, {"s32", 32 | SIGNED}, {"s64", 64 | SIGNED},
    {"f16", 16 | REAL}, {"f32", 32 | REAL},   {"f64", 64 | REAL},   {NULL, 0}};

void ptx_take_space(struct opcode *op, struct ptx_place *place) {
  int space = opcode_skip(op, spaces);
  if (space < 0) return;
  place->space = op->words[op->next - 1];
  place->shared = space == SPACE_SHARED;
}

void ptx_take_type(struct opcode *op, struct ptx_place *place) {
  int type = opcode_skip(op, types);
  if (type > 0)
    place->type = (struct width){.bits = type & 0xff, .is_signed = type & (SIGNED | REAL), .is_real = type & REAL};
}

void ptx_set_type(struct instr *instr, const struct ptx_place *place) {
  unsigned bits = place->type.bits;
  if (bits == 8 || bits == 64) instr->tags |= tag_bit(TAG_SIZE_1);
  if (bits == 16 || bits == 64) instr->tags |= tag_bit(TAG_SIZE_2);
  instr->width = place->type;
  if (instr->width.is_real) instr->width.bits = 64;
}

const struct draft_location *ptx_location(struct column_cell *cell, const struct ptx_place *place) {
  struct reader *reader = cell->reader;
  bool brackets = reader_skip(reader, "[");
  const struct token *token = reader->token;
  const struct draft_location *location = assembly_location(cell);
  if (brackets) reader_expect(reader, "]", "after the location");
  if (location && location->multimem)
    reader_fail(reader, token->span, "'%s' is a multimem address, which only instructions of 'multimem' access",
                location->name);
  if (!location || !place || !place->space) return location;
  const struct draft_location *cells = &cell->draft->locations.at[location->physical];
  if ((cells->regions == REGION_LOCAL) != place->shared)
    reader_fail(reader, token->span,
                place->shared ? "'%s' is not in shared memory: declare it as '%s @ shared = 0'"
                              : "'%s' is in shared memory, not in '.%s'",
                location->name, place->shared ? location->name : place->space->text);
  return location;
}

/* --- strength ------------------------------------------------------------------------------ */

const struct word_row ptx_scopes[] = {
    {"cta", SCOPE_WG}, {"cluster", SCOPE_QF}, {"gpu", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};

enum scope ptx_scope(const struct column_cell *cell, int scope) {
  const bool *clusters = cell->draft->own;
  return scope == SCOPE_QF && !*clusters ? SCOPE_WG : (enum scope)scope;
}

struct instr *ptx_emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                       const struct ptx_strength *strength) {
  struct instr *instr = assembly_emit(cell, op, kind);
  instr->order = strength->order;
  instr->scope = strength->scope;
  instr->tags = strength->tags;
  return instr;
}
