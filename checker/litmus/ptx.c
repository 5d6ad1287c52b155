/* SPDX-License-Identifier: MIT */
/* The PTX dialect: columns (columns.h) of instructions as in NVIDIA's Parallel
 * Thread Execution ISA, in the notation of Dat3M's litmus tests.
 *
 *   place = "@" "cta" number "," ["cluster" number ","] "gpu" number
 *
 * An access has a proxy, which is that of its instruction: `ld` and `st` are
 * generic, `tld` reads a texture, `suld` and `sust` are for surfaces, `cold`
 * reads constant memory.  It is weak, or has an order and a scope; the halves of
 * a read-modify-write have each their part of the order.  Semantics: PTX ISA,
 * "Memory Consistency Model"; words that stand for an order and a scope: its
 * sections on `ld`, `st`, `atom`, `red` and `membar`.
 */
#include "checker/base/tags.h"
#include "checker/litmus/assembly.h"

enum shape { SHAPE_LOAD, SHAPE_STORE, SHAPE_ATOMIC, SHAPE_REDUCE, SHAPE_FENCE, SHAPE_MEMBAR, SHAPE_BARRIER };

/* The proxy of an instruction's accesses is in the same row of `proxies`. */
enum operation { LD, TLD, SULD, COLD, ST, SUST, ATOM, SUATOM, RED, SURED, FENCE, MEMBAR, BAR };

static const struct word_row operations[] = {
    {"ld", LD},       {"tld", TLD},       {"suld", SULD},     {"cold", COLD}, {"st", ST},
    {"sust", SUST},   {"atom", ATOM},     {"suatom", SUATOM}, {"red", RED},   {"sured", SURED},
    {"fence", FENCE}, {"membar", MEMBAR}, {"bar", BAR},       {NULL, 0},
};

static const struct {
  enum shape shape;
  enum tag proxy;
} facts[] = {
    [LD] = {SHAPE_LOAD, TAG_GEN},      [TLD] = {SHAPE_LOAD, TAG_TEX},      [SULD] = {SHAPE_LOAD, TAG_SUR},
    [COLD] = {SHAPE_LOAD, TAG_CON},    [ST] = {SHAPE_STORE, TAG_GEN},      [SUST] = {SHAPE_STORE, TAG_SUR},
    [ATOM] = {SHAPE_ATOMIC, TAG_GEN},  [SUATOM] = {SHAPE_ATOMIC, TAG_SUR}, [RED] = {SHAPE_REDUCE, TAG_GEN},
    [SURED] = {SHAPE_REDUCE, TAG_SUR}, [FENCE] = {SHAPE_FENCE, TAG_GEN},   [MEMBAR] = {SHAPE_MEMBAR, TAG_GEN},
    [BAR] = {SHAPE_BARRIER, TAG_GEN},
};

static const struct word_row scopes[] = {
    {"cta", SCOPE_WG}, {"cluster", SCOPE_QF}, {"gpu", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};

/* `volatile` stands for an order with a scope: relaxed.sys. */
enum { VOLATILE = 100 };

static const struct word_row load_orders[] = {
    {"weak", ORDER_NA}, {"relaxed", ORDER_RLX}, {"acquire", ORDER_ACQ}, {"volatile", VOLATILE}, {NULL, 0}};
static const struct word_row store_orders[] = {
    {"weak", ORDER_NA}, {"relaxed", ORDER_RLX}, {"release", ORDER_REL}, {"volatile", VOLATILE}, {NULL, 0}};
static const struct word_row mmio_orders[] = {{"relaxed", ORDER_RLX}, {NULL, 0}};
static const struct word_row mmio_scopes[] = {{"sys", SCOPE_SYS}, {NULL, 0}};
static const struct word_row atomic_orders[] = {
    {"relaxed", ORDER_RLX}, {"acquire", ORDER_ACQ}, {"release", ORDER_REL}, {"acq_rel", ORDER_ACQ_REL}, {NULL, 0}};
static const struct word_row fence_orders[] = {{"acq_rel", ORDER_ACQ_REL}, {"sc", ORDER_SC}, {NULL, 0}};

/* --- strength ------------------------------------------------------------------------------ */

struct strength {
  enum order order;
  enum scope scope;
  tag_set tags;
};

/* Where no thread names its cluster, each block is one. */
static enum scope scope_here(const struct column_cell *cell, int scope) {
  const bool *clusters = cell->draft->own;
  return scope == SCOPE_QF && !*clusters ? SCOPE_WG : (enum scope)scope;
}

static bool take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders, enum tag proxy,
                          struct strength *strength) {
  static const struct word_row mmio[] = {{"mmio", 0}, {NULL, 0}};
  bool plain = orders == load_orders || orders == store_orders;
  bool device = plain && opcode_skip(op, mmio) >= 0;
  int order = opcode_expect(cell, op, device ? mmio_orders : orders, "an order");
  *strength = (struct strength){ORDER_NA, SCOPE_NONE, tag_bit(proxy)};
  if (order == ORDER_NA) strength->tags |= tag_bit(TAG_WEAK);
  int scope = order == VOLATILE  ? SCOPE_SYS
              : order > ORDER_NA ? opcode_expect(cell, op, device ? mmio_scopes : scopes, "a scope")
                                 : SCOPE_NONE;
  if (order < 0 || scope < 0) return false;
  strength->order = order == VOLATILE ? ORDER_RLX : (enum order)order;
  strength->scope = scope_here(cell, scope);
  return true;
}

