/* SPDX-License-Identifier: MIT */
/* PTX's asynchronous operations: mbarriers, copies that go on while the thread runs that
 * starts them, what waits for them, and grids that overlap.
 *
 *   mbarrier.init.b64 [b], arrivals          mbarrier.inval.b64 [b]
 *   mbarrier.arrive[_drop][.sem.scope].b64 state, [b] [, arrivals]
 *   mbarrier.arrive[_drop].expect_tx[.sem.scope].b64 state, [b], bytes
 *   mbarrier.expect_tx[.relaxed.scope].b64 [b], bytes      mbarrier.complete_tx likewise
 *   mbarrier.test_wait[.parity][.sem.scope].b64 done, [b], state or parity     try_wait likewise
 *   cp.async.ca|cg.shared.global [to], [from], bytes [, bytes or 0]
 *   cp.async.commit_group    cp.async.wait_group N    cp.async.wait_all
 *   cp.async.mbarrier.arrive[.noinc].shared.b64 [b]
 *   cp.async.bulk.SPACE.SPACE.mbarrier::complete_tx::bytes [to], [from], bytes, [b]
 *   cp.async.bulk.global.shared::cta.bulk_group [to], [from], bytes
 *   cp.reduce.async.bulk.SPACE.SPACE.COMPLETION.OP.TYPE   with the same operands
 *   cp.async.bulk.tensor.DIMENSIONSd...   without bytes, and a tensor as [g, {0, 0}]; cp.reduce likewise
 *   cp.async.bulk.commit_group    cp.async.bulk.wait_group[.read] N
 *   st.async[.weak | .scope].shared::cluster.mbarrier::complete_tx::bytes.TYPE [to], value, [b]
 *   red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.OP.TYPE   likewise
 *   st.async[.mmio].release.scope[.global].TYPE [to], value      red.async[.mmio].release.scope[.global].OP.TYPE
 *   griddepcontrol.launch_dependents         griddepcontrol.wait
 *
 * An asynchronous operation is instructions of the thread whose events are DETACHED:
 * the model takes them out of program order (PTX ISA, "Asynchronous Operations"), and
 * knows by BEGINS which belong together.  An mbarrier is one value
 * (program/mbarrier.h) that is read, modified and written.
 */
#include "checker/litmus/ptx_async.h"

#include "checker/program/mbarrier.h"

enum what { MBARRIER, CP, GRIDDEPCONTROL, TENSORMAP, ST, RED };

static const struct word_row operations[] = {
    {"mbarrier", MBARRIER}, {"cp", CP}, {"griddepcontrol", GRIDDEPCONTROL}, {"tensormap", TENSORMAP}, {NULL, 0}};

static const tag_set detached = (tag_set)1 << TAG_DETACHED;

/* --- operands -------------------------------------------------------------------------------- */

static int take_operation(struct column_cell *cell, struct opcode *op) {
  int update = ptx_skip_update(op);
  return update >= 0 ? update : opcode_expect(cell, op, assembly_updates, "an operation");
}

static const struct draft_location *take_mbarrier(struct column_cell *cell) {
  const struct token *token = cell->reader->token;
  const struct draft_location *location = ptx_location(cell, NULL);
  if (location && !location->mbarrier)
    reader_fail(cell->reader, token->span,
                "'%s' is not an mbarrier: declare it as '%s @ mbarrier', or with its arrivals", location->name,
                location->name);
  return location;
}

enum { MOST_BYTES = (1 << 20) - 1 }; /* that an mbarrier counts */

static int64_t take_bytes(struct column_cell *cell) {
  return ptx_take_count(cell, "a number of bytes", 1, MOST_BYTES);
}

static const struct expr *temporary_value(struct column_cell *cell, unsigned reg) {
  return draft_register_value(cell->draft, reg);
}

static const struct expr *operation(struct column_cell *cell, enum expr_kind kind, const struct expr *a, int64_t b) {
  return draft_operation(cell->draft, kind, a, draft_constant(cell->draft, b), NULL);
}

/* --- mbarriers --------------------------------------------------------------------------------- */

/* Adds to an mbarrier's counters; `reg`: where its state before goes. */
static struct instr *emit_step(struct column_cell *cell, const struct opcode *op, const struct draft_location *mbarrier,
                               int reg, const struct expr *change, const struct ptx_strength *strength) {
  struct instr *instr = ptx_emit(cell, op, INSTR_RMW, strength);
  instr->tags |= tag_bit(TAG_MBAR);
  instr->reg = reg;
  instr->op = RMW_MBARRIER;
  instr->value = change;
  instr->split = true;
  assembly_access(cell, instr, mbarrier);
  return instr;
}

/* [.sem][.scope], which are `usual` and of the block where the name leaves them out; then space and type. */
static void take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders, enum order usual,
                          struct ptx_strength *strength) {
  struct ptx_place place = {0};
  *strength = (struct ptx_strength){usual, SCOPE_WG, tag_bit(TAG_GEN)};
  ptx_take_usual_strength(cell, op, orders, strength);
  ptx_take_space(op, &place);
  ptx_take_type(op, &place);
  opcode_end(cell, op);
}

static const struct word_row arrive_orders[] = {{"release", ORDER_REL}, {"relaxed", ORDER_RLX}, {NULL, 0}};
static const struct word_row wait_orders[] = {{"acquire", ORDER_ACQ}, {"relaxed", ORDER_RLX}, {NULL, 0}};
static const struct word_row relaxed[] = {{"relaxed", ORDER_RLX}, {NULL, 0}};

/* `_` takes no state. */
static int take_state(struct column_cell *cell) {
  return reader_skip(cell->reader, "_") ? NO_REG : assembly_destination(cell);
}

