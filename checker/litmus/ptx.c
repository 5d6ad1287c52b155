/* SPDX-License-Identifier: MIT */
/* The PTX dialect: columns (columns.h) of instructions as in NVIDIA's Parallel
 * Thread Execution ISA, in the notation of Dat3M's litmus tests.
 *
 *   place = "@" "cta" number "," "gpu" number
 *
 * An access has a proxy, which is that of its instruction: `ld` and `st` are
 * generic, `tld` reads a texture, `suld` and `sust` are for surfaces, `cold`
 * reads constant memory.  It is weak, or has an order and a scope; the halves of
 * a read-modify-write have each their part of the order.  Semantics: PTX ISA,
 * "Memory Consistency Model".
 */
#include "checker/litmus/assembly.h"

enum shape { SHAPE_LOAD, SHAPE_STORE, SHAPE_ATOMIC, SHAPE_REDUCE, SHAPE_FENCE, SHAPE_BARRIER };

/* The proxy of an instruction's accesses is in the same row of `proxies`. */
enum operation { LD, TLD, SULD, COLD, ST, SUST, ATOM, SUATOM, RED, SURED, FENCE, BAR };

static const struct word_row operations[] = {
    {"ld", LD},         {"tld", TLD}, {"suld", SULD},   {"cold", COLD},   {"st", ST},   {"sust", SUST}, {"atom", ATOM},
    {"suatom", SUATOM}, {"red", RED}, {"sured", SURED}, {"fence", FENCE}, {"bar", BAR}, {NULL, 0},
};

static const struct {
  enum shape shape;
  enum tag proxy;
} facts[] = {
    [LD] = {SHAPE_LOAD, TAG_GEN},      [TLD] = {SHAPE_LOAD, TAG_TEX},      [SULD] = {SHAPE_LOAD, TAG_SUR},
    [COLD] = {SHAPE_LOAD, TAG_CON},    [ST] = {SHAPE_STORE, TAG_GEN},      [SUST] = {SHAPE_STORE, TAG_SUR},
    [ATOM] = {SHAPE_ATOMIC, TAG_GEN},  [SUATOM] = {SHAPE_ATOMIC, TAG_SUR}, [RED] = {SHAPE_REDUCE, TAG_GEN},
    [SURED] = {SHAPE_REDUCE, TAG_SUR}, [FENCE] = {SHAPE_FENCE, TAG_GEN},   [BAR] = {SHAPE_BARRIER, TAG_GEN},
};

static const struct word_row scopes[] = {{"cta", SCOPE_WG}, {"gpu", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};

static const struct word_row load_orders[] = {
    {"weak", ORDER_NA}, {"relaxed", ORDER_RLX}, {"acquire", ORDER_ACQ}, {NULL, 0}};
static const struct word_row store_orders[] = {
    {"weak", ORDER_NA}, {"relaxed", ORDER_RLX}, {"release", ORDER_REL}, {NULL, 0}};
static const struct word_row atomic_orders[] = {
    {"relaxed", ORDER_RLX}, {"acquire", ORDER_ACQ}, {"release", ORDER_REL}, {"acq_rel", ORDER_ACQ_REL}, {NULL, 0}};
static const struct word_row fence_orders[] = {{"acq_rel", ORDER_ACQ_REL}, {"sc", ORDER_SC}, {NULL, 0}};

/* --- strength ------------------------------------------------------------------------------ */

struct strength {
  enum order order;
  enum scope scope;
  tag_set tags;
};

static bool take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders, enum tag proxy,
                          struct strength *strength) {
  int order = opcode_expect(cell, op, orders, "an order");
  *strength = (struct strength){ORDER_NA, SCOPE_NONE, tag_bit(proxy)};
  if (order == ORDER_NA) strength->tags |= tag_bit(TAG_WEAK);
  int scope = order > ORDER_NA ? opcode_expect(cell, op, scopes, "a scope") : SCOPE_NONE;
  if (order < 0 || scope < 0) return false;
  strength->order = (enum order)order;
  strength->scope = (enum scope)scope;
  return true;
}

static struct instr *emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                          const struct strength *strength) {
  struct instr *instr = assembly_emit(cell, op, kind);
  instr->order = strength->order;
  instr->scope = strength->scope;
  instr->tags = strength->tags;
  return instr;
}

/* --- instructions --------------------------------------------------------------------------- */

/* `ld r0, 1` without an order touches no memory. */
static void lower_move(struct column_cell *cell, const struct opcode *op) {
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, value");
  const struct expr *value = assembly_value(cell);
  struct instr *instr = assembly_emit(cell, op, INSTR_ASSIGN);
  instr->reg = reg;
  instr->value = value;
}

static void lower_load(struct column_cell *cell, struct opcode *op, enum operation operation) {
  struct strength strength;
  if (operation == LD && op->count == 1) {
    lower_move(cell, op);
    return;
  }
  if (!take_strength(cell, op, load_orders, facts[operation].proxy, &strength)) return;
  opcode_end(cell, op);
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, location");
  const struct draft_location *location = assembly_location(cell);
  struct instr *instr = emit(cell, op, INSTR_LOAD, &strength);
  instr->reg = reg;
  assembly_access(cell, instr, location);
}

static void lower_store(struct column_cell *cell, struct opcode *op, enum operation operation) {
  struct strength strength;
  if (!take_strength(cell, op, store_orders, facts[operation].proxy, &strength)) return;
  opcode_end(cell, op);
  const struct draft_location *location = assembly_location(cell);
  assembly_comma(cell, op, "location, value");
  const struct expr *value = assembly_value(cell);
  struct instr *instr = emit(cell, op, INSTR_STORE, &strength);
  assembly_access(cell, instr, location);
  instr->value = value;
}

