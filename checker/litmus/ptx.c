/* SPDX-License-Identifier: MIT */
/* The PTX dialect: columns (columns.h) of instructions as in NVIDIA's Parallel
 * Thread Execution ISA, in the notation of Dat3M's litmus tests.
 *
 *   place = "@" "cta" number "," ["cluster" number ","] "gpu" number ["," "grid" number]
 *
 * An access has a proxy, which is that of its instruction: `ld` and `st` are
 * generic, `tld` reads a texture, `suld` and `sust` are for surfaces, `cold`
 * reads constant memory.  It is weak, or has an order and a scope; the halves of
 * a read-modify-write have each their part of the order.  Semantics: PTX ISA,
 * "Memory Consistency Model"; words that stand for an order and a scope: its
 * sections on `ld`, `st`, `atom`, `red` and `membar`.  State spaces and types
 * stand where the ISA has them, or are left out.
 */
#include "checker/litmus/ptx_qualifiers.h"

enum operation { LD, TLD, SULD, COLD, ST, SUST, ATOM, SUATOM, RED, SURED, FENCE, MEMBAR, BAR, MULTIMEM };

static const struct word_row operations[] = {
    {"ld", LD},     {"tld", TLD},       {"suld", SULD},         {"cold", COLD},   {"st", ST},       {"sust", SUST},
    {"atom", ATOM}, {"suatom", SUATOM}, {"red", RED},           {"sured", SURED}, {"fence", FENCE}, {"membar", MEMBAR},
    {"bar", BAR},   {"barrier", BAR},   {"multimem", MULTIMEM}, {NULL, 0},
};

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
static const struct word_row fence_orders[] = {
    {"acq_rel", ORDER_ACQ_REL}, {"sc", ORDER_SC}, {"acquire", ORDER_ACQ}, {"release", ORDER_REL}, {NULL, 0}};

/* --- strength ------------------------------------------------------------------------------ */

static bool names_place(const struct opcode *op) {
  struct opcode ahead = *op;
  struct ptx_place place = {0};
  ptx_take_space(&ahead, &place);
  ptx_take_type(&ahead, &place);
  return place.space || place.type.bits;
}

static bool take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders, enum tag proxy,
                          struct ptx_strength *strength) {
  static const struct word_row mmio[] = {{"mmio", 0}, {NULL, 0}};
  bool plain = orders == load_orders || orders == store_orders;
  bool device = plain && opcode_skip(op, mmio) >= 0;
  bool bare = plain && !device && op->next > 0 && names_place(op);
  int order = bare ? ORDER_NA : opcode_expect(cell, op, device ? mmio_orders : orders, "an order");
  *strength = (struct ptx_strength){.tags = tag_bit(proxy)};
  if (order == ORDER_NA) strength->tags |= tag_bit(TAG_WEAK);
  int scope = order == VOLATILE                ? SCOPE_SYS
              : order < 0 || order == ORDER_NA ? SCOPE_NONE
                                               : opcode_expect(cell, op, device ? mmio_scopes : ptx_scopes, "a scope");
  if (order < 0 || scope < 0) return false;
  strength->order = order == VOLATILE ? ORDER_RLX : (enum order)order;
  strength->scope = ptx_scope(cell, scope);
  return true;
}

/* Of atomic operations, which are relaxed where no order is given, and reach the
 * device where no scope is. */
static void take_atomic_strength(struct column_cell *cell, struct opcode *op, enum tag proxy,
                                 struct ptx_strength *strength) {
  int order = opcode_skip(op, atomic_orders), scope = opcode_skip(op, ptx_scopes);
  *strength = (struct ptx_strength){order < 0 ? ORDER_RLX : (enum order)order,
                                    ptx_scope(cell, scope < 0 ? SCOPE_DEV : scope), tag_bit(proxy)};
}

/* --- instructions --------------------------------------------------------------------------- */

/* The rest of a load's or store's name. */
static void take_place(struct column_cell *cell, struct opcode *op, struct ptx_place *place) {
  ptx_take_space(op, place);
  ptx_take_type(op, place);
  opcode_end(cell, op);
}

/* `ld r0, 1` without an order touches no memory. */
static void lower_move(struct column_cell *cell, const struct opcode *op) {
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, value");
  const struct expr *value = assembly_value(cell);
  struct instr *instr = assembly_emit(cell, op, INSTR_ASSIGN);
  instr->reg = reg;
  instr->value = value;
}

static void lower_load(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  struct ptx_strength strength;
  if (proxy == TAG_GEN && op->count == 1) {
    lower_move(cell, op);
    return;
  }
  struct ptx_place place = {0};
  if (!take_strength(cell, op, load_orders, proxy, &strength)) return;
  take_place(cell, op, &place);
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, location");
  const struct draft_location *location = ptx_location(cell, &place);
  struct instr *instr = ptx_emit(cell, op, INSTR_LOAD, &strength);
  ptx_set_type(instr, &place);
  instr->reg = reg;
  assembly_access(cell, instr, location);
}

