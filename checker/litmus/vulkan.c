/* SPDX-License-Identifier: MIT */
/* The Vulkan dialect: columns (columns.h) of SPIR-V's memory operations, in the
 * notation of the Vulkan memory model's own tests and of Dat3M's.
 *
 *   pairs = "{" { "ssw" thread thread ";" } "}"        after the init section
 *   place = "@" "sg" number "," "wg" number "," "qf" number
 *
 * An operation's words say in this order: what it is, its order, its scope, its
 * storage class, its semantics (storage classes, availability, visibility, in any
 * order), and what it computes; after `cas`, which others' notations lack, come the order and
 * semantics of a failure.  An access is private, non-private, or made available or
 * visible at once; atomic ones are both.  Semantics: the appendix "Memory Model"
 * of the Vulkan specification.
 */
#include "checker/litmus/vulkan.h"

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/litmus/ptx_vulkan_syntax.h"

enum operation { ST, LD, RMW_, MEMBAR, CBAR, AVDEVICE, VISDEVICE };

static const struct word_row operations[] = {{"st", ST},
                                             {"ld", LD},
                                             {"rmw", RMW_},
                                             {"membar", MEMBAR},
                                             {"cbar", CBAR},
                                             {"avdevice", AVDEVICE},
                                             {"visdevice", VISDEVICE},
                                             {NULL, 0}};

static const struct word_row scopes[] = {
    {"sg", SCOPE_SG}, {"wg", SCOPE_WG}, {"qf", SCOPE_QF}, {"dv", SCOPE_DEV}, {NULL, 0}};
static const struct word_row classes[] = {
    {"sc0", TAG_SC0}, {"sc1", TAG_SC1}, {"sc2", TAG_SC2}, {"sc3", TAG_SC3}, {NULL, 0}};
static const struct word_row semantics[] = {
    {"semsc0", TAG_SEMSC0}, {"semsc1", TAG_SEMSC1}, {"semsc2", TAG_SEMSC2}, {"semsc3", TAG_SEMSC3}, {NULL, 0}};
static const struct word_row semav[] = {{"semav", TAG_SEMAV}, {NULL, 0}};
static const struct word_row semvis[] = {{"semvis", TAG_SEMVIS}, {NULL, 0}};

static const struct word_row load_orders[] = {{"acq", ORDER_ACQ}, {NULL, 0}};
static const struct word_row store_orders[] = {{"rel", ORDER_REL}, {NULL, 0}};
static const struct word_row both_orders[] = {
    {"acq", ORDER_ACQ}, {"rel", ORDER_REL}, {"acq_rel", ORDER_ACQ_REL}, {NULL, 0}};

enum { ATOMIC, NONPRIV, AT_ONCE };
static const struct word_row load_words[] = {{"atom", ATOMIC}, {"nonpriv", NONPRIV}, {"vis", AT_ONCE}, {NULL, 0}};
static const struct word_row store_words[] = {{"atom", ATOMIC}, {"nonpriv", NONPRIV}, {"av", AT_ONCE}, {NULL, 0}};

/* --- semantics ------------------------------------------------------------------------------ */

static bool acquires(const struct vulkan_words *s) {
  return s->order == ORDER_ACQ || s->order == ORDER_ACQ_REL;
}

static bool releases(const struct vulkan_words *s) {
  return s->order == ORDER_REL || s->order == ORDER_ACQ_REL;
}

/* The next word of semantics; false: there is none. */
static bool skip_semantics(struct opcode *op, struct vulkan_words *s) {
  int class = opcode_skip(op, semantics);
  if (class >= 0) s->sem |= tag_bit((enum tag) class);
  bool available = class < 0 && opcode_skip(op, semav) >= 0;
  bool visible = class < 0 && !available && opcode_skip(op, semvis) >= 0;
  s->available |= available;
  s->visible |= visible;
  return class >= 0 || available || visible;
}

/* semsc0, semsc1, ..., semav and semvis in any order; some storage class is named.  (Memory Semantics: MakeAvailable
 * goes with Release or AcquireRelease, MakeVisible with Acquire or AcquireRelease.) */
