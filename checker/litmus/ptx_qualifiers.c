/* SPDX-License-Identifier: MIT */
/* What instructions of PTX have in common: scopes, state spaces, types, locations; see ptx_qualifiers.h. */
#include "checker/litmus/ptx_qualifiers.h"

#include "checker/base/array.h"

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

/* Two or four values in one register, and floats that have no other use here. */
static int skip_packed(struct opcode *op, struct ptx_place *place) {
  enum { TIMES = 1 << 12 };
  static const struct word_row types[] = {
      {"f16x2", 16 | TYPE_REAL | 2 * TIMES}, {"bf16x2", 16 | TYPE_REAL | 2 * TIMES}, {"e5m2", 8 | TYPE_REAL},
      {"e5m2x2", 8 | TYPE_REAL | 2 * TIMES}, {"e5m2x4", 8 | TYPE_REAL | 4 * TIMES},  {"e4m3", 8 | TYPE_REAL},
      {"e4m3x2", 8 | TYPE_REAL | 2 * TIMES}, {"e4m3x4", 8 | TYPE_REAL | 4 * TIMES},  {NULL, 0}};
  int type = opcode_skip(op, types);
  if (type >= TIMES) place->packed = (unsigned)type / TIMES;
  return type < 0 ? type : type % TIMES;
}

