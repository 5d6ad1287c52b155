/* SPDX-License-Identifier: MIT */
/* What instructions of PTX have in common: scopes, state spaces, types, locations; see ptx_qualifiers.h. */
#include "checker/litmus/ptx_qualifiers.h"

/* --- where and how much ---------------------------------------------------------------------- */

enum space { SPACE_GENERIC, SPACE_GLOBAL, SPACE_SHARED };

static const struct word_row spaces[] = {{"global", SPACE_GLOBAL},      {"shared", SPACE_SHARED},
                                         {"shared::cta", SPACE_SHARED}, {"shared::cluster", SPACE_SHARED},
                                         {"const", SPACE_GLOBAL},       {NULL, 0}};

void ptx_take_space(struct opcode *op, struct ptx_place *place) {
  int space = opcode_skip(op, spaces);
  if (space < 0) return;
  place->space = op->words[op->next - 1];
  place->shared = space == SPACE_SHARED;
}

void ptx_take_type(struct opcode *op, struct ptx_place *place) {
  int type = opcode_skip(op, assembly_types);
  if (type < 0) return;
  place->bits = type & 0xff;
  place->type = (struct width){.bits = place->bits > 64 ? 64 : place->bits,
                               .is_signed = type & (TYPE_SIGNED | TYPE_REAL),
                               .is_real = type & TYPE_REAL};
}

enum hint { HINT, NONCOHERENT, POLICY, VECTOR };

const struct word_row ptx_load_operators[] = {{"ca", HINT}, {"cg", HINT},        {"cs", HINT}, {"lu", HINT},
                                              {"cv", HINT}, {"nc", NONCOHERENT}, {NULL, 0}};
const struct word_row ptx_store_operators[] = {{"wb", HINT}, {"cg", HINT}, {"cs", HINT}, {"wt", HINT}, {NULL, 0}};
static const struct word_row hints[] = {{"L1::evict_normal", HINT}, {"L1::evict_unchanged", HINT},
                                        {"L1::evict_first", HINT},  {"L1::evict_last", HINT},
                                        {"L1::no_allocate", HINT},  {"L2::evict_normal", HINT},
                                        {"L2::evict_first", HINT},  {"L2::evict_last", HINT},
                                        {"L2::64B", HINT},          {"L2::128B", HINT},
                                        {"L2::256B", HINT},         {"L2::cache_hint", POLICY},
                                        {"v2", VECTOR + 2},         {"v4", VECTOR + 4},
                                        {"v8", VECTOR + 8},         {NULL, 0}};

void ptx_take_hints(struct opcode *op, const struct word_row *operators, struct ptx_place *place) {
  for (;;) {
    int hint = opcode_skip(op, hints);
    if (hint < 0 && operators) hint = opcode_skip(op, operators);
    if (hint < 0) return;
    place->noncoherent |= hint == NONCOHERENT;
    place->policy |= hint == POLICY;
    if (hint > VECTOR) place->vector = (unsigned)(hint - VECTOR);
  }
}

void ptx_take_policy(struct column_cell *cell, const struct ptx_place *place) {
  if (!place->policy) return;
  reader_expect(cell->reader, ",", "and a cache policy, which '.L2::cache_hint' announces");
  if (!cell->reader->failed) reader_take(cell->reader); /* whatever it is */
}

int ptx_skip_update(struct opcode *op) {
  static const struct word_row counted[] = {{"inc", RMW_INC}, {"dec", RMW_DEC}, {NULL, 0}};
  int update = opcode_skip(op, counted);
  return update >= 0 ? update : opcode_skip(op, assembly_updates);
}

void ptx_refuse_vector(struct column_cell *cell, const struct opcode *op, const struct ptx_place *place) {
  if (place->vector)
    reader_fail(cell->reader, op->words[0]->span, "not supported: vectors in this instruction; let each be a location");
}

void ptx_set_type(struct instr *instr, const struct ptx_place *place) {
  unsigned bits = place->bits;
  if (bits == 8 || bits == 64) instr->tags |= tag_bit(TAG_SIZE_1);
  if (bits == 16 || bits == 64) instr->tags |= tag_bit(TAG_SIZE_2);
  if (bits == 128) instr->tags |= tag_bit(TAG_SIZE_128);
  instr->width = place->type;
  if (instr->width.is_real) instr->width.bits = 64;
}

struct draft_location *ptx_location_of(const struct draft *draft, unsigned cell) {
  for (size_t i = 0; i < draft->locations.count; i++) {
    struct draft_location *location = &draft->locations.at[i];
    if (cell - location->first < location->size) return location;
  }
  return NULL;
}