static bool take_semantics(struct column_cell *cell, struct opcode *op, struct vulkan_words *s) {
  const char *misfit = NULL;
  size_t at = op->next;
  for (; skip_semantics(op, s); at = op->next) {
    if (s->available && !releases(s)) misfit = "releases";
    if (s->visible && !acquires(s)) misfit = "acquires";
    if (!misfit) continue;
    const struct token *word = op->words[at];
    return reader_fail(cell->reader, word->span, "'.%s' goes with an order that %s", word->text, misfit);
  }
  if (!s->sem) opcode_expect(cell, op, semantics, "storage class semantics");
  return !cell->reader->failed;
}

static bool take_scope(struct column_cell *cell, struct opcode *op, struct vulkan_words *s) {
  int scope = opcode_expect(cell, op, scopes, "a scope");
  if (scope >= 0) s->scope = (enum scope)scope;
  return scope >= 0;
}

static bool take_class(struct column_cell *cell, struct opcode *op, struct vulkan_words *s) {
  int class = opcode_expect(cell, op, classes, "a storage class");
  if (class >= 0) s->tags |= tag_bit((enum tag) class);
  return class >= 0;
}

static bool names_order(const struct opcode *op) {
  struct opcode ahead = *op;
  return opcode_skip(&ahead, both_orders) >= 0;
}

/* After `atom`: [order] scope class [semantics].  Semantics go with an order. */
static bool take_atomic(struct column_cell *cell, struct opcode *op, const struct word_row *orders,
                        struct vulkan_words *s) {
  int order = names_order(op) ? opcode_expect(cell, op, orders, "an order") : -1;
  if (cell->reader->failed) return false;
  s->order = order < 0 ? ORDER_RLX : (enum order)order;
  s->tags |= tag_bit(TAG_ATOM) | tag_bit(TAG_NONPRIV);
  if (!take_scope(cell, op, s) || !take_class(cell, op, s)) return false;
  return order < 0 || take_semantics(cell, op, s);
}

/* After `ld` and `st`: atomic, or [nonpriv | av.scope | vis.scope] class. */
static bool take_access(struct column_cell *cell, struct opcode *op, bool load, struct vulkan_words *s) {
  int word = opcode_skip(op, load ? load_words : store_words);
  tag_set at_once = tag_bit(load ? TAG_VIS : TAG_AV);
  if (word == ATOMIC) {
    s->tags |= at_once;
    return take_atomic(cell, op, load ? load_orders : store_orders, s);
  }
  if (word >= 0) s->tags |= tag_bit(TAG_NONPRIV);
  if (word == AT_ONCE) {
    s->tags |= at_once;
    if (!take_scope(cell, op, s)) return false;
  }
  return take_class(cell, op, s);
}

static tag_set availability(const struct vulkan_words *s) {
  return s->available ? tag_bit(TAG_SEMAV) : 0;
}

static tag_set visibility(const struct vulkan_words *s) {
  return s->visible ? tag_bit(TAG_SEMVIS) : 0;
}

void vulkan_apply(struct instr *instr, const struct vulkan_words *words) {
  instr->order = words->order;
  instr->scope = words->scope;
  instr->tags = words->tags;
  if (acquires(words)) instr->read_tags = words->sem | visibility(words);
  if (releases(words)) instr->write_tags = words->sem | availability(words);
  if (instr->kind != INSTR_RMW && instr->kind != INSTR_CAS) return;
  instr->split = true;
  instr->read_tags |= tag_bit(TAG_VIS);
  instr->write_tags |= tag_bit(TAG_AV);
}

void vulkan_apply_fence(struct instr *instr, const struct vulkan_words *words) {
  vulkan_apply(instr, words);
  instr->tags |= words->sem | availability(words) | visibility(words);
  if (acquires(words)) instr->tags |= tag_bit(TAG_ACQ);
  if (releases(words)) instr->tags |= tag_bit(TAG_REL);
}