/* More arrivals than the phase of an object still expects are undefined, as division by zero is; so is it where they
 * complete a phase that they must not, and where `drop` leaves none for the next one (ISA, 9.7.13.15.13 and .14). */
static void check_arrivals(struct column_cell *cell, const struct opcode *op, unsigned state, int64_t arrivals,
                           bool completes, bool drop) {
  struct draft *draft = cell->draft;
  const struct expr *before = temporary_value(cell, state);
  const struct expr *expected =
      operation(cell, EXPR_AND, operation(cell, EXPR_SHR, before, MBARRIER_EXPECTED), MBARRIER_MOST);
  const struct expr *pending = operation(cell, EXPR_AND, before, MBARRIER_MOST);
  const struct expr *right = operation(cell, EXPR_GE, pending, arrivals);
  const struct expr *transactions =
      operation(cell, EXPR_NE, operation(cell, EXPR_SHR, before, MBARRIER_TRANSACTIONS), 0);
  const struct expr *stays =
      draft_operation(draft, EXPR_LOR, operation(cell, EXPR_GT, pending, arrivals), transactions, NULL);
  if (!completes) right = draft_operation(draft, EXPR_LAND, right, stays, NULL);
  if (drop) right = draft_operation(draft, EXPR_LAND, right, operation(cell, EXPR_GT, expected, arrivals), NULL);
  const struct expr *none = operation(cell, EXPR_EQ, expected, 0);
  const struct expr *check = draft_operation(draft, EXPR_LOR, none, right, NULL);
  /* An assignment is no event: verdict_undefined_name knows it by the tag. */
  assembly_assign(cell, op, (int)draft_new_temporary(draft, cell->thread),
                  draft_operation(draft, EXPR_DIV, draft_constant(draft, 1), check, NULL))
      ->tags = tag_bit(TAG_MBAR);
}

static void lower_arrive(struct column_cell *cell, struct opcode *op, int drop) {
  bool expects = opcode_skip_word(op, "expect_tx");
  bool completes = expects || !opcode_skip_word(op, "noComplete");
  struct ptx_strength strength;
  take_strength(cell, op, arrive_orders, ORDER_REL, &strength);
  const char *usage = expects ? "state, [mbarrier], bytes" : "state, [mbarrier]";
  bool sink = reader_is(cell->reader, "["); /* the ISA lets the state of another block's be left out */
  int reg = sink ? NO_REG : take_state(cell);
  if (!sink) assembly_comma(cell, op, usage);
  const struct draft_location *mbarrier = take_mbarrier(cell);
  int64_t arrivals = 1, bytes = 0;
  if (expects) {
    assembly_comma(cell, op, usage);
    bytes = take_bytes(cell);
  } else if (reader_skip(cell->reader, ",")) {
    arrivals = ptx_take_count(cell, "a number of arrivals", 1, MBARRIER_MOST);
  }
  int64_t fewer = drop ? arrivals * (1 << MBARRIER_EXPECTED) : 0;
  unsigned state = reg == NO_REG ? draft_new_temporary(cell->draft, cell->thread) : (unsigned)reg;
  emit_step(cell, op, mbarrier, (int)state, draft_constant(cell->draft, mbarrier_change(arrivals, bytes) - fewer),
            &strength)
      ->read_tags = tag_bit(TAG_BEGINS);
  check_arrivals(cell, op, state, arrivals, completes, drop);
}

/* expect_tx: sign 1; complete_tx: -1. */
static void lower_transactions(struct column_cell *cell, struct opcode *op, int sign) {
  struct ptx_strength strength;
  take_strength(cell, op, relaxed, ORDER_RLX, &strength);
  const struct draft_location *mbarrier = take_mbarrier(cell);
  assembly_comma(cell, op, "[mbarrier], bytes");
  emit_step(cell, op, mbarrier, NO_REG, draft_constant(cell->draft, mbarrier_change(0, sign * take_bytes(cell))),
            &strength);
}

static const struct expr *parity_of(struct column_cell *cell, const struct expr *state) {
  return operation(cell, EXPR_AND, operation(cell, EXPR_SHR, state, MBARRIER_PARITY), 1);
}

static void lower_wait(struct column_cell *cell, struct opcode *op, int unused) {
  (void)unused;
  bool parity = opcode_skip_word(op, "parity");
  struct ptx_strength strength;
  take_strength(cell, op, wait_orders, ORDER_ACQ, &strength);
  const char *usage = parity ? "register, [mbarrier], parity" : "register, [mbarrier], state";
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, usage);
  const struct draft_location *mbarrier = take_mbarrier(cell);
  assembly_comma(cell, op, usage);
  const struct expr *of = assembly_value(cell);
  if (reader_skip(cell->reader, ",")) assembly_value(cell); /* for how long it may sleep */
  unsigned state = draft_new_temporary(cell->draft, cell->thread);
  struct instr *load = ptx_emit(cell, op, INSTR_LOAD, &strength);
  load->tags |= tag_bit(TAG_MBAR);
  load->reg = (int)state;
  assembly_access(cell, load, mbarrier);
  assembly_assign(cell, op, reg,
                  draft_operation(cell->draft, EXPR_NE, parity_of(cell, temporary_value(cell, state)),
                                  parity ? of : parity_of(cell, of), NULL));
}