static void check_space(struct column_cell *cell, const struct token *token, const struct draft_location *location,
                        const struct ptx_place *place) {
  if (location->multimem)
    reader_fail(cell->reader, token->span, "'%s' is a multimem address, which only instructions of 'multimem' access",
                location->name);
  if (!place || !place->space) return;
  const struct draft_location *cells = &cell->draft->locations.at[location->physical];
  if ((cells->regions == REGION_LOCAL) != place->shared)
    reader_fail(cell->reader, token->span,
                place->shared ? "'%s' is not in shared memory: declare it as '%s @ shared = 0'"
                              : "'%s' is in shared memory, not in '.%s'",
                location->name, place->shared ? location->name : place->space->text);
}

const struct draft_location *ptx_location(struct column_cell *cell, const struct ptx_place *place) {
  struct reader *reader = cell->reader;
  bool brackets = reader_skip(reader, "[");
  const struct token *token = reader->token;
  const struct draft_location *location = assembly_location(cell);
  if (location && location->array)
    reader_fail(reader, token->span, "not supported: elements of an array, such as '%s', in this instruction",
                location->name);
  if (brackets) reader_expect(reader, "]", "after the location");
  if (location) check_space(cell, token, location, place);
  return location;
}

const struct draft_location *ptx_multimem_places(struct column_cell *cell) {
  struct reader *reader = cell->reader;
  bool brackets = reader_skip(reader, "[");
  const struct token *token = reader->token;
  const struct draft_location *places = assembly_location(cell);
  if (brackets) reader_expect(reader, "]", "after the address");
  if (places && !places->multimem)
    reader_fail(reader, token->span, "'%s' is not a multimem address: declare one as 'm @ multimem aliases %s'",
                places->name, places->name);
  return reader->failed ? NULL : places;
}

/* --- arrays and vectors ------------------------------------------------------------------------ */

/* How many bits a cell of the array has, to an access of so many. */
static unsigned cell_bits(const struct draft_location *location, unsigned bits) {
  return location->width.bits ? location->width.bits : bits;
}

/* What is beyond every array stays so, whatever is added. */
static int64_t limited(int64_t number) {
  enum { FAR = 1 << 20 };
  return number < -FAR || number > FAR ? 3 * FAR : number;
}

/* `[element]` and `+ bytes`, in cells. */
static unsigned take_index(struct column_cell *cell, const struct draft_location *location, unsigned bits,
                           bool brackets) {
  struct reader *reader = cell->reader;
  int64_t index = 0, bytes = cell_bits(location, bits) / 8;
  if (reader_skip(reader, "[")) {
    index = limited(reader_take_number(reader, "the number of an element"));
    reader_expect(reader, "]", "after the number of an element");
  }
  const struct token *token = reader->token;
  if (!brackets || !reader_skip(reader, "+")) return (unsigned)index;
  int64_t offset = reader_take_number(reader, "a number of bytes");
  if (!reader->failed && offset % bytes)
    reader_fail(reader, token->span, "the elements of '%s' have %d bytes", location->name, (int)bytes);
  return (unsigned)(index + limited(offset / bytes));
}

struct ptx_target ptx_take_target(struct column_cell *cell, const struct ptx_place *place) {
  struct reader *reader = cell->reader;
  bool brackets = reader_skip(reader, "[");
  const struct token *token = reader->token;
  const struct draft_location *location = assembly_location(cell);
  struct ptx_target target = {location, 0, 1, 0};
  unsigned elements = place->vector ? place->vector : 1, bits = place->bits ? place->bits : 32;
  if (location && location->array) {
    target.cell = take_index(cell, location, bits, brackets);
    if (location->width.bits && location->width.bits < bits) {
      target.pieces = bits / location->width.bits;
      target.bits = location->width.bits;
    }
  }
  if (brackets) reader_expect(reader, "]", "after the location");
  if (reader->failed) return (struct ptx_target){.pieces = 1};
  check_space(cell, token, location, place);
  if (place->vector && !location->array)
    reader_fail(reader, token->span, "a vector needs an array: declare '%s[%u]'", location->name, place->vector);
  else if (target.cell >= location->size || elements * target.pieces > location->size - target.cell)
    reader_fail(reader, token->span, "'%s' has elements 0 to %u", location->name, location->size - 1);
  if (reader->failed) target.location = NULL;
  return target;
}

void ptx_access(struct column_cell *cell, struct instr *instr, const struct ptx_target *target, unsigned piece) {
  assembly_access(cell, instr, target->location);
  if (target->location) instr->address.base += target->cell + piece;
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