static struct instr *emit(struct column_cell *cell, const struct opcode *op, enum instr_kind kind,
                          const struct vulkan_words *s) {
  struct instr *instr = assembly_emit(cell, op, kind);
  vulkan_apply(instr, s);
  return instr;
}

/* --- instructions --------------------------------------------------------------------------- */

static void lower_load(struct column_cell *cell, struct opcode *op) {
  struct vulkan_words s = {0};
  if (!take_access(cell, op, true, &s)) return;
  opcode_end(cell, op);
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, "register, location");
  const struct draft_location *location = assembly_location(cell);
  struct instr *instr = emit(cell, op, INSTR_LOAD, &s);
  instr->reg = reg;
  assembly_access(cell, instr, location);
}

static void lower_store(struct column_cell *cell, struct opcode *op) {
  struct vulkan_words s = {0};
  if (!take_access(cell, op, false, &s)) return;
  opcode_end(cell, op);
  const struct draft_location *location = assembly_location(cell);
  assembly_comma(cell, op, "location, value");
  const struct expr *value = assembly_value(cell);
  struct instr *instr = emit(cell, op, INSTR_STORE, &s);
  assembly_access(cell, instr, location);
  instr->value = value;
}

/* After `cas`: [order semantics] of a failure, which reads alone. */
static bool take_failure(struct column_cell *cell, struct opcode *op, struct vulkan_words *failed) {
  failed->order = ORDER_RLX;
  if (op->next == op->count) return true;
  failed->order = (enum order)opcode_expect(cell, op, load_orders, "an order on failure");
  return !cell->reader->failed && take_semantics(cell, op, failed);
}

static void lower_rmw(struct column_cell *cell, struct opcode *op) {
  struct vulkan_words s = {0}, failed = {0};
  if (!opcode_expect_word(cell, op, "atom", "a kind") || !take_atomic(cell, op, both_orders, &s)) return;
  bool swaps = opcode_skip_word(op, "cas");
  if (swaps && !take_failure(cell, op, &failed)) return;
  int update = swaps ? -1 : opcode_skip(op, assembly_updates);
  const char *usage = swaps ? "register, location, expected value, value" : "register, location, value";
  opcode_end(cell, op);
  int reg = assembly_destination(cell);
  assembly_comma(cell, op, usage);
  const struct draft_location *location = assembly_location(cell);
  assembly_comma(cell, op, usage);
  const struct expr *expected = swaps ? assembly_value(cell) : NULL;
  if (swaps) assembly_comma(cell, op, usage);
  const struct expr *value = assembly_value(cell);
  struct instr *instr = emit(cell, op, swaps ? INSTR_CAS : INSTR_RMW, &s);
  instr->reg = reg;
  assembly_access(cell, instr, location);
  instr->op = update < 0 ? RMW_EXCHANGE : (enum rmw_op)update;
  instr->value = value;
  if (!swaps) return;
  instr->expected = expected;
  instr->returns_old = true;
  instr->failure = failed.order;
  instr->fails_apart = true;
  instr->failed_tags = tag_bit(TAG_VIS) | failed.sem | visibility(&failed);
}

/* [order.]scope[.semantics] of fences and control barriers. */
static bool take_fence(struct column_cell *cell, struct opcode *op, bool ordered, struct vulkan_words *s) {
  int order = ordered ? opcode_expect(cell, op, both_orders, "an order") : opcode_skip(op, both_orders);
  if (cell->reader->failed || !take_scope(cell, op, s)) return false;
  if (order < 0) return true;
  s->order = (enum order)order;
  return take_semantics(cell, op, s);
}

static void lower_membar(struct column_cell *cell, struct opcode *op) {
  struct vulkan_words s = {0};
  if (!take_fence(cell, op, true, &s)) return;
  opcode_end(cell, op);
  vulkan_apply_fence(assembly_emit(cell, op, INSTR_FENCE), &s);
}