/* init, with a number of arrivals, and inval. */
static void lower_init(struct column_cell *cell, struct opcode *op, int init) {
  struct ptx_place place = {0};
  ptx_take_space(op, &place);
  ptx_take_type(op, &place);
  opcode_end(cell, op);
  const struct draft_location *mbarrier = take_mbarrier(cell);
  int64_t arrivals = 0;
  if (init) {
    assembly_comma(cell, op, "[mbarrier], arrivals");
    arrivals = ptx_take_count(cell, "a number of arrivals", 1, MBARRIER_MOST);
  }
  tag_set tags = tag_bit(TAG_WEAK) | tag_bit(TAG_GEN) | tag_bit(TAG_MBAR) | (init ? tag_bit(TAG_BEGINS) : 0);
  struct instr *instr = ptx_emit(cell, op, INSTR_STORE, &(struct ptx_strength){ORDER_NA, SCOPE_NONE, tags});
  instr->value = draft_constant(cell->draft, mbarrier_init(arrivals));
  assembly_access(cell, instr, mbarrier);
}

static void lower_pending(struct column_cell *cell, struct opcode *op, int unused) {
  (void)unused;
  struct ptx_place place = {0};
  ptx_take_type(op, &place);
  opcode_end(cell, op);
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, state");
  assembly_assign(cell, op, reg, operation(cell, EXPR_AND, assembly_value(cell), MBARRIER_MOST));
}

static void lower_mbarrier(struct column_cell *cell, struct opcode *op) {
  enum { INIT, INVAL, ARRIVE, DROP, EXPECT, COMPLETE, TEST, PENDING };
  static const struct word_row words[] = {{"init", INIT},
                                          {"inval", INVAL},
                                          {"arrive", ARRIVE},
                                          {"arrive_drop", DROP},
                                          {"expect_tx", EXPECT},
                                          {"complete_tx", COMPLETE},
                                          {"test_wait", TEST},
                                          {"try_wait", TEST},
                                          {"pending_count", PENDING},
                                          {NULL, 0}};
  static const struct {
    void (*lower)(struct column_cell *cell, struct opcode *op, int how);
    int how;
  } lowerings[] = {
      [INIT] = {lower_init, true},   [INVAL] = {lower_init, false},      [ARRIVE] = {lower_arrive, false},
      [DROP] = {lower_arrive, true}, [EXPECT] = {lower_transactions, 1}, [COMPLETE] = {lower_transactions, -1},
      [TEST] = {lower_wait, 0},      [PENDING] = {lower_pending, 0}};
  int what = opcode_expect(cell, op, words, "an operation");
  if (what >= 0) lowerings[what].lower(cell, op, lowerings[what].how);
}

/* --- copies -------------------------------------------------------------------------------------- */

/* The completion of an operation: its bytes are taken off the mbarrier's transactions. */
static void emit_completion(struct column_cell *cell, const struct opcode *op, const struct draft_location *mbarrier,
                            int64_t bytes) {
  struct ptx_strength strength = {ORDER_REL, ptx_scope(cell, SCOPE_QF), tag_bit(TAG_GEN) | detached};
  emit_step(cell, op, mbarrier, NO_REG, draft_constant(cell->draft, mbarrier_change(0, -bytes)), &strength);
}

/* The element to which a tensor map points. */
static void point(const struct column_cell *cell, const struct ptx_copy *copy, const struct ptx_access *side,
                  struct instr *instr) {
  const struct draft_location *tensors = side->target.location;
  if (!copy->map || copy->map->tensors != (unsigned)(tensors - cell->draft->locations.at) + 1) return;
  instr->address.size = tensors->size;
  instr->address.index = copy->tensor;
}

/* A copy begins by reading the tensor map, through a proxy of its own. */
static void emit_map(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy) {
  unsigned tensor = draft_new_temporary(cell->draft, cell->thread);
  struct ptx_strength weak = {ORDER_NA, SCOPE_NONE, tag_bit(TAG_WEAK) | tag_bit(TAG_TENSORMAP) | detached};
  struct instr *load = ptx_emit(cell, op, INSTR_LOAD, &weak);
  load->tags |= tag_bit(TAG_BEGINS);
  load->reg = (int)tensor;
  assembly_access(cell, load, copy->map);
  copy->tensor = temporary_value(cell, tensor);
  copy->from.begun = copy->to.begun = true;
}

/* The read of a cell of a copy's source; the first begins the operation. */
static const struct expr *emit_source(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy,
                                      unsigned i) {
  unsigned value = draft_new_temporary(cell->draft, cell->thread);
  struct instr *load = ptx_emit_access(cell, op, INSTR_LOAD, &copy->from, i);
  point(cell, copy, &copy->from, load);
  load->reg = (int)value;
  copy->to.begun = true;
  return temporary_value(cell, value);
}

static void emit_write(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy, unsigned i,
                       const struct expr *value) {
  struct instr *instr = ptx_emit_access(cell, op, copy->update < 0 ? INSTR_STORE : INSTR_RMW, &copy->to, i);
  copy->from.begun = true;
  point(cell, copy, &copy->to, instr);
  instr->value = value;
  if (copy->update < 0) return;
  if (copy->to.place.type.is_real) ptx_note_sum(cell, op);
  instr->op = (enum rmw_op)copy->update;
  instr->split = true;
}

void ptx_emit_writes(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy, unsigned i,
                     const struct expr *value) {
  const struct draft_location *to = copy->to.target.location;
  unsigned count = copy->address == PTX_MULTIMEM ? to->multimem : copy->address == PTX_CLUSTER ? to->blocks : 1;
  for (unsigned k = 0; k < count; k++) {
    if (copy->address == PTX_CLUSTER && !(copy->blocks >> k & 1)) continue;
    if (copy->address == PTX_CLUSTER) copy->to.target.location = &cell->draft->locations.at[to->block[k]];
    if (copy->address == PTX_MULTIMEM) copy->to.target.location = to + k;
    emit_write(cell, op, copy, i, value);
  }
  copy->to.target.location = to;
}