/* Of atomic operations, which are relaxed where no order is given, and reach the
 * device where no scope is. */
static void take_atomic_strength(struct column_cell *cell, struct opcode *op, enum tag proxy,
                                 struct strength *strength) {
  int order = opcode_skip(op, atomic_orders), scope = opcode_skip(op, scopes);
  *strength = (struct strength){order < 0 ? ORDER_RLX : (enum order)order,
                                scope_here(cell, scope < 0 ? SCOPE_DEV : scope), tag_bit(proxy)};
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

static int skip_update(struct opcode *op, bool reduce) {
  static const struct word_row more[] = {{"exch", EXCHANGE}, {"cas", COMPARE_AND_SWAP}, {NULL, 0}};
  int update = reduce ? -1 : opcode_skip(op, more);
  return update >= 0 ? update : opcode_skip(op, assembly_updates);
}

/* [order] [scope] operation, as the ISA has it, or the operation first, as before
 * it had orders. */
static int take_atomic_words(struct column_cell *cell, struct opcode *op, enum operation operation,
                             struct strength *strength) {
  bool reduce = facts[operation].shape == SHAPE_REDUCE;
  int update = skip_update(op, reduce);
  take_atomic_strength(cell, op, facts[operation].proxy, strength);
  if (update < 0) update = skip_update(op, reduce);
  return update >= 0 ? update : opcode_expect(cell, op, assembly_updates, "an operation");
}

static void lower_atomic(struct column_cell *cell, struct opcode *op, enum operation operation) {
  bool reduce = facts[operation].shape == SHAPE_REDUCE;
  struct strength strength;
  int update = take_atomic_words(cell, op, operation, &strength);
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

/* What fence.sc is called without the memory model; `gl` is its word for gpu. */
static void lower_membar(struct column_cell *cell, struct opcode *op) {
  static const struct word_row levels[] = {{"cta", SCOPE_WG}, {"gl", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};
  int scope = opcode_expect(cell, op, levels, "a level");
  if (scope < 0) return;
  opcode_end(cell, op);
  emit(cell, op, INSTR_FENCE, &(struct strength){ORDER_SC, (enum scope)scope, tag_bit(TAG_GEN)});
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
    case SHAPE_MEMBAR:
      lower_membar(cell, &op);
      return;
    case SHAPE_BARRIER:
      lower_barrier(cell, &op);
      return;
  }
}

/* --- the dialect -------------------------------------------------------------------------------- */

/* Notes whether threads name their clusters: all or none. */
static void note_clusters(struct draft *draft) {
  bool *clusters = ARENA_NEW(draft->reader.arena, bool);
  draft->own = clusters;
  for (size_t i = 0; i < draft->threads.count; i++) {
    const struct draft_thread *thread = &draft->threads.at[i];
    bool named = thread->place.qf != NO_PLACE;
    if (i && named != *clusters)
      reader_fail(&draft->reader, thread->span, "either all threads name their cluster or none does");
    *clusters = named;
  }
}

static void parse(struct draft *draft) {
  assembly_parse_init(draft, true);
  columns_parse(draft);
  note_clusters(draft);
}

static void lower(struct draft *draft) {
  columns_lower(draft, lower_instruction);
  draft_use_condition(draft);
}

static const char *const words[] = {"PTX", "ptx", NULL};
static const char *const places[] = {"cta", "gpu", NULL};
static const char *const level_words[] = {[SCOPE_WG] = "cta", [SCOPE_DEV] = "gpu", [SCOPE_SYS] = NULL};
static const char *const cluster_level_words[] = {
    [SCOPE_WG] = "cta", [SCOPE_QF] = "cluster", [SCOPE_DEV] = "gpu", [SCOPE_SYS] = NULL};
static const char *const scope_words[] = {"", "thread", "warp", "cta", "cluster", "gpu", "sys"};

static void assemble(struct draft *draft, struct program *program) {
  const bool *clusters = draft->own;
  if (*clusters) program->level_words = cluster_level_words;
}

static const char *const order_words[] = {"relaxed", "acquire", "release", "acq_rel", "sc", NULL};
static const char *const scope_names[] = {"cta", "cluster", "gpu", "sys", NULL};
static const char *const known_words[] = {"weak", NULL};
static const struct move_list move_lists[] = {{'O', order_words}, {'S', scope_names}, {0, NULL}};
static const struct move_form move_forms[] = {{INSTR_LOAD, "%m.weak %a"},    {INSTR_LOAD, "%m.%O.%S %a"},
                                              {INSTR_STORE, "%m.weak %a"},   {INSTR_STORE, "%m.%O.%S %a"},
                                              {INSTR_RMW, "%m.%O.%S.%n %a"}, {INSTR_CAS, "%m.%O.%S.%n %a"},
                                              {INSTR_FENCE, "%m.%O.%S"},     {0, NULL}};
static const char *const move_fences[] = {"fence.%O.%S",          "fence.proxy.alias",   "fence.proxy.texture",
                                          "fence.proxy.constant", "fence.proxy.surface", NULL};
static const struct move_words moves = {
    .lists = move_lists, .forms = move_forms, .fences = move_fences, .known = known_words, .separator = '.'};

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
    .clusters = true,
    .moves = &moves,
    .parse = parse,
    .lower = lower,
    .assemble = assemble,
};