/* A control barrier with an order is a fence too. */
static void lower_cbar(struct column_cell *cell, struct opcode *op) {
  struct vulkan_words s = {.tags = tag_bit(TAG_CBAR)};
  if (!take_fence(cell, op, false, &s)) return;
  opcode_end(cell, op);
  if (s.order != ORDER_NA) s.tags |= tag_bit(TAG_F);
  vulkan_apply_fence(assembly_barrier(cell, op), &s);
}

static void lower_avdevice(struct column_cell *cell, struct opcode *op) {
  opcode_end(cell, op);
  assembly_emit(cell, op, INSTR_MARK)->tags = tag_bit(TAG_AVDEVICE);
}

static void lower_visdevice(struct column_cell *cell, struct opcode *op) {
  opcode_end(cell, op);
  assembly_emit(cell, op, INSTR_MARK)->tags = tag_bit(TAG_VISDEVICE);
}

/* What is called otherwise in PTX and in SPIR-V; false: the opcode is another. */
static bool refuse_other(struct column_cell *cell, const struct opcode *op) {
  static const struct {
    const char *word, *here;
  } others[] = {{"fence", "membar.acq_rel.dv.semsc0"},
                {"mov", "add r0, r1, 0"},
                {"bar", "cbar.wg 0"},
                {"barrier", "cbar.wg 0"},
                {"atom", "rmw.atom.dv.sc0.add r0, x, 1"},
                {"red", "rmw.atom.dv.sc0.add r0, x, 1"}};
  for (size_t i = 0; i < ARRAY_COUNT(others); i++) {
    if (!token_is(op->words[0], others[i].word)) continue;
    reader_fail(cell->reader, op->words[0]->span, "unknown instruction '%s'; here it would be '%s'", others[i].word,
                others[i].here);
    return true;
  }
  return false;
}

static void lower_instruction(struct column_cell *cell) {
  static void (*const lowerings[])(struct column_cell *, struct opcode *) = {
      [ST] = lower_store,  [LD] = lower_load,           [RMW_] = lower_rmw,           [MEMBAR] = lower_membar,
      [CBAR] = lower_cbar, [AVDEVICE] = lower_avdevice, [VISDEVICE] = lower_visdevice};
  struct opcode op;
  if (!opcode_take(cell, &op) || assembly_local(cell, &op)) return;
  int operation = opcode_skip(&op, operations);
  if (operation >= 0)
    lowerings[operation](cell, &op);
  else if (!refuse_other(cell, &op))
    assembly_unknown(cell, &op, operations);
}

/* --- instructions as words ---------------------------------------------------------------------- */

/* Adds a point and the word for a value, if a table has one. */
static bool add_word(struct arena *arena, const char **text, const struct word_row *rows, int value) {
  const char *word = word_for(rows, value);
  if (word) *text = arena_printf(arena, "%s.%s", *text, word);
  return word;
}

/* Takes out of `tags` what the table has words for, and adds these. */
static void add_tags(struct arena *arena, const char **text, const struct word_row *rows, tag_set *tags) {
  for (; rows->text; rows++) {
    if (tags_have(*tags, (enum tag)rows->value)) *text = arena_printf(arena, "%s.%s", *text, rows->text);
    *tags &= ~tag_bit((enum tag)rows->value);
  }
}

/* [semsc...][.semav][.semvis] */
static void add_semantics(struct arena *arena, const char **text, tag_set *tags) {
  add_tags(arena, text, semantics, tags);
  add_tags(arena, text, semav, tags);
  add_tags(arena, text, semvis, tags);
}