void ptx_take_type(struct opcode *op, struct ptx_place *place) {
  int type = opcode_skip(op, assembly_types);
  if (type < 0) type = skip_packed(op, place);
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

/* Makes an access one of that type: its tags, and its `width`, from which ptx_values.c
 * knows what is kept. */
static void set_type(struct instr *instr, const struct ptx_place *place) {
  unsigned bits = place->bits;
  if (bits == 8 || bits == 64) instr->tags |= tag_bit(TAG_SIZE_1);
  if (bits == 16 || bits == 64) instr->tags |= tag_bit(TAG_SIZE_2);
  if (bits == 128) instr->tags |= tag_bit(TAG_SIZE_128);
  instr->width = place->type;
}

void ptx_note_sum(struct column_cell *cell, const struct opcode *op) {
  struct ptx_test *test = cell->draft->own;
  if (!test->sum) test->sum = op->words[0];
}

int64_t ptx_take_count(struct column_cell *cell, const char *what, int64_t least, int64_t most) {
  const struct token *token = cell->reader->token;
  int64_t value = reader_take_number(cell->reader, what);
  if (!cell->reader->failed && (value < least || value > most))
    reader_fail(cell->reader, token->span, "expected %s, from %lld to %lld", what, (long long)least, (long long)most);
  return value;
}

struct draft_location *ptx_location_of(const struct draft *draft, unsigned cell) {
  ARRAY_EACH (struct draft_location, location, draft->locations.at, draft->locations.count)
    if (cell - location->first < location->size) return location;
  return NULL;
}

static void check_space(struct column_cell *cell, const struct token *token, const struct draft_location *location,
                        const struct ptx_place *place) {
  if (location->multimem || location->blocks)
    reader_fail(cell->reader, token->span,
                location->multimem
                    ? "'%s' is a multimem address, which only instructions of 'multimem' access"
                    : "'%s' is an address in each block of a cluster, to which only copies to all go: name "
                      "one of its locations",
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

/* `[element]` and `+ bytes`, in cells; in a register: *index. */
static unsigned take_index(struct column_cell *cell, const struct draft_location *location, unsigned bits,
                           bool brackets, const struct expr **index) {
  struct reader *reader = cell->reader;
  int64_t number = 0, bytes = cell_bits(location, bits) / 8;
  if (reader_skip(reader, "[")) {
    if (reader_is_name(reader))
      *index = assembly_value(cell);
    else
      number = limited(reader_take_number(reader, "the number of an element"));
    reader_expect(reader, "]", "after the number of an element");
  }
  const struct token *token = reader->token;
  if (!brackets || *index || !reader_skip(reader, "+")) return (unsigned)number;
  int64_t offset = reader_take_number(reader, "a number of bytes");
  if (!reader->failed && offset % bytes)
    reader_fail(reader, token->span, "the elements of '%s' have %d bytes", location->name, (int)bytes);
  return (unsigned)(number + limited(offset / bytes));
}

/* Of an access of an array, at whose elements the reader is. */
static struct ptx_target take_elements_of(struct column_cell *cell, const struct draft_location *location,
                                          const struct ptx_place *place, bool brackets) {
  struct ptx_target target = {.location = location, .pieces = 1};
  unsigned bits = place->bits ? place->bits : 32;
  target.cell = take_index(cell, location, bits, brackets, &target.index);
  if (place->packed) {
    target.pieces = place->packed;
    target.bits = bits;
  } else if (location->width.bits && location->width.bits < bits) {
    target.pieces = bits / location->width.bits;
    target.bits = location->width.bits;
  }
  return target;
}

static void check_elements(struct column_cell *cell, const struct token *token, const struct ptx_place *place,
                           const struct ptx_target *target) {
  const struct draft_location *location = target->location;
  unsigned pieces = ptx_elements(place) * (place->packed ? place->packed : target->pieces);
  if ((place->vector || place->packed) && !location->array)
    reader_fail(cell->reader, token->span, "%s needs an array: declare '%s[%u]'",
                place->vector ? "a vector" : "a packed type", cell->draft->locations.at[location->physical].name,
                pieces);
  else if (place->packed && location->width.bits && location->width.bits != place->bits)
    reader_fail(cell->reader, token->span, "the values of this type have %u bits, and the elements of '%s' %u",
                place->bits, location->name, location->width.bits);
  else if (target->index &&
           (!place->indexed || pieces > 1 || location->physical != location - cell->draft->locations.at))
    reader_fail(cell->reader, token->span, "not supported: the number of an element in a register, %s",
                pieces > 1 ? "where several are accessed" : "in this instruction");
  else if (target->cell >= location->size || pieces > location->size - target->cell)
    reader_fail(cell->reader, token->span, "'%s' has elements 0 to %u", location->name, location->size - 1);
}

static void check_address(struct column_cell *cell, const struct token *token, const struct draft_location *location,
                          enum ptx_address address) {
  static const char *const words[] = {[PTX_MULTIMEM] = "multimem", [PTX_CLUSTER] = "cluster"};
  if (address == PTX_MULTIMEM ? location->multimem : location->blocks) return;
  reader_fail(cell->reader, token->span, "'%s' is not a %s address: declare one as '%c @ %s aliases %s'",
              location->name, words[address], *words[address], words[address], location->name);
}

struct ptx_target ptx_take_target(struct column_cell *cell, const struct ptx_place *place, enum ptx_address address) {
  struct reader *reader = cell->reader;
  bool brackets = reader_skip(reader, "[");
  const struct token *token = reader->token;
  const struct draft_location *location = assembly_location(cell);
  struct ptx_target target = {.location = location, .pieces = 1};
  if (location && location->array) target = take_elements_of(cell, location, place, brackets);
  if (brackets) reader_expect(reader, "]", "after the location");
  if (reader->failed) return (struct ptx_target){.pieces = 1};
  if (address == PTX_ONE)
    check_space(cell, token, location, place);
  else
    check_address(cell, token, location, address);
  if (!reader->failed) check_elements(cell, token, place, &target);
  return reader->failed ? (struct ptx_target){.pieces = 1} : target;
}

unsigned ptx_elements(const struct ptx_place *place) {
  return place->vector ? place->vector : 1;
}

static void take_elements(struct column_cell *cell, const struct ptx_place *place,
                          void (*take)(struct column_cell *cell, unsigned i, void *into), void *into) {
  if (place->vector) reader_expect(cell->reader, "{", "before the elements of a vector");
  for (unsigned i = 0; i < ptx_elements(place) && !cell->reader->failed; i++) {
    if (i) reader_expect(cell->reader, ",", "between the elements of a vector");
    take(cell, i, into);
  }
  if (place->vector) reader_expect(cell->reader, "}", "after the elements of a vector");
}

/* `_` is a destination that nobody needs. */
static void take_register(struct column_cell *cell, unsigned i, void *regs) {
  ((int *)regs)[i] =
      reader_skip(cell->reader, "_") ? (int)draft_new_temporary(cell->draft, cell->thread) : assembly_destination(cell);
}

static void take_value(struct column_cell *cell, unsigned i, void *values) {
  ((const struct expr **)values)[i] = assembly_value(cell);
}

void ptx_take_registers(struct column_cell *cell, const struct ptx_place *place, int *regs) {
  take_elements(cell, place, take_register, regs);
}

void ptx_take_values(struct column_cell *cell, const struct ptx_place *place, const struct expr **values) {
  take_elements(cell, place, take_value, values);
}

struct instr *ptx_emit_access(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                              struct ptx_access *access, unsigned piece) {
  const struct ptx_target *target = &access->target;
  struct instr *instr = ptx_emit(cell, op, kind, &access->strength);
  bool several = access->place.vector || target->pieces > 1;
  bool begins = !access->begun && (several || instr->tags >> TAG_DETACHED & 1 || instr->tags >> TAG_PART & 1);
  set_type(instr, &access->place);
  if (target->pieces > 1) instr->width = (struct width){.bits = target->bits, .is_signed = access->place.packed};
  if (several) instr->tags |= tag_bit(TAG_PART);
  if (begins) *(kind == INSTR_RMW ? &instr->read_tags : &instr->tags) |= tag_bit(TAG_BEGINS);
  access->begun = true;
  assembly_access(cell, instr, target->location);
  if (!target->location) return instr;
  instr->address.base += target->cell + piece;
  if (target->index) {
    instr->address.size = target->location->size;
    instr->address.index = target->index;
  }
  if (instr->alias) instr->alias += target->cell + piece;
  return instr;
}

const struct expr *ptx_piece(struct draft *draft, const struct ptx_access *access, const struct expr *value,
                             unsigned piece) {
  unsigned by = piece % access->target.pieces * access->target.bits;
  return by ? draft_operation(draft, EXPR_SHR, value, draft_constant(draft, by), NULL) : value;
}

const struct expr *ptx_join_pieces(struct draft *draft, const struct ptx_access *access,
                                   const struct expr *const *pieces) {
  const struct ptx_target *target = &access->target;
  if (target->pieces == 1) return pieces[0];
  const struct expr *value = NULL;
  for (unsigned i = 0; i < target->pieces; i++) {
    const struct expr *piece = draft_fit(draft, (struct width){.bits = target->bits}, pieces[i]);
    if (i) piece = draft_operation(draft, EXPR_SHL, piece, draft_constant(draft, i * target->bits), NULL);
    value = value ? draft_operation(draft, EXPR_OR, value, piece, NULL) : piece;
  }
  struct width type = access->place.packed ? (struct width){.bits = target->pieces * target->bits} : access->place.type;
  return draft_fit(draft, type, value);
}

/* --- strength ------------------------------------------------------------------------------ */

const struct word_row ptx_scopes[] = {
    {"cta", SCOPE_WG}, {"cluster", SCOPE_QF}, {"gpu", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};

enum scope ptx_scope(const struct column_cell *cell, int scope) {
  const struct ptx_test *test = cell->draft->own;
  return scope == SCOPE_QF && !test->clusters ? SCOPE_WG : (enum scope)scope;
}

void ptx_take_usual_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders,
                             struct ptx_strength *strength) {
  int order = opcode_skip(op, orders), scope = opcode_skip(op, ptx_scopes);
  if (order >= 0) strength->order = (enum order)order;
  strength->scope = ptx_scope(cell, scope < 0 ? (int)strength->scope : scope);
}

bool ptx_take_scope(struct column_cell *cell, struct opcode *op, int order, struct ptx_strength *strength) {
  int scope = order < 0 ? -1 : opcode_expect(cell, op, ptx_scopes, "a scope");
  if (scope < 0) return false;
  strength->order = (enum order)order;
  strength->scope = ptx_scope(cell, scope);
  return true;
}

struct instr *ptx_emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                       const struct ptx_strength *strength) {
  struct instr *instr = assembly_emit(cell, op, kind);
  instr->order = strength->order;
  instr->scope = strength->scope;
  instr->tags = strength->tags;
  return instr;
}