/* What an atom does: an update, or one of these. */
enum { EXCHANGE = 100, COMPARE_AND_SWAP };

static int take_update(struct column_cell *cell, struct opcode *op, bool reduce) {
  static const struct word_row more[] = {{"exch", EXCHANGE}, {"cas", COMPARE_AND_SWAP}, {NULL, 0}};
  int update = reduce ? -1 : opcode_skip(op, more);
  return update >= 0 ? update : opcode_expect(cell, op, assembly_updates, "an operation");
}

static void lower_atomic(struct column_cell *cell, struct opcode *op, enum operation operation) {
  bool reduce = facts[operation].shape == SHAPE_REDUCE;
  struct strength strength;
  if (!take_strength(cell, op, atomic_orders, facts[operation].proxy, &strength)) return;
  int update = take_update(cell, op, reduce);
  if (update < 0) return;
  opcode_end(cell, op);
  bool cas = update == COMPARE_AND_SWAP;
  const char *usage = reduce ? "location, value"
                      : cas  ? "register, location, expected value, new value"
                             : "register, location, value";
  int reg = reduce ? NO_REG : assembly_destination(cell);
  if (!reduce) assembly_comma(cell, op, usage);
  const struct draft_location *location = assembly_location(cell);
  assembly_comma(cell, op, usage);
  const struct expr *first = assembly_value(cell), *second = first;
  if (cas) {
    assembly_comma(cell, op, usage);
    second = assembly_value(cell);
  }
  struct instr *instr = emit(cell, op, cas ? INSTR_CAS : INSTR_RMW, &strength);
  instr->reg = reg;
  assembly_access(cell, instr, location);
  instr->op = update >= EXCHANGE ? RMW_EXCHANGE : (enum rmw_op)update;
  instr->value = second;
  instr->split = true;
  if (!cas) return;
  instr->expected = first;
  instr->returns_old = instr->rewrites = true;
  instr->failure = ORDER_RLX;
}

static void lower_fence(struct column_cell *cell, struct opcode *op) {
  static const struct word_row proxy[] = {{"proxy", 0}, {NULL, 0}};
  static const struct word_row proxies[] = {{"generic", TAG_GEN}, {"constant", TAG_CON}, {"texture", TAG_TEX},
                                            {"surface", TAG_SUR}, {"alias", TAG_ALIAS},  {NULL, 0}};
  struct strength strength = {ORDER_NA, SCOPE_NONE, tag_bit(TAG_GEN)};
  if (opcode_skip(op, proxy) >= 0) {
    int what = opcode_expect(cell, op, proxies, "a proxy");
    if (what < 0) return;
    strength.tags = tag_bit((enum tag)what);
  } else if (!take_strength(cell, op, fence_orders, TAG_GEN, &strength)) {
    return;
  }
  opcode_end(cell, op);
  emit(cell, op, INSTR_FENCE, &strength);
}

static void lower_barrier(struct column_cell *cell, struct opcode *op) {
  static const struct word_row levels[] = {{"cta", SCOPE_WG}, {NULL, 0}};
  static const struct word_row ways[] = {{"sync", false}, {"arrive", true}, {NULL, 0}};
  if (opcode_expect(cell, op, levels, "a level") < 0) return;
  int arrive = opcode_expect(cell, op, ways, "'sync' or 'arrive'");
  if (arrive < 0) return;
  opcode_end(cell, op);
  struct instr *instr = assembly_barrier(cell, op);
  instr->arrive = arrive;
  instr->tags = tag_bit(TAG_F);
}

static void lower_instruction(struct column_cell *cell) {
  struct opcode op;
  if (!opcode_take(cell, &op) || assembly_local(cell, &op)) return;
  int operation = opcode_skip(&op, operations);
  if (operation < 0) {
    assembly_unknown(cell, &op, operations);
    return;
  }
  switch (facts[operation].shape) {
    case SHAPE_LOAD:
      lower_load(cell, &op, (enum operation)operation);
      return;
    case SHAPE_STORE:
      lower_store(cell, &op, (enum operation)operation);
      return;
    case SHAPE_ATOMIC:
    case SHAPE_REDUCE:
      lower_atomic(cell, &op, (enum operation)operation);
      return;
    case SHAPE_FENCE:
      lower_fence(cell, &op);
      return;
    case SHAPE_BARRIER:
      lower_barrier(cell, &op);
      return;
  }
}

/* --- the dialect -------------------------------------------------------------------------------- */

static void parse(struct draft *draft) {
  assembly_parse_init(draft, true);
  columns_parse(draft);
}

static void lower(struct draft *draft) {
  columns_lower(draft, lower_instruction);
  draft_use_condition(draft);
}

static const char *const words[] = {"PTX", "ptx", NULL};
static const char *const places[] = {"cta", "gpu", NULL};
static const char *const level_words[] = {[SCOPE_WG] = "cta", [SCOPE_DEV] = "gpu", [SCOPE_SYS] = NULL};
static const char *const scope_words[] = {"", "thread", "warp", "cta", "", "gpu", "sys"};

const struct dialect ptx_dialect = {
    .words = words,
    .language = LANG_PTX,
    .name = "PTX",
    .model = "ptx",
    .lexis = LEX_COLUMNS | LEX_DECIMAL | LEX_ANGLES,
    .scoped = true,
    .barriers = true,
    .partial_coherence = true,
    .scope_words = scope_words,
    .level_words = level_words,
    .places = places,
    .parse = parse,
    .lower = lower,
};