void ptx_set_strengths(struct ptx_copy *copy, enum tag proxy) {
  bool several = copy->cells > 1 || copy->address != PTX_ONE;
  tag_set tags = tag_bit(proxy) | detached | (several ? tag_bit(TAG_PART) : 0);
  struct ptx_strength weak = {ORDER_NA, SCOPE_NONE, tag_bit(TAG_WEAK) | tags};
  struct ptx_strength strong = {ORDER_RLX, SCOPE_DEV, tag_bit(TAG_REDUCTION) | tags};
  copy->from.strength = weak;
  copy->to.strength = copy->update < 0 ? weak : strong;
  if (copy->address == PTX_MULTIMEM) copy->to.strength.tags |= tag_bit(TAG_ALIAS);
}

/* How many cells so many bytes of a side are. */
static unsigned count_cells(struct column_cell *cell, const struct opcode *op, const struct ptx_target *side,
                            int64_t bytes) {
  const struct draft_location *location = side->location;
  unsigned size = location->width.bits / 8;
  if (!location->array) return 1;
  if (!size) {
    reader_fail(cell->reader, op->words[0]->span, "'%s' needs a type, such as u32, by which its bytes are counted",
                location->name);
    return 0;
  }
  if (bytes % size || bytes / size > location->size - side->cell)
    reader_fail(cell->reader, op->words[0]->span, "%lld bytes are not some of the elements of '%s', which have %u each",
                (long long)bytes, location->name, size);
  return cell->reader->failed ? 0 : (unsigned)(bytes / size);
}

/* With both sides and the number of bytes: false after a failure. */
static bool match_sides(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy, int64_t bytes,
                        enum tag proxy) {
  const struct draft_location *to = copy->to.target.location, *from = copy->from.target.location;
  if (!to || !from || cell->reader->failed) return false;
  if (copy->map) {
    copy->cells = 1;
    ptx_set_strengths(copy, proxy);
    return true;
  }
  copy->cells = count_cells(cell, op, &copy->from.target, bytes);
  if (cell->reader->failed || count_cells(cell, op, &copy->to.target, bytes) == 0) return false;
  if (to->array != from->array || to->width.bits != from->width.bits)
    return reader_fail(
        cell->reader, op->words[0]->span,
        "'%s' and '%s' are not alike: both sides of a copy are arrays of elements of one size, or neither is", to->name,
        from->name);
  bool reduces = copy->update >= 0;
  if (reduces && from->array && copy->to.place.bits != from->width.bits)
    return reader_fail(cell->reader, op->words[0]->span, "the elements of '%s' have %u bits, and what is reduced %u",
                       from->name, from->width.bits, copy->to.place.bits);
  struct ptx_place element = {.bits = from->width.bits, .type = {.bits = from->width.bits}};
  copy->from.place = from->array ? element : (struct ptx_place){0};
  if (!reduces) copy->to.place = copy->from.place;
  ptx_set_strengths(copy, proxy);
  return true;
}

/* Of locations of which a copy counts bytes. */
static struct ptx_target take_bytes_at(struct column_cell *cell, const struct ptx_place *place,
                                       enum ptx_address address) {
  struct ptx_place bytes = {.space = place->space, .shared = place->shared, .bits = 8};
  return ptx_take_target(cell, &bytes, address);
}

/* After `tensor`, whose reductions are named before the completion. */
static bool take_dimensions(struct column_cell *cell, struct opcode *op, struct ptx_copy *copy) {
  static const struct word_row dimensions[] = {{"1d", 1}, {"2d", 2}, {"3d", 3}, {"4d", 4}, {"5d", 5}, {NULL, 0}};
  if (!opcode_skip_word(op, "tensor")) return true;
  int count = opcode_expect(cell, op, dimensions, "a number of dimensions");
  copy->dimensions = copy->coordinates = count < 0 ? 0 : (unsigned)count;
  return count > 0;
}

/* Which elements of a tensor a box has: a box is a location, whatever they are. */
static void take_mode(struct opcode *op, struct ptx_copy *copy) {
  enum { ONE_BOX, FOUR_ROWS };
  static const struct word_row modes[] = {{"tile", ONE_BOX},
                                          {"im2col", ONE_BOX},
                                          {"im2col::w", ONE_BOX},
                                          {"im2col::w::128", ONE_BOX},
                                          {"im2col_no_offs", ONE_BOX},
                                          {"tile::gather4", FOUR_ROWS},
                                          {"tile::scatter4", FOUR_ROWS},
                                          {NULL, 0}};
  if (opcode_skip(op, modes) == FOUR_ROWS) copy->coordinates = 5;
}

static bool take_update(struct column_cell *cell, struct opcode *op, bool reduce, int *update) {
  if (reduce) *update = take_operation(cell, op);
  return !reduce || *update >= 0;
}

/* After the completion: to which blocks, whose mbarrier it is, hints, which bytes. */
static void take_reach(struct opcode *op, struct ptx_copy *copy) {
  static const struct word_row groups[] = {{"cta_group::1", 0}, {"cta_group::2", 0}, {NULL, 0}};
  if (opcode_skip_word(op, "multicast::cluster")) copy->address = PTX_CLUSTER;
  opcode_skip(op, groups); /* mbarriers are named */
  ptx_take_hints(op, NULL, &copy->to.place);
  copy->masked = opcode_skip_word(op, "cp_mask");
  copy->trims = opcode_skip_word(op, "ignore_oob");
}