static const char *spell_access(struct arena *arena, const struct instr *instr) {
  static const char *const NAMES[] = {
      [INSTR_LOAD] = "ld", [INSTR_STORE] = "st", [INSTR_RMW] = "rmw", [INSTR_CAS] = "rmw"};
  bool atomic = tags_have(instr->tags, TAG_ATOM), load = instr->kind == INSTR_LOAD;
  const tag_set once = tag_bit(TAG_AV) | tag_bit(TAG_VIS), kinds = once | tag_bit(TAG_ATOM) | tag_bit(TAG_NONPRIV);
  tag_set class = instr->tags & ~kinds, halves = (instr->read_tags | instr->write_tags) & ~once;
  bool at_once = !atomic && instr->tags & once, ordered = instr->order != ORDER_RLX && instr->order != ORDER_NA;
  const char *text = NAMES[instr->kind];
  if (atomic)
    text = arena_printf(arena, "%s.atom", text);
  else if (at_once)
    text = arena_printf(arena, "%s.%s", text, load ? "vis" : "av");
  else if (tags_have(instr->tags, TAG_NONPRIV))
    text = arena_printf(arena, "%s.nonpriv", text);
  if (ordered && !add_word(arena, &text, both_orders, (int)instr->order)) return NULL;
  if ((atomic || at_once) && !add_word(arena, &text, scopes, (int)instr->scope)) return NULL;
  add_tags(arena, &text, classes, &class);
  add_semantics(arena, &text, &halves);
  if (class || halves) return NULL;
  if (instr->kind == INSTR_RMW && instr->op != RMW_EXCHANGE &&
      !add_word(arena, &text, assembly_updates, (int)instr->op))
    return NULL;
  if (instr->kind != INSTR_CAS) return text;
  tag_set failed = instr->failed_tags & ~once;
  text = arena_printf(arena, "%s.cas", text);
  if (instr->failure != ORDER_RLX && !add_word(arena, &text, load_orders, (int)instr->failure)) return NULL;
  add_semantics(arena, &text, &failed);
  return failed ? NULL : text;
}

static const char *spell_fence(struct arena *arena, const struct instr *instr) {
  static const tag_set implied[] = {TAG_CBAR, TAG_F, TAG_ACQ, TAG_REL};
  tag_set rest = instr->tags;
  const char *text = instr->kind == INSTR_MEET ? "cbar" : "membar";
  for (size_t i = 0; i < ARRAY_COUNT(implied); i++) rest &= ~tag_bit((enum tag)implied[i]);
  if (instr->order != ORDER_NA && !add_word(arena, &text, both_orders, (int)instr->order)) return NULL;
  if (!add_word(arena, &text, scopes, (int)instr->scope)) return NULL;
  add_semantics(arena, &text, &rest);
  return rest ? NULL : text;
}

const char *vulkan_spell(struct arena *arena, const struct instr *instr) {
  if (instr->kind == INSTR_MARK) return tags_have(instr->tags, TAG_AVDEVICE) ? "avdevice" : "visdevice";
  if (instr->kind == INSTR_FENCE || instr->kind == INSTR_MEET) return spell_fence(arena, instr);
  return instr_is_access(instr) ? spell_access(arena, instr) : NULL;
}

/* --- the dialect -------------------------------------------------------------------------------- */

static void parse_pair(struct draft *draft) {
  struct reader *reader = &draft->reader;
  reader_expect(reader, "ssw", "and two threads");
  struct thread_pair pair = {.from = assembly_take_thread(draft)};
  pair.to = assembly_take_thread(draft);
  if (!reader->failed) *vec_push(reader->arena, &draft->pairs) = pair;
}

static void parse_pairs(struct draft *draft) {
  if (!reader_skip(&draft->reader, "{")) return;
  draft_parse_items(draft, parse_pair, "after a pair of threads");
  reader_skip(&draft->reader, ";");
}

static void check_pairs(struct draft *draft, struct span span) {
  ARRAY_EACH (const struct thread_pair, pair, draft->pairs.at, draft->pairs.count) {
    unsigned last = pair->from > pair->to ? pair->from : pair->to;
    if (last >= draft->threads.count)
      reader_fail(&draft->reader, span, "ssw names P%u, but the last thread is P%zu", last,
                  (size_t)draft->threads.count - 1);
  }
}

static void parse(struct draft *draft) {
  assembly_parse_init(draft);
  const struct token *first = draft->reader.token;
  parse_pairs(draft);
  struct span span = reader_span_from(&draft->reader, first);
  columns_parse(draft);
  check_pairs(draft, span);
}

