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

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/litmus/ptx_qualifiers.h"

enum operation { LD, TLD, SULD, COLD, ST, SUST, ATOM, SUATOM, RED, SURED, FENCE, MEMBAR, BAR, MULTIMEM, LAUNCH, WGMMA };

static const struct word_row operations[] = {
    {"ld", LD},       {"tld", TLD},     {"suld", SULD},         {"cold", COLD},
    {"st", ST},       {"sust", SUST},   {"atom", ATOM},         {"suatom", SUATOM},
    {"red", RED},     {"sured", SURED}, {"fence", FENCE},       {"membar", MEMBAR},
    {"bar", BAR},     {"barrier", BAR}, {"multimem", MULTIMEM}, {"clusterlaunchcontrol", LAUNCH},
    {"wgmma", WGMMA}, {NULL, 0},
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

/* [space] [hints] [type] */
static void take_words(struct opcode *op, const struct word_row *operators, struct ptx_place *place) {
  ptx_take_space(op, place);
  ptx_take_hints(op, operators, place);
  ptx_take_type(op, place);
}

static bool names_place(struct opcode op, const struct word_row *operators) {
  unsigned next = op.next;
  struct ptx_place place = {0};
  take_words(&op, operators, &place);
  return op.next > next;
}

static const struct word_row *operators_of(const struct word_row *orders) {
  return orders == load_orders ? ptx_load_operators : ptx_store_operators;
}

static bool take_strength(struct column_cell *cell, struct opcode *op, const struct word_row *orders, enum tag proxy,
                          struct ptx_strength *strength) {
  bool plain = orders == load_orders || orders == store_orders;
  bool device = plain && opcode_skip_word(op, "mmio");
  bool bare = plain && !device && op->next > 0 && names_place(*op, operators_of(orders));
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

/* --- instructions --------------------------------------------------------------------------- */

/* The rest of a load's or store's name: weak ones may have cache operators.  What `nc` reads through is not coherent
 * with the others, and the ISA names no proxy for it; it was the texture cache. */
static void take_place(struct column_cell *cell, struct opcode *op, const struct word_row *orders,
                       struct ptx_access *access) {
  take_words(op, access->strength.order == ORDER_NA ? operators_of(orders) : NULL, &access->place);
  if (access->place.noncoherent) access->strength.tags ^= tag_bit(TAG_GEN) | tag_bit(TAG_TEX);
  opcode_end(cell, op);
}

/* `ld r0, 1` without an order touches no memory. */
static void lower_move(struct column_cell *cell, const struct opcode *op) {
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, value");
  assembly_assign(cell, op, reg, assembly_value(cell));
}

static void load_element(struct column_cell *cell, const struct opcode *op, struct ptx_access *access, unsigned i,
                         int reg) {
  unsigned pieces = access->target.pieces;
  const struct expr *read[PIECE_LIMIT];
  if (pieces == 1) {
    ptx_emit_access(cell, op, INSTR_LOAD, access, i)->reg = reg;
    return;
  }
  for (unsigned k = 0; k < pieces; k++) {
    unsigned piece = draft_new_temporary(cell->draft, cell->thread);
    ptx_emit_access(cell, op, INSTR_LOAD, access, i * pieces + k)->reg = (int)piece;
    read[k] = draft_register_value(cell->draft, piece);
  }
  assembly_assign(cell, op, reg, ptx_join_pieces(cell->draft, access, read));
}

static void lower_load(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  if (proxy == TAG_GEN && op->count == 1) {
    lower_move(cell, op);
    return;
  }
  struct ptx_access access = {.place.indexed = true};
  if (!take_strength(cell, op, load_orders, proxy, &access.strength)) return;
  take_place(cell, op, load_orders, &access);
  int regs[VECTOR_LIMIT] = {0};
  ptx_take_registers(cell, &access.place, regs);
  assembly_comma(cell, op, "register, location");
  access.target = ptx_take_target(cell, &access.place, PTX_ONE);
  ptx_take_policy(cell, &access.place);
  for (unsigned i = 0; i < ptx_elements(&access.place); i++) load_element(cell, op, &access, i, regs[i]);
}

static void lower_store(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  struct ptx_access access = {.place.indexed = true};
  if (!take_strength(cell, op, store_orders, proxy, &access.strength)) return;
  take_place(cell, op, store_orders, &access);
  access.target = ptx_take_target(cell, &access.place, PTX_ONE);
  assembly_comma(cell, op, "location, value");
  const struct expr *values[VECTOR_LIMIT] = {0};
  ptx_take_values(cell, &access.place, values);
  ptx_take_policy(cell, &access.place);
  unsigned pieces = access.target.pieces;
  for (unsigned i = 0; i < ptx_elements(&access.place) * pieces && values[i / pieces]; i++)
    ptx_emit_access(cell, op, INSTR_STORE, &access, i)->value = ptx_piece(cell->draft, &access, values[i / pieces], i);
}

/* What an atom does: an update, or one of these. */
enum { EXCHANGE = 100, COMPARE_AND_SWAP };

static int skip_update(struct opcode *op, bool reduce) {
  static const struct word_row more[] = {{"exch", EXCHANGE}, {"cas", COMPARE_AND_SWAP}, {NULL, 0}};
  int update = reduce ? -1 : opcode_skip(op, more);
  if (update < 0) update = ptx_skip_update(op);
  if (update >= 0) opcode_skip_word(op, "noftz");
  return update;
}

/* [order] [scope] operation, as in the ISA, or the operation first, as before
 * it had orders, or last, as in its examples of vectors.  Relaxed and of the device where it says nothing else. */
static int take_atomic_words(struct column_cell *cell, struct opcode *op, enum tag proxy, bool reduce,
                             struct ptx_access *access) {
  int update = skip_update(op, reduce);
  if (update >= 0) ptx_take_space(op, &access->place); /* as in the ISA's `red` */
  access->strength = (struct ptx_strength){ORDER_RLX, SCOPE_DEV, tag_bit(proxy)};
  ptx_take_usual_strength(cell, op, atomic_orders, &access->strength);
  if (update >= 0) opcode_skip_word(op, "noftz");
  take_words(op, NULL, &access->place);
  if (update < 0) update = skip_update(op, reduce);
  if (update < 0) update = opcode_expect(cell, op, assembly_updates, "an operation");
  take_words(op, NULL, &access->place);
  if (update >= 0) opcode_end(cell, op);
  return update;
}

/* The operands after the location: the value, or the one that is expected and the new one. */
static void take_operands(struct column_cell *cell, const struct opcode *op, const struct ptx_access *access,
                          const char *usage, const struct expr **values, const struct expr **swapped) {
  assembly_comma(cell, op, usage);
  ptx_take_values(cell, &access->place, values);
  if (swapped) {
    assembly_comma(cell, op, usage);
    *swapped = assembly_value(cell);
  }
  ptx_take_policy(cell, &access->place);
}

/* A read-modify-write of one cell. */
static struct instr *emit_update(struct column_cell *cell, const struct opcode *op, struct ptx_access *access,
                                 int update, unsigned piece) {
  bool cas = update == COMPARE_AND_SWAP;
  struct instr *instr = ptx_emit_access(cell, op, cas ? INSTR_CAS : INSTR_RMW, access, piece);
  instr->op = update >= EXCHANGE ? RMW_EXCHANGE : (enum rmw_op)update;
  instr->split = true;
  if (!cas) return instr;
  instr->returns_old = instr->rewrites = true;
  instr->failure = ORDER_RLX;
  return instr;
}

static void check_update(struct column_cell *cell, const struct opcode *op, int update,
                         const struct ptx_access *access) {
  bool several = access->target.pieces > 1 && !access->place.packed;
  if (several || ((access->place.vector || access->place.packed) && update >= EXCHANGE))
    reader_fail(cell->reader, op->words[0]->span,
                several ? "not supported: an atomic operation on several elements of an array as one value"
                        : "vectors and packed values are added, or have their minimum or maximum taken");
}

/* An update of one element of a vector, or of the only value. */
struct update {
  int what, reg; /* NO_REG: a reduction */
  unsigned element;
  const struct expr *value, *swapped; /* the new one, where `value` is expected; else NULL */
};

/* An element of a packed type is several values, each of which is updated by itself. */
static void update_element(struct column_cell *cell, const struct opcode *op, struct ptx_access *access,
                           const struct update *update) {
  unsigned pieces = access->target.pieces;
  int reg = update->reg;
  const struct expr *read[PIECE_LIMIT];
  for (unsigned k = 0; k < pieces; k++) {
    struct instr *instr = emit_update(cell, op, access, update->what, update->element * pieces + k);
    instr->value = update->swapped ? update->swapped : ptx_piece(cell->draft, access, update->value, k);
    if (update->swapped) instr->expected = update->value;
    instr->reg = reg;
    if (reg == NO_REG) instr->read_tags |= tag_bit(TAG_REDUCTION);
    if (pieces == 1 || reg == NO_REG) continue;
    instr->reg = (int)draft_new_temporary(cell->draft, cell->thread);
    read[k] = draft_register_value(cell->draft, (unsigned)instr->reg);
  }
  if (pieces > 1 && reg != NO_REG) assembly_assign(cell, op, reg, ptx_join_pieces(cell->draft, access, read));
}

static void lower_update(struct column_cell *cell, struct opcode *op, enum tag proxy, bool reduce) {
  struct ptx_access access = {.place.indexed = true};
  int update = take_atomic_words(cell, op, proxy, reduce, &access);
  if (update < 0) return;
  bool cas = update == COMPARE_AND_SWAP;
  const char *usage = reduce ? "location, value"
                      : cas  ? "register, location, expected value, new value"
                             : "register, location, value";
  int regs[VECTOR_LIMIT];
  for (int i = 0; i < VECTOR_LIMIT; i++) regs[i] = NO_REG;
  if (!reduce) {
    ptx_take_registers(cell, &access.place, regs);
    assembly_comma(cell, op, usage);
  }
  access.target = ptx_take_target(cell, &access.place, PTX_ONE);
  check_update(cell, op, update, &access);
  const struct expr *values[VECTOR_LIMIT] = {0}, *swapped = NULL;
  take_operands(cell, op, &access, usage, values, cas ? &swapped : NULL);
  bool summed = update == RMW_ADD && access.place.bits >= 32 && !access.place.packed;
  if (access.place.type.is_real && update < EXCHANGE && !summed) ptx_note_sum(cell, op);
  for (unsigned i = 0; i < ptx_elements(&access.place) && values[i] && !cell->reader->failed; i++)
    update_element(cell, op, &access, &(struct update){update, regs[i], i, values[i], swapped});
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

/* The rest of a fence, after its order. */
static void end_fence(struct column_cell *cell, struct opcode *op, int order, tag_set tags) {
  struct ptx_strength strength = {.tags = tags};
  unsigned regions = order == ORDER_ACQ || order == ORDER_REL ? take_restriction(op) : 0;
  if (!ptx_take_scope(cell, op, order, &strength)) return;
  opcode_end(cell, op);
  ptx_emit(cell, op, INSTR_FENCE, &strength)->regions = regions;
}

/* `fence.proxy.async::generic.release.sync_restrict::shared::cta.cluster`: a fence of both kinds. */
static void lower_one_way_proxy_fence(struct column_cell *cell, struct opcode *op) {
  static const struct word_row orders[] = {{"acquire", ORDER_ACQ}, {"release", ORDER_REL}, {NULL, 0}};
  end_fence(cell, op, opcode_expect(cell, op, orders, "an order"), tag_bit(TAG_GEN) | tag_bit(TAG_ASYNC));
}

static void lower_proxy_fence(struct column_cell *cell, struct opcode *op) {
  enum { ONE_WAY = 100, OF_MAPS };
  static const struct word_row proxies[] = {{"generic", TAG_GEN},
                                            {"constant", TAG_CON},
                                            {"texture", TAG_TEX},
                                            {"surface", TAG_SUR},
                                            {"alias", TAG_ALIAS},
                                            {"async", TAG_ASYNC},
                                            {"async::generic", ONE_WAY},
                                            {"tensormap::generic", OF_MAPS},
                                            {NULL, 0}};
  struct ptx_place place = {0};
  int what = opcode_expect(cell, op, proxies, "a proxy");
  if (what < 0) return;
  if (what == ONE_WAY) {
    lower_one_way_proxy_fence(cell, op);
    return;
  }
  if (what == OF_MAPS) {
    ptx_lower_tensormap_fence(cell, op);
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
  if (!opcode_expect_word(cell, op, "release", "an order") || !opcode_expect_word(cell, op, "cluster", "a scope"))
    return;
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
  end_fence(cell, op, order, tag_bit(TAG_GEN));
}

/* What fence.sc is called without the memory model, and fence.proxy; `gl` is its word for gpu. */
static void lower_membar(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  static const struct word_row levels[] = {{"cta", SCOPE_WG}, {"gl", SCOPE_DEV}, {"sys", SCOPE_SYS}, {NULL, 0}};
  if (opcode_skip_word(op, "proxy")) {
    lower_proxy_fence(cell, op);
    return;
  }
  int scope = opcode_expect(cell, op, levels, "a level");
  if (scope < 0) return;
  opcode_end(cell, op);
  ptx_emit(cell, op, INSTR_FENCE, &(struct ptx_strength){ORDER_SC, (enum scope)scope, tag_bit(TAG_GEN)});
}

/* `bar.warp.sync 3`: the threads of a block in whose order the mask has bits are in one warp and meet (ISA,
 * 9.7.13.2: it orders memory among them, as a barrier of the block does). */
static void lower_warp_barrier(struct column_cell *cell, struct opcode *op) {
  if (!opcode_expect_word(cell, op, "sync", "a way to take part")) return;
  opcode_end(cell, op);
  struct draft *draft = cell->draft;
  const struct token *token = cell->reader->token;
  int64_t mask = reader_take_number(cell->reader, "the threads that meet, by bits");
  unsigned lane = 0;
  for (const struct draft_thread *other = draft->threads.at; other != cell->thread; other++)
    lane += other->place.wg == cell->thread->place.wg;
  if (cell->reader->failed) return;
  if (lane >= 32 || !(mask >> lane & 1))
    reader_fail(cell->reader, token->span, "%s is thread %u of its block, which is not among those that meet",
                cell->thread->name, lane);
  struct instr *instr = assembly_emit(cell, op, INSTR_MEET);
  instr->barrier_label =
      draft_barrier_label(draft, arena_printf(draft->reader.arena, "warp %llx", (unsigned long long)mask & 0xffffffff));
  instr->tags = tag_bit(TAG_F);
}

/* `bar.cta` and its newer name `barrier.cta`; only `barrier` has clusters.  The level may be left out; then, since the
 * second operand is the ISA's number of threads, and in Dat3M's notation a resource, there is none. */
static void lower_barrier(struct column_cell *cell, struct opcode *op, enum tag proxy) {
  (void)proxy;
  enum { REDUCES = 2 };
  static const struct word_row levels[] = {{"cta", SCOPE_WG}, {"cluster", SCOPE_QF}, {NULL, 0}};
  static const struct word_row bar_levels[] = {{"cta", SCOPE_WG}, {"warp", SCOPE_SG}, {NULL, 0}};
  static const struct word_row ways[] = {{"sync", false}, {"arrive", true}, {"red", REDUCES}, {NULL, 0}};
  const struct word_row *own = token_is(op->words[0], "bar") ? bar_levels : levels;
  struct opcode ahead = *op;
  bool bare = opcode_skip(&ahead, ways) >= 0;
  int level = bare ? SCOPE_WG : opcode_expect(cell, op, own, "a level");
  if (level == SCOPE_QF) ptx_lower_cluster_barrier(cell, op);
  if (level == SCOPE_SG) lower_warp_barrier(cell, op);
  if (level != SCOPE_WG) return;
  int way = opcode_expect(cell, op, ways, "a way to take part");
  if (way < 0) return;
  if (way == REDUCES) {
    ptx_lower_reducing_barrier(cell, op);
    return;
  }
  opcode_skip_word(op, "aligned");
  opcode_end(cell, op);
  struct instr *instr = assembly_barrier(cell, op);
  if (bare && instr->resource)
    reader_fail(cell->reader, op->words[0]->span,
                "write '%s.cta' with a resource; a number of threads is the third operand, the quorum",
                op->words[0]->text);
  instr->arrive = way;
  instr->tags = tag_bit(TAG_F);
}

/* The proxy is that of the instruction's accesses. */
static const struct {
  void (*lower)(struct column_cell *cell, struct opcode *op, enum tag proxy);
  enum tag proxy;
} lowerings[] = {
    [LD] = {lower_load, TAG_GEN},
    [TLD] = {lower_load, TAG_TEX},
    [SULD] = {lower_load, TAG_SUR},
    [COLD] = {lower_load, TAG_CON},
    [ST] = {lower_store, TAG_GEN},
    [SUST] = {lower_store, TAG_SUR},
    [ATOM] = {lower_atomic, TAG_GEN},
    [SUATOM] = {lower_atomic, TAG_SUR},
    [RED] = {lower_reduction, TAG_GEN},
    [SURED] = {lower_reduction, TAG_SUR},
    [FENCE] = {lower_fence, TAG_GEN},
    [MEMBAR] = {lower_membar, TAG_GEN},
    [BAR] = {lower_barrier, TAG_GEN},
    [MULTIMEM] = {ptx_lower_multimem, TAG_GEN},
    [LAUNCH] = {ptx_lower_launch_control, TAG_GEN},
    [WGMMA] = {ptx_lower_wgmma, TAG_ASYNC},
};

/* Instructions that are not modelled, with the reason, and those that do nothing that a test could see (NULL). */
static const char no_warps[] = "threads of a test are in no warp";
static const char addresses[] = "addresses are no numbers here: locations are named where they are accessed";
static const char fragments[] = "it moves a matrix that the threads of a warp share";
static const char no_roots[] = "of floats there are sums, products, quotients and comparisons";
static const struct {
  const char *word, *why;
} others[] = {{"tcgen05", "tensor memory is no location of a test"},
              {"shfl", no_warps},
              {"vote", no_warps},
              {"match", no_warps},
              {"redux", no_warps},
              {"elect", no_warps},
              {"activemask", no_warps},
              {"isspacep", addresses},
              {"cvta", addresses},
              {"mapa", addresses},
              {"getctarank", addresses},
              {"ldmatrix", fragments},
              {"stmatrix", fragments},
              {"movmatrix", fragments},
              {"wmma", fragments},
              {"mma", fragments},
              {"ldu", "it may only read what no thread writes"},
              {"discard", "it stores what no thread can know"},
              {"addc", "there is no carry"},
              {"subc", "there is no carry"},
              {"madc", "there is no carry"},
              {"sqrt", no_roots},
              {"rsqrt", no_roots},
              {"sin", no_roots},
              {"cos", no_roots},
              {"lg2", no_roots},
              {"ex2", no_roots},
              {"tanh", no_roots},
              {"tex", "write 'tld.weak r0, x', a read of one texel"},
              {"tld4", "write 'tld.weak r0, x', a read of one texel"},
              {"trap", "a test has no failure but its condition"},
              {"brkpt", "a test has no failure but its condition"},
              {"createpolicy", NULL},
              {"prefetch", NULL},
              {"prefetchu", NULL},
              {"applypriority", NULL},
              {"nanosleep", NULL},
              {"pmevent", NULL},
              {"setmaxnreg", NULL}};

/* The same of words in the names of others. */
static const char own_memory[] = "what belongs to one thread is in its registers here";
static const char surfaces[] = "write 'suld.weak r0, x', an access of one element";
static const struct {
  const char *word, *why, *of; /* in names that begin like this; NULL: in any */
} refused[] = {{"local", own_memory, NULL},
               {"param", own_memory, NULL},
               {"cc", "there is no carry", NULL},
               {"b", surfaces, "su"},
               {"p", surfaces, "su"}};

static bool refuse_word(struct column_cell *cell, const struct opcode *op) {
  for (unsigned i = 1; i < op->count; i++)
    for (size_t k = 0; k < ARRAY_COUNT(refused); k++) {
      const struct token *word = op->words[i];
      bool here = !refused[k].of || text_begins(op->words[0]->text, refused[k].of);
      if (!here || !token_is(word, refused[k].word)) continue;
      reader_fail(cell->reader, word->span, "'.%s' is not modelled: %s", word->text, refused[k].why);
      return true;
    }
  return false;
}

/* False where the opcode is none of them. */
static bool lower_other(struct column_cell *cell, const struct opcode *op) {
  for (size_t i = 0; i < ARRAY_COUNT(others); i++) {
    if (!token_is(op->words[0], others[i].word)) continue;
    if (others[i].why)
      reader_fail(cell->reader, op->words[0]->span, "'%s' is not modelled: %s", others[i].word, others[i].why);
    while (!cell_at_end(cell)) reader_take(cell->reader);
    return true;
  }
  return false;
}

/* `bra`, `exit` and `ret`; `condition`: not to be 0 (NULL: none).  False where the opcode is another. */
static bool lower_jump(struct column_cell *cell, struct opcode *op, const struct expr *condition) {
  enum { BRANCH, END };
  static const struct word_row words[] = {{"bra", BRANCH}, {"exit", END}, {"ret", END}, {NULL, 0}};
  int which = opcode_skip(op, words);
  if (which < 0) return false;
  opcode_skip_word(op, "uni");
  opcode_end(cell, op);
  struct instr *instr = assembly_emit(cell, op, condition ? INSTR_BRANCH : INSTR_JUMP);
  instr->value =
      condition ? draft_operation(cell->draft, EXPR_EQ, condition, draft_constant(cell->draft, 0), NULL) : NULL;
  if (which == BRANCH)
    cell_take_target(cell);
  else
    cell_jump_to_end(cell);
  return true;
}

/* After its guard, if there is one. */
static void lower_operation(struct column_cell *cell, struct opcode *op) {
  if (refuse_word(cell, op) || lower_jump(cell, op, NULL) || ptx_lower_arithmetic(cell, op) ||
      assembly_local(cell, op) || ptx_lower_async(cell, op))
    return;
  int operation = opcode_skip(op, operations);
  if (operation < 0 && !lower_other(cell, op)) assembly_unknown(cell, op, operations);
  if (operation >= 0) lowerings[operation].lower(cell, op, lowerings[operation].proxy);
}

/* `@r0` or `@!r0` before an instruction: a jump past it where the register is 0, or is not. */
static void lower_guarded(struct column_cell *cell) {
  struct opcode op;
  bool opposite = reader_skip(cell->reader, "!");
  const struct expr *condition = assembly_value(cell);
  if (opposite) condition = draft_operation(cell->draft, EXPR_EQ, condition, draft_constant(cell->draft, 0), NULL);
  if (!opcode_take(cell, &op) || lower_jump(cell, &op, condition)) return;
  size_t branch = cell->thread->code.count;
  assembly_emit(cell, &op, INSTR_BRANCH)->value = condition;
  lower_operation(cell, &op);
  cell->thread->code.at[branch].target = (unsigned)cell->thread->code.count;
}

static void lower_instruction(struct column_cell *cell) {
  struct opcode op;
  if (reader_skip(cell->reader, "@"))
    lower_guarded(cell);
  else if (opcode_take(cell, &op))
    lower_operation(cell, &op);
}

/* --- the dialect -------------------------------------------------------------------------------- */

/* Has the test a literal of a float, such as 0f3F800000? */
static bool has_float(const struct reader *reader) {
  for (const struct token *token = reader->first; token != reader->end; token++)
    if (token->kind == TOKEN_NUMBER && *token->text) return true;
  return false;
}

/* Notes whether threads name their clusters: all or none. */
static void note_clusters(struct draft *draft) {
  struct ptx_test *test = ARENA_NEW(draft->reader.arena, struct ptx_test);
  *test = (struct ptx_test){.floats = has_float(&draft->reader)};
  draft->own = test;
  for (size_t i = 0; i < draft->threads.count; i++) {
    const struct draft_thread *thread = &draft->threads.at[i];
    bool named = thread->place.qf != NO_PLACE;
    if (i && named != test->clusters)
      reader_fail(&draft->reader, thread->span, "either all threads name their cluster or none does");
    test->clusters = named;
  }
}

static void parse(struct draft *draft) {
  assembly_parse_init(draft);
  columns_parse(draft);
  note_clusters(draft);
}

static void lower(struct draft *draft) {
  columns_lower(draft, lower_instruction);
  if (draft->reader.failed) return;
  ptx_check_sums(draft);
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
  const struct ptx_test *test = draft->own;
  if (test->clusters) program->level_words = cluster_level_words;
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
    .lexis = LEX_COLUMNS | LEX_DECIMAL | LEX_ANGLES | LEX_FLOATS,
    .scoped = true,
    .barriers = true,
    .partial_coherence = true,
    .scope_words = scope_words,
    .level_words = level_words,
    .places = places,
    .proxies = true,
    .guards = true,
    .clusters = true,
    .moves = &moves,
    .parse = parse,
    .lower = lower,
    .assemble = assemble,
};