static bool take_copy(struct column_cell *cell, struct opcode *op, bool reduce, struct ptx_copy *copy) {
  enum { BY_MBARRIER, BY_GROUP };
  static const struct word_row ways[] = {
      {"mbarrier::complete_tx::bytes", BY_MBARRIER}, {"bulk_group", BY_GROUP}, {NULL, 0}};
  static const struct word_row spaces[] = {
      {"global", 0}, {"shared", 0}, {"shared::cta", 0}, {"shared::cluster", 0}, {NULL, 0}};
  if (!take_dimensions(cell, op, copy)) return false;
  ptx_take_space(op, &copy->to.place);
  ptx_take_space(op, &copy->from.place);
  if (!copy->from.place.space) return opcode_expect(cell, op, spaces, "a state space") >= 0 && false;
  bool tensor = copy->dimensions;
  if (tensor && !take_update(cell, op, reduce, &copy->update)) return false;
  if (tensor) take_mode(op, copy);
  int way = opcode_expect(cell, op, ways, "a way to tell of its completion");
  copy->mbarrier = way == BY_MBARRIER;
  take_reach(op, copy);
  if (way < 0 || (!tensor && !take_update(cell, op, reduce, &copy->update))) return false;
  opcode_skip_word(op, "noftz");
  if (!tensor && reduce) ptx_take_type(op, &copy->to.place);
  opcode_end(cell, op);
  return true;
}

/* `{0, 0}` */
static void take_coordinates(struct column_cell *cell, unsigned count) {
  struct reader *reader = cell->reader;
  reader_expect(reader, "{", "before the coordinates");
  for (unsigned i = 0; i < count && !reader->failed; i++) {
    if (i) reader_expect(reader, ",", "between coordinates");
    const struct token *token = reader->token;
    if (reader_take_number(reader, "a coordinate") != 0)
      reader_fail(reader, token->span,
                  "not supported: several boxes of a tensor; let each be a location, at coordinates 0");
  }
  reader_expect(reader, "}", "after the coordinates");
}

/* One side of a copy: a location, or `[tensor, {0, 0}]`, a box of a tensor. */
static struct ptx_target take_side(struct column_cell *cell, struct ptx_copy *copy, const struct ptx_place *place,
                                   enum ptx_address address) {
  struct reader *reader = cell->reader;
  if (!copy->dimensions || place->shared) return take_bytes_at(cell, place, address);
  reader_expect(reader, "[", "before a tensor");
  struct ptx_target target = {.location = ptx_location(cell, place), .pieces = 1};
  if (target.location && target.location->tensors) {
    copy->map = target.location;
    target.location = &cell->draft->locations.at[copy->map->tensors - 1];
  }
  reader_expect(reader, ",", "between a tensor and its coordinates");
  take_coordinates(cell, copy->coordinates);
  reader_expect(reader, "]", "after the coordinates");
  return target;
}

enum { BOX_BYTES = 16 }; /* of a tensor, since none of its names says how many */

/* `{0, 0}`, an offset in a tensor for `im2col`, and `, 3`, by bits the blocks to which it goes. */
static void take_blocks(struct column_cell *cell, const struct opcode *op, struct ptx_copy *copy) {
  if (copy->dimensions && reader_is(cell->reader, ",") && token_is(cell->reader->token + 1, "{"))
    while (!reader_skip(cell->reader, "}") && !cell_at_end(cell)) reader_take(cell->reader);
  if (copy->address != PTX_CLUSTER) return;
  assembly_comma(cell, op, "the blocks, by bits");
  unsigned blocks = copy->to.target.location ? copy->to.target.location->blocks : CLUSTER_LIMIT;
  copy->blocks = ptx_take_count(cell, "blocks by bits", 1, (1 << blocks) - 1);
}

const struct draft_location *ptx_take_mbarriers(struct column_cell *cell, const struct ptx_copy *copy) {
  static const struct ptx_place any = {0};
  if (copy->address != PTX_CLUSTER) return take_mbarrier(cell);
  const struct token *token = cell->reader->token;
  const struct draft_location *mbarriers = ptx_take_target(cell, &any, PTX_CLUSTER).location;
  for (unsigned i = 0; mbarriers && i < mbarriers->blocks && !cell->reader->failed; i++)
    if (!cell->draft->locations.at[mbarriers->block[i]].mbarrier)
      reader_fail(cell->reader, token->span, "'%s' is not an mbarrier in each block", mbarriers->name);
  return mbarriers;
}

void ptx_emit_completions(struct column_cell *cell, const struct opcode *op, const struct ptx_copy *copy,
                          const struct draft_location *mbarrier, int64_t bytes) {
  if (copy->address != PTX_CLUSTER) emit_completion(cell, op, mbarrier, bytes);
  for (unsigned i = 0; copy->address == PTX_CLUSTER && i < mbarrier->blocks; i++)
    if (copy->blocks >> i & 1) emit_completion(cell, op, &cell->draft->locations.at[mbarrier->block[i]], bytes);
}

enum { MASK_BITS = 16 }; /* for each 16 bytes the same */

/* Is a cell copied, by the bits of the bytes that it has?  A location that is no array has all of them. */
static bool copies_cell(struct column_cell *cell, const struct opcode *op, const struct ptx_copy *copy, unsigned i) {
  const struct draft_location *location = copy->from.target.location;
  unsigned bytes = location->array ? location->width.bits / 8 : MASK_BITS;
  int64_t bits = ((int64_t)1 << bytes) - 1, mask = copy->mask >> i * bytes % MASK_BITS & bits;
  if (mask && mask != bits)
    reader_fail(cell->reader, op->words[0]->span, "the mask has some of the bytes of an element of '%s'",
                location->name);
  return mask;
}