static void lower(struct draft *draft) {
  columns_lower(draft, lower_instruction);
  draft_use_condition(draft);
}

static const char *const words[] = {"VULKAN", "Vulkan", "vulkan", NULL};
static const char *const places[] = {"sg", "wg", "qf", NULL};
static const char *const level_words[] = {
    [SCOPE_SG] = "sub-group", [SCOPE_WG] = "work-group", [SCOPE_QF] = "queue family", [SCOPE_SYS] = NULL};
static const char *const scope_words[] = {"", "wi", "sg", "wg", "qf", "dv", "sys"};

static const char *const class_sets[] = {"semsc0", "semsc1", "semsc0.semsc1", NULL};
static const char *const av_words[] = {"", ".semav", NULL};
static const char *const vis_words[] = {"", ".semvis", NULL};
static const struct word_row *const known[] = {load_words, store_words, semantics, semav, semvis, NULL};
static const struct move_list move_lists[] = {{'O', NULL, both_orders}, {'S', NULL, scopes},    {'C', class_sets, NULL},
                                              {'A', av_words, NULL},    {'V', vis_words, NULL}, {0}};
static const struct move_form move_forms[] = {{INSTR_LOAD, "%m.%c %a"},
                                              {INSTR_LOAD, "%m.nonpriv.%c %a"},
                                              {INSTR_LOAD, "%m.vis.%S.%c %a"},
                                              {INSTR_LOAD, "%m.atom.%S.%c %a"},
                                              {INSTR_LOAD, "%m.atom.%O.%S.%c.%C%V %a"},
                                              {INSTR_STORE, "%m.%c %a"},
                                              {INSTR_STORE, "%m.nonpriv.%c %a"},
                                              {INSTR_STORE, "%m.av.%S.%c %a"},
                                              {INSTR_STORE, "%m.atom.%S.%c %a"},
                                              {INSTR_STORE, "%m.atom.%O.%S.%c.%C%A %a"},
                                              {INSTR_RMW, "%m.atom.%S.%c.%n %a"},
                                              {INSTR_RMW, "%m.atom.%O.%S.%c.%C%A%V.%n %a"},
                                              {INSTR_CAS, "%m.atom.%S.%c.%n %a"},
                                              {INSTR_CAS, "%m.atom.%O.%S.%c.%C%A%V.%n %a"},
                                              {INSTR_FENCE, "%m.%O.%S.%C%A%V"},
                                              {INSTR_MEET, "%m.%S %a"},
                                              {INSTR_MEET, "%m.%O.%S.%C%A%V %a"},
                                              {0, NULL}};
static const char *const move_fences[] = {"membar.%O.%S.%C%A%V", "avdevice", "visdevice", NULL};
static const char *const move_barriers[] = {"cbar.acq_rel.wg.semsc0.semav.semvis 15",
                                            "cbar.acq_rel.wg.semsc1.semav.semvis 15", NULL};
static const char *const updates[RMW_OPS] = {
    [RMW_EXCHANGE] = NULL, [RMW_ADD] = "add", [RMW_SUB] = "sub", [RMW_OR] = "or", [RMW_XOR] = "xor", [RMW_AND] = "and"};
static const struct move_words moves = {.lists = move_lists,
                                        .forms = move_forms,
                                        .fences = move_fences,
                                        .barriers = move_barriers,
                                        .known = known,
                                        .class = "sc",
                                        .updates = updates,
                                        .update = "rmw",
                                        .separator = '.'};

const struct dialect vulkan_dialect = {
    .words = words,
    .language = LANG_VULKAN,
    .name = "Vulkan",
    .model = "vulkan",
    .lexis = LEX_COLUMNS | LEX_DECIMAL | LEX_ANGLES,
    .scoped = true,
    .barriers = true,
    .free_values = true,
    .scope_words = scope_words,
    .level_words = level_words,
    .places = places,
    .moves = &moves,
    .parse = parse,
    .lower = lower,
};