static void lower_store(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  struct ptx_strength strength;
  struct ptx_place place = {0};
  if (!take_strength(cell, op, store_orders, proxy, &strength)) return;
  take_place(cell, op, &place);
  const struct draft_location *location = ptx_location(cell, &place);
  assembly_comma(cell, op, "location, value");
  const struct expr *value = assembly_value(cell);
  struct instr *instr = ptx_emit(cell, op, INSTR_STORE, &strength);
  ptx_set_type(instr, &place);
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

/* [order] [scope] operation, as in the ISA, or the operation first, as before
 * it had orders. */
static int take_atomic_words(struct column_cell *cell, struct opcode *op, enum tag proxy, bool reduce,
                             struct ptx_strength *strength, struct ptx_place *place) {
  int update = skip_update(op, reduce);
  take_atomic_strength(cell, op, proxy, strength);
  ptx_take_space(op, place);
  if (update < 0) update = skip_update(op, reduce);
  if (update < 0) update = opcode_expect(cell, op, assembly_updates, "an operation");
  ptx_take_type(op, place);
  return update;
}

static void lower_update(struct column_cell *cell, struct opcode *op, enum tag proxy, bool reduce) {
  struct ptx_strength strength;
  struct ptx_place place = {0};
  int update = take_atomic_words(cell, op, proxy, reduce, &strength, &place);
  if (update < 0) return;
  opcode_end(cell, op);
  bool cas = update == COMPARE_AND_SWAP;
  const char *usage = reduce ? "location, value"
                      : cas  ? "register, location, expected value, new value"
                             : "register, location, value";
  int reg = reduce ? NO_REG : assembly_destination(cell);
  if (!reduce) assembly_comma(cell, op, usage);
  const struct draft_location *location = ptx_location(cell, &place);
  assembly_comma(cell, op, usage);
  const struct expr *first = assembly_value(cell), *second = first;
  if (cas) {
    assembly_comma(cell, op, usage);
    second = assembly_value(cell);
  }
  struct instr *instr = ptx_emit(cell, op, cas ? INSTR_CAS : INSTR_RMW, &strength);
  ptx_set_type(instr, &place);
  instr->reg = reg;
  assembly_access(cell, instr, location);
  instr->op = update >= EXCHANGE ? RMW_EXCHANGE : (enum rmw_op)update;
  instr->value = second;
  instr->split = true;
  if (reduce) instr->read_tags |= tag_bit(TAG_REDUCTION);
  if (!cas) return;
  instr->expected = first;
  instr->returns_old = instr->rewrites = true;
  instr->failure = ORDER_RLX;
}

static void lower_atomic(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  lower_update(cell, op, proxy, false);
}

static void lower_reduction(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  lower_update(cell, op, proxy, true);
}

/* What a fence's name says after its order: to which space it is restricted. */
static unsigned take_restriction(struct opcode *op) {
  static const struct word_row restrictions[] = {
      {"sync_restrict::shared::cta", 0}, {"sync_restrict::shared::cluster", 0}, {NULL, 0}};
  return opcode_skip(op, restrictions) >= 0 ? REGION_LOCAL : 0;
}

/* `fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster`: a fence of both kinds. */
static void lower_one_way_proxy_fence(struct column_cell *cell, struct opcode *op) {
  static const struct word_row orders[] = {{"acquire", ORDER_ACQ}, {"release", ORDER_REL}, {NULL, 0}};
  int order = opcode_expect(cell, op, orders, "an order");
  if (order < 0) return;
  unsigned regions = take_restriction(op);
  int scope = opcode_expect(cell, op, ptx_scopes, "a scope");
  if (scope < 0) return;
  opcode_end(cell, op);
  struct ptx_strength strength = {(enum order)order, ptx_scope(cell, scope), tag_bit(TAG_GEN) | tag_bit(TAG_ASYNC)};
  ptx_emit(cell, op, INSTR_FENCE, &strength)->regions = regions;
}

static void lower_proxy_fence(struct column_cell *cell, struct opcode *op) {
  enum { ONE_WAY = 100 };
  static const struct word_row proxies[] = {
      {"generic", TAG_GEN}, {"constant", TAG_CON}, {"texture", TAG_TEX},        {"surface", TAG_SUR},
      {"alias", TAG_ALIAS}, {"async", TAG_ASYNC},  {"async::generic", ONE_WAY}, {NULL, 0}};
  struct ptx_place place = {0};
  int what = opcode_expect(cell, op, proxies, "a proxy");
  if (what < 0) return;
  if (what == ONE_WAY) {
    lower_one_way_proxy_fence(cell, op);
    return;
  }
  if (what == TAG_ASYNC) ptx_take_space(op, &place);
  opcode_end(cell, op);
  unsigned regions = !place.space ? REGION_GLOBAL | REGION_LOCAL : place.shared ? REGION_LOCAL : REGION_GLOBAL;
  struct ptx_strength strength = {ORDER_NA, SCOPE_NONE, tag_bit((enum tag)what)};
  struct instr *instr = ptx_emit(cell, op, INSTR_FENCE, &strength);
  if (what == TAG_ASYNC) instr->regions = regions;
}

/* `fence.mbarrier_init.release.cluster`: a release of initialisations only. */
static void lower_init_fence(struct column_cell *cell, struct opcode *op) {
  static const struct word_row release[] = {{"release", 0}, {NULL, 0}}, cluster[] = {{"cluster", 0}, {NULL, 0}};
  if (opcode_expect(cell, op, release, "an order") < 0 || opcode_expect(cell, op, cluster, "a scope") < 0) return;
  opcode_end(cell, op);
  struct ptx_strength strength = {ORDER_REL, ptx_scope(cell, SCOPE_QF), tag_bit(TAG_GEN) | tag_bit(TAG_MBAR)};
  ptx_emit(cell, op, INSTR_FENCE, &strength);
}

static void lower_fence(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  static const struct word_row kinds[] = {{"proxy", TAG_ALIAS}, {"mbarrier_init", TAG_MBAR}, {NULL, 0}};
  int kind = opcode_skip(op, kinds);
  if (kind == TAG_ALIAS) lower_proxy_fence(cell, op);
  if (kind == TAG_MBAR) lower_init_fence(cell, op);
  if (kind >= 0) return;
  struct opcode ahead = *op;
  int order = opcode_skip(&ahead, ptx_scopes) >= 0 ? ORDER_ACQ_REL : opcode_expect(cell, op, fence_orders, "an order");
  unsigned regions = order == ORDER_ACQ || order == ORDER_REL ? take_restriction(op) : 0;
  int scope = order < 0 ? -1 : opcode_expect(cell, op, ptx_scopes, "a scope");
  if (scope < 0) return;
  opcode_end(cell, op);
  struct ptx_strength strength = {(enum order)order, ptx_scope(cell, scope), tag_bit(TAG_GEN)};
  ptx_emit(cell, op, INSTR_FENCE, &strength)->regions = regions;
}

/* What fence.sc is called without the memory model; `gl` is its word for gpu. */
static void lower_membar(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  static const struct word_row levels[] = {{"cta", SCOPE_WG}, {"gl", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};
  int scope = opcode_expect(cell, op, levels, "a level");
  if (scope < 0) return;
  opcode_end(cell, op);
  ptx_emit(cell, op, INSTR_FENCE, &(struct ptx_strength){ORDER_SC, (enum scope)scope, tag_bit(TAG_GEN)});
}

/* `bar.cta` and its newer name `barrier.cta`; only `barrier` has clusters. */
static void lower_barrier(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  static const struct word_row levels[] = {{"cta", SCOPE_WG}, {"cluster", SCOPE_QF}, {NULL, 0}};
  static const struct word_row cta[] = {{"cta", SCOPE_WG}, {NULL, 0}};
  static const struct word_row ways[] = {{"sync", false}, {"arrive", true}, {NULL, 0}};
  int level = opcode_expect(cell, op, token_is(op->words[0], "bar") ? cta : levels, "a level");
  if (level == SCOPE_QF) ptx_lower_cluster_barrier(cell, op);
  if (level != SCOPE_WG) return;
  int arrive = opcode_expect(cell, op, ways, "'sync' or 'arrive'");
  if (arrive < 0) return;
  opcode_end(cell, op);
  struct instr *instr = assembly_barrier(cell, op);
  instr->arrive = arrive;
  instr->tags = tag_bit(TAG_F);
}

static void lower_multimem(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  ptx_lower_multimem(cell, op);
}

/* The proxy is that of the instruction's accesses. */
static const struct {
  void (*lower)(struct column_cell *cell, struct opcode *op, enum tag proxy);
  enum tag proxy;
} lowerings[] = {
    [LD] = {lower_load, TAG_GEN},         [TLD] = {lower_load, TAG_TEX},          [SULD] = {lower_load, TAG_SUR},
    [COLD] = {lower_load, TAG_CON},       [ST] = {lower_store, TAG_GEN},          [SUST] = {lower_store, TAG_SUR},
    [ATOM] = {lower_atomic, TAG_GEN},     [SUATOM] = {lower_atomic, TAG_SUR},     [RED] = {lower_reduction, TAG_GEN},
    [SURED] = {lower_reduction, TAG_SUR}, [FENCE] = {lower_fence, TAG_GEN},       [MEMBAR] = {lower_membar, TAG_GEN},
    [BAR] = {lower_barrier, TAG_GEN},     [MULTIMEM] = {lower_multimem, TAG_GEN},
};

/* Instructions that touch memory in ways that the model has no events for. */
static bool refuse_unmodelled(struct column_cell *cell, const struct opcode *op) {
  static const struct {
    const char *word, *why;
  } unmodelled[] = {{"wgmma", "matrices are read by the async proxy, and their sums are in no register of a test"},
                    {"tcgen05", "tensor memory is no location of a test"},
                    {"tensormap", "tensors have no maps here, but their elements are locations"}};
  for (size_t i = 0; i < sizeof unmodelled / sizeof *unmodelled; i++) {
    if (!token_is(op->words[0], unmodelled[i].word)) continue;
    reader_fail(cell->reader, op->words[0]->span, "'%s' is not modelled: %s", unmodelled[i].word, unmodelled[i].why);
    return true;
  }
  return false;
}

static void lower_instruction(struct column_cell *cell) {
  struct opcode op;
  if (!opcode_take(cell, &op) || ptx_lower_arithmetic(cell, &op) || assembly_local(cell, &op) ||
      ptx_lower_async(cell, &op))
    return;
  int operation = opcode_skip(&op, operations);
  if (operation < 0 && !refuse_unmodelled(cell, &op)) assembly_unknown(cell, &op, operations);
  if (operation >= 0) lowerings[operation].lower(cell, &op, lowerings[operation].proxy);
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
  assembly_parse_init(draft);
  columns_parse(draft);
  note_clusters(draft);
}

static void lower(struct draft *draft) {
  columns_lower(draft, lower_instruction);
  ptx_count_arrivals(draft);
  ptx_order_grids(draft);
  ptx_fit_values(draft);
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
static const struct word_row *const known[] = {load_orders, store_orders, NULL};
static const char *const space_words[] = {"", ".global", ".shared::cta", NULL};
static const struct move_list move_lists[] = {
    {'O', order_words, NULL}, {'S', NULL, ptx_scopes}, {'P', space_words, NULL}, {0}};
static const struct move_form move_forms[] = {
    {INSTR_LOAD, "%m.weak%t %a"},   {INSTR_LOAD, "%m.%O.%S%t %a"}, {INSTR_STORE, "%m.weak%t %a"},
    {INSTR_STORE, "%m.%O.%S%t %a"}, {INSTR_RMW, "%m.%O.%S.%n %a"}, {INSTR_CAS, "%m.%O.%S.%n %a"},
    {INSTR_FENCE, "%m.%O.%S"},      {INSTR_FENCE, "%m.%n%P"},      {0, NULL}};
static const char *const move_fences[] = {"fence.%O.%S",
                                          "fence.proxy.alias",
                                          "fence.proxy.texture",
                                          "fence.proxy.constant",
                                          "fence.proxy.surface",
                                          "fence.proxy.async%P",
                                          "fence.mbarrier_init.release.cluster",
                                          "fence.acquire.sync_restrict::shared::cluster.cluster",
                                          "fence.release.sync_restrict::shared::cta.cluster",
                                          NULL};
static const char *const move_barriers[] = {"bar.cta.sync 15", NULL};
static const char *const updates[RMW_OPS] = {[RMW_EXCHANGE] = "exch", [RMW_ADD] = "add", [RMW_SUB] = NULL,
                                             [RMW_OR] = "or",         [RMW_XOR] = "xor", [RMW_AND] = "and"};
static const struct move_proxy move_proxies[] = {{"generic", "ld", "st", "atom"},
                                                 {"surface", "suld", "sust", "suatom"},
                                                 {"texture", "tld", NULL, NULL},
                                                 {"constant", "cold", NULL, NULL},
                                                 {NULL, NULL, NULL, NULL}};
static const struct move_words moves = {.lists = move_lists,
                                        .forms = move_forms,
                                        .fences = move_fences,
                                        .barriers = move_barriers,
                                        .known = known,
                                        .updates = updates,
                                        .update = "atom",
                                        .proxies = move_proxies,
                                        .separator = '.'};

const struct dialect ptx_dialect = {
    .words = words,
    .language = LANG_PTX,
    .typed_by_accesses = true,
    .name = "PTX",
    .model = "ptx",
    .lexis = LEX_COLUMNS | LEX_DECIMAL | LEX_ANGLES,
    .scoped = true,
    .barriers = true,
    .partial_coherence = true,
    .scope_words = scope_words,
    .level_words = level_words,
    .places = places,
    .proxies = true,
    .clusters = true,
    .moves = &moves,
    .parse = parse,
    .lower = lower,
    .assemble = assemble,
};