/* `, 0, 0`: how many bytes at either end no thread can know then. */
static void take_ignored(struct column_cell *cell, const struct opcode *op) {
  for (int i = 0; i < 2; i++) {
    assembly_comma(cell, op, "[to], [from], bytes, ignored bytes left, right, [mbarrier]");
    const struct token *token = cell->reader->token;
    if (reader_take_number(cell->reader, "ignored bytes") != 0)
      reader_fail(cell->reader, token->span, "not supported: '.ignore_oob' with bytes that no thread can know");
  }
}

static void lower_bulk_copy(struct column_cell *cell, struct opcode *op, bool reduce, enum ptx_address address) {
  struct ptx_copy copy = {.update = -1, .address = address};
  if (!take_copy(cell, op, reduce, &copy)) return;
  const char *bytes_usage = copy.mbarrier ? "[to], [from], bytes, [mbarrier]" : "[to], [from], bytes";
  const char *usage = !copy.dimensions ? bytes_usage : copy.mbarrier ? "[to], [from], [mbarrier]" : "[to], [from]";
  copy.to.target = take_side(cell, &copy, &copy.to.place, copy.address);
  assembly_comma(cell, op, usage);
  copy.from.target = take_side(cell, &copy, &copy.from.place, PTX_ONE);
  const struct draft_location *mbarrier = NULL;
  int64_t bytes = BOX_BYTES;
  if (!copy.dimensions) {
    assembly_comma(cell, op, usage);
    bytes = take_bytes(cell);
  }
  if (copy.trims) take_ignored(cell, op);
  if (copy.mbarrier) {
    assembly_comma(cell, op, usage);
    mbarrier = ptx_take_mbarriers(cell, &copy);
  }
  take_blocks(cell, op, &copy);
  ptx_take_policy(cell, &copy.to.place);
  if (copy.masked) {
    assembly_comma(cell, op, "which bytes, by bits");
    copy.mask = ptx_take_count(cell, "bytes by bits", 0, (1 << MASK_BITS) - 1);
  }
  if (!match_sides(cell, op, &copy, bytes, TAG_ASYNC)) return;
  if (copy.map) emit_map(cell, op, &copy);
  for (unsigned i = 0; i < copy.cells; i++)
    if (!copy.masked || copies_cell(cell, op, &copy, i))
      ptx_emit_writes(cell, op, &copy, i, emit_source(cell, op, &copy, i));
  if (mbarrier) ptx_emit_completions(cell, op, &copy, mbarrier, bytes);
}

void ptx_lower_mark(struct column_cell *cell, const struct opcode *op, tag_set tags) {
  opcode_end(cell, op);
  assembly_emit(cell, op, INSTR_MARK)->tags = tags;
}

void ptx_lower_wait_group(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  bool read = proxy == TAG_ASYNC && opcode_skip_word(op, "read");
  opcode_end(cell, op);
  int64_t but = ptx_take_count(cell, "a number of groups", 0, 3);
  assembly_emit(cell, op, INSTR_MARK)->tags = tag_bit(read ? TAG_WAIT_READ : TAG_WAIT) | tag_bit(proxy) |
                                              (but & 1 ? tag_bit(TAG_BUT_ONE) : 0) |
                                              (but & 2 ? tag_bit(TAG_BUT_TWO) : 0);
}

/* The arrival that follows all copies so far; without noinc it is one more than the mbarrier expects. */
static void lower_copies_arrive(struct column_cell *cell, struct opcode *op) {
  struct ptx_place place = {0};
  if (!opcode_expect_word(cell, op, "arrive", "an operation")) return;
  bool counted = opcode_skip_word(op, "noinc");
  ptx_take_space(op, &place);
  ptx_take_type(op, &place);
  opcode_end(cell, op);
  const struct draft_location *mbarrier = take_mbarrier(cell);
  struct ptx_strength pending = {ORDER_RLX, SCOPE_WG, tag_bit(TAG_GEN)};
  struct ptx_strength arrival = {ORDER_REL, SCOPE_WG, tag_bit(TAG_GEN) | detached};
  if (!counted) emit_step(cell, op, mbarrier, NO_REG, draft_constant(cell->draft, mbarrier_change(-1, 0)), &pending);
  emit_step(cell, op, mbarrier, NO_REG, draft_constant(cell->draft, mbarrier_change(1, 0)), &arrival)->read_tags =
      tag_bit(TAG_BEGINS);
}

/* `, src-size`, or a predicate, by which only a part of the source is copied, or nothing, and the rest is 0: the cells
 * that are copied. */
static unsigned take_copied(struct column_cell *cell, const struct ptx_copy *copy, int64_t bytes) {
  if (!reader_is(cell->reader, ",") || copy->to.place.policy) return copy->cells;
  reader_take(cell->reader);
  const struct token *token = cell->reader->token;
  int64_t from = reader_take_number(cell->reader, "how many bytes of the source are copied");
  const struct draft_location *location = copy->from.target.location;
  int64_t size = location->array ? location->width.bits / 8 : bytes;
  if (!cell->reader->failed && (from < 0 || from > bytes || from % size))
    reader_fail(cell->reader, token->span, "a copy of a part of '%s', which is not some of its elements",
                location->name);
  return (unsigned)(from / size);
}

static void lower_copy(struct column_cell *cell, struct opcode *op) {
  struct ptx_copy copy = {.update = -1};
  opcode_skip_word(op, "ca");
  opcode_skip_word(op, "cg");
  ptx_take_space(op, &copy.to.place);
  ptx_take_space(op, &copy.from.place);
  ptx_take_hints(op, NULL, &copy.to.place);
  opcode_end(cell, op);
  static const char usage[] = "[to], [from], bytes";
  bool policy = copy.to.place.policy;
  copy.to.target = take_bytes_at(cell, &copy.to.place, PTX_ONE);
  assembly_comma(cell, op, usage);
  copy.from.target = take_bytes_at(cell, &copy.from.place, PTX_ONE);
  assembly_comma(cell, op, usage);
  int64_t bytes = take_bytes(cell);
  if (!match_sides(cell, op, &copy, bytes, TAG_GEN)) return;
  copy.to.place.policy = policy;
  unsigned copied = take_copied(cell, &copy, bytes);
  ptx_take_policy(cell, &copy.to.place);
  for (unsigned i = 0; i < copy.cells; i++)
    ptx_emit_writes(cell, op, &copy, i, i < copied ? emit_source(cell, op, &copy, i) : draft_constant(cell->draft, 0));
}

/* After `cp.async`, and, with `bulk`, `cp.async.bulk`. */
static void lower_copies(struct column_cell *cell, struct opcode *op, bool bulk) {
  enum { COMMIT, WAIT, WAIT_ALL, ARRIVE };
  static const struct word_row words[] = {
      {"commit_group", COMMIT}, {"wait_group", WAIT}, {"wait_all", WAIT_ALL}, {"mbarrier", ARRIVE}, {NULL, 0}};
  static const struct word_row bulk_words[] = {{"commit_group", COMMIT}, {"wait_group", WAIT}, {NULL, 0}};
  enum tag proxy = bulk ? TAG_ASYNC : TAG_GEN;
  switch (opcode_skip(op, bulk ? bulk_words : words)) {
    case COMMIT:
      ptx_lower_mark(cell, op, tag_bit(TAG_COMMIT) | tag_bit(proxy));
      return;
    case WAIT:
      ptx_lower_wait_group(cell, op, proxy);
      return;
    case WAIT_ALL:
      ptx_lower_mark(cell, op, tag_bit(TAG_COMMIT) | tag_bit(proxy));
      if (!cell->reader->failed) ptx_lower_mark(cell, op, tag_bit(TAG_WAIT) | tag_bit(proxy));
      return;
    case ARRIVE:
      lower_copies_arrive(cell, op);
      return;
    default:
      break;
  }
  if (bulk && opcode_is(op, "prefetch")) /* a hint */
    while (!cell_at_end(cell)) reader_take(cell->reader);
  else if (bulk)
    lower_bulk_copy(cell, op, false, PTX_ONE);
  else
    lower_copy(cell, op);
}

/* After `cp`, and, with `multimem`, `multimem.cp`, which has bulk copies only. */
static void lower_cp(struct column_cell *cell, struct opcode *op, bool multimem) {
  static const struct word_row words[] = {{"async", false}, {"reduce", true}, {NULL, 0}};
  int reduce = opcode_expect(cell, op, words, "an operation");
  if (reduce < 0) return;
  if (!reduce && !multimem) {
    lower_copies(cell, op, opcode_skip_word(op, "bulk"));
    return;
  }
  if (reduce && !opcode_require(cell, op, "async")) return;
  if (opcode_require(cell, op, "bulk")) lower_bulk_copy(cell, op, reduce, multimem ? PTX_MULTIMEM : PTX_ONE);
}

void ptx_lower_multimem_copy(struct column_cell *cell, struct opcode *op) {
  lower_cp(cell, op, true);
}

/* --- stores and reductions that go on by themselves ------------------------------------------------ */

/* What `st.async` or `red.async` says before where it goes: its strength, and whether no mbarrier tells of its
 * completion, since it releases by itself. */
static bool take_async_strength(struct column_cell *cell, struct opcode *op, bool reduce,
                                struct ptx_strength *strength) {
  bool weak = !reduce && opcode_skip_word(op, "weak"), device = opcode_skip_word(op, "mmio");
  bool releases = !weak && opcode_skip_word(op, "release");
  if (!releases && !device) opcode_skip_word(op, "relaxed");
  int scope = weak ? -1 : opcode_skip(op, ptx_scopes);
  tag_set tags = tag_bit(TAG_GEN) | detached;
  *strength = (struct ptx_strength){ORDER_NA, SCOPE_NONE, tags | tag_bit(TAG_WEAK)};
  if (!weak)
    *strength =
        (struct ptx_strength){releases ? ORDER_REL : ORDER_RLX, ptx_scope(cell, scope < 0 ? SCOPE_QF : scope), tags};
  return releases;
}

static void lower_store(struct column_cell *cell, struct opcode *op, bool reduce) {
  struct ptx_access access = {0};
  bool releases = take_async_strength(cell, op, reduce, &access.strength);
  ptx_take_space(op, &access.place);
  if (!releases && !opcode_expect_word(cell, op, "mbarrier::complete_tx::bytes", "a way to tell of its completion"))
    return;
  int update = reduce ? take_operation(cell, op) : -1;
  if (reduce && update < 0) return;
  ptx_take_hints(op, NULL, &access.place);
  ptx_take_type(op, &access.place);
  opcode_end(cell, op);
  const char *usage = releases ? "[to], value" : "[to], value, [mbarrier]";
  access.target = ptx_take_target(cell, &access.place, PTX_ONE);
  assembly_comma(cell, op, usage);
  const struct expr *values[VECTOR_LIMIT];
  ptx_take_values(cell, &access.place, values);
  const struct draft_location *mbarrier = NULL;
  if (!releases) {
    assembly_comma(cell, op, usage);
    mbarrier = take_mbarrier(cell);
  }
  unsigned elements = ptx_elements(&access.place), pieces = access.target.pieces;
  if (reduce && pieces > 1)
    reader_fail(cell->reader, op->words[0]->span,
                "not supported: an atomic operation on several elements of an array as one value");
  for (unsigned i = 0; i < elements * pieces && !cell->reader->failed; i++) {
    struct instr *instr = ptx_emit_access(cell, op, reduce ? INSTR_RMW : INSTR_STORE, &access, i);
    instr->value = ptx_piece(cell->draft, &access, values[i / pieces], i);
    if (!reduce) continue;
    if (access.place.type.is_real) ptx_note_sum(cell, op);
    instr->read_tags |= tag_bit(TAG_REDUCTION);
    instr->op = (enum rmw_op)update;
    instr->split = true;
  }
  if (mbarrier)
    emit_completion(cell, op, mbarrier, elements * (access.place.type.bits ? access.place.type.bits / 8 : 4));
}

/* `st.bulk.shared::cta [s], bytes, 0`: zeros, by an ordinary store of each element. */
static void lower_zeros(struct column_cell *cell, struct opcode *op) {
  struct ptx_access access = {.strength = {ORDER_NA, SCOPE_NONE, tag_bit(TAG_WEAK) | tag_bit(TAG_GEN)}};
  static const char usage[] = "[to], bytes, 0";
  opcode_skip_word(op, "weak");
  ptx_take_space(op, &access.place);
  opcode_end(cell, op);
  access.target = take_bytes_at(cell, &access.place, PTX_ONE);
  assembly_comma(cell, op, usage);
  int64_t bytes = take_bytes(cell);
  assembly_comma(cell, op, usage);
  const struct token *number = cell->reader->token;
  if (reader_take_number(cell->reader, "0") != 0)
    reader_fail(cell->reader, number->span, "'st.bulk' stores zeros only");
  unsigned cells = access.target.location && !cell->reader->failed ? count_cells(cell, op, &access.target, bytes) : 0;
  if (!cells) return;
  unsigned bits = access.target.location->array ? access.target.location->width.bits : 0;
  access.place = (struct ptx_place){.bits = bits, .type = {.bits = bits}};
  if (cells > 1) access.strength.tags |= tag_bit(TAG_PART);
  for (unsigned i = 0; i < cells; i++)
    ptx_emit_access(cell, op, INSTR_STORE, &access, i)->value = draft_constant(cell->draft, 0);
}

/* --- grids --------------------------------------------------------------------------------------- */

static void lower_grid_control(struct column_cell *cell, struct opcode *op) {
  static const struct word_row words[] = {{"wait", true}, {"launch_dependents", false}, {NULL, 0}};
  int wait = opcode_expect(cell, op, words, "an action");
  if (wait < 0) return;
  ptx_lower_mark(cell, op, wait ? tag_bit(TAG_GRID) : 0);
}

static const struct draft_thread *thread_at(const struct draft *draft, size_t i) {
  return &draft->threads.at[i];
}

/* The grid before one: of the largest smaller number. */
static bool grid_before(const struct draft *draft, unsigned grid, unsigned *before) {
  bool found = false;
  for (size_t i = 0; i < draft->threads.count; i++) {
    unsigned other = thread_at(draft, i)->place.grid;
    if (other >= grid || (found && other <= *before)) continue;
    *before = other;
    found = true;
  }
  return found;
}

/* Does some thread of a grid wait for the one before, or (not `wait`) let the next one start? */
static bool controls(const struct draft *draft, unsigned grid, bool wait) {
  for (size_t i = 0; i < draft->threads.count; i++) {
    const struct draft_thread *thread = thread_at(draft, i);
    for (size_t k = 0; thread->place.grid == grid && k < thread->code.count; k++) {
      const struct instr *instr = &thread->code.at[k];
      if (instr->kind == INSTR_MARK && instr->tags == (wait ? tag_bit(TAG_GRID) : 0)) return true;
    }
  }
  return false;
}

/* A thread of a grid that starts when the one before has ended begins by waiting for it. */
static void begin_by_waiting(struct draft *draft, struct draft_thread *thread) {
  draft_insert(draft, thread, 0, INSTR_MARK, thread->span)->tags = tag_bit(TAG_GRID) | tag_bit(TAG_ALIAS);
}

void ptx_order_grids(struct draft *draft) {
  for (size_t i = 0; i < draft->threads.count && !draft->reader.failed; i++) {
    struct draft_thread *thread = &draft->threads.at[i];
    unsigned before = 0;
    if (!grid_before(draft, thread->place.grid, &before)) continue;
    for (size_t k = 0; k < draft->threads.count; k++)
      if (thread_at(draft, k)->place.grid == before)
        *vec_push(draft->reader.arena, &draft->pairs) = (struct thread_pair){(unsigned)k, (unsigned)i};
    if (!controls(draft, before, false) && !controls(draft, thread->place.grid, true)) begin_by_waiting(draft, thread);
  }
}

/* ------------------------------------------------------------------------------------------------- */

bool ptx_lower_async(struct column_cell *cell, struct opcode *op) {
  static const struct word_row stores[] = {{"st", ST}, {"red", RED}, {NULL, 0}};
  bool async = op->count > 1 && token_is(op->words[1], "async");
  int what = opcode_skip(op, operations);
  if (what < 0 && async) what = opcode_skip(op, stores);
  if (op->count > 1 && token_is(op->words[0], "st") && token_is(op->words[1], "bulk")) {
    op->next += 2;
    lower_zeros(cell, op);
    return true;
  }
  if (what == ST || what == RED) op->next++;
  switch (what) {
    case MBARRIER:
      lower_mbarrier(cell, op);
      return true;
    case CP:
      lower_cp(cell, op, false);
      return true;
    case GRIDDEPCONTROL:
      lower_grid_control(cell, op);
      return true;
    case TENSORMAP:
      ptx_lower_tensormap(cell, op);
      return true;
    case ST:
    case RED:
      lower_store(cell, op, what == RED);
      return true;
    default:
      return false;
  }
}
