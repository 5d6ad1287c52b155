/* SPDX-License-Identifier: MIT */
/* Atomic operations, fences and barriers, as the events of the two memory models. */
#include <spirv/unified1/spirv.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/program/nonatomic_rmw.h"
#include "checker/spirv/kernel_internal.h"

/* What the semantics operand of an operation says. */
struct semantics {
  enum order order;
  tag_set classes;         /* Vulkan: semsc0, ... */
  bool available, visible; /* Vulkan */
  unsigned regions;        /* OpenCL: of a fence */
};

static tag_set classes_of(int64_t bits) {
  tag_set classes = 0;
  if (bits & SpvMemorySemanticsUniformMemoryMask) classes |= tag_bit(TAG_SEMSC0);
  if (bits & SpvMemorySemanticsWorkgroupMemoryMask) classes |= tag_bit(TAG_SEMSC1);
  if (bits & SpvMemorySemanticsImageMemoryMask) classes |= tag_bit(TAG_SEMSC2);
  if (bits & SpvMemorySemanticsOutputMemoryMask) classes |= tag_bit(TAG_SEMSC3);
  return classes;
}

/* What the Vulkan memory model forbids; NULL: nothing. */
static const char *forbidden(const struct semantics *s) {
  if (s->order == ORDER_SC) return "the Vulkan memory model has no order SequentiallyConsistent";
  if (s->order != ORDER_RLX && !s->classes) return "an order without storage classes";
  if (s->order == ORDER_RLX && s->classes) return "storage classes without an order";
  if (s->available && !order_releases(s->order)) return "MakeAvailable without an order that releases";
  return s->visible && !order_acquires(s->order) ? "MakeVisible without an order that acquires" : NULL;
}

static bool take_bits(struct work_item *w, int64_t bits, struct semantics *s) {
  *s = (struct semantics){.order = semantics_order((uint64_t)bits), .classes = classes_of(bits)};
  if (w->k->glsl450) { /* as Vulkan's specification says of modules without its model */
    if (s->order == ORDER_SC) s->order = ORDER_ACQ_REL;
    if (s->order == ORDER_RLX) s->classes = 0;
  }
  s->available = bits & SpvMemorySemanticsMakeAvailableMask;
  s->visible = bits & SpvMemorySemanticsMakeVisibleMask;
  if (bits & SpvMemorySemanticsWorkgroupMemoryMask) s->regions |= REGION_LOCAL;
  if (bits & SpvMemorySemanticsCrossWorkgroupMemoryMask) s->regions |= REGION_GLOBAL;
  const char *problem = w->k->vulkan ? forbidden(s) : NULL;
  if (!w->k->vulkan && s->order != ORDER_RLX && w->k->texels.count)
    problem = "an order in a kernel that writes an image: OpenCL's model here has no memory of images";
  if (problem) module_fail(&w->k->module, item_inst(w), "%s", problem);
  return !problem;
}

/* `failure`: those of a compare-and-swap that fails. */
static bool take_semantics(struct work_item *w, uint32_t id, bool failure, struct semantics *s) {
  const struct spirv_change *change = change_at(w->k, w->at, false);
  if (change)
    return take_bits(w, spirv_semantics(&change->words, failure ? change->words.failure : change->words.order), s);
  struct scalar bits = item_scalar(w, id);
  if (w->k->module.failed) return false;
  if (bits.kind == SCALAR_KNOWN) return take_bits(w, bits.value, s);
  return module_fail(&w->k->module, item_inst(w), "memory semantics that only a run knows");
}

bool memory_scope(struct work_item *w, uint32_t id, enum scope *scope) {
  struct scalar number = item_scalar(w, id);
  if (w->k->module.failed) return false;
  if (number.kind != SCALAR_KNOWN || number.value < 0 || number.value >= SCOPE_NUMBERS)
    return module_fail(&w->k->module, item_inst(w), "a scope that is not a known number from 0 to 5");
  *scope = number_scope((uint64_t)number.value);
  if (w->k->glsl450 && *scope == SCOPE_DEV) *scope = SCOPE_QF;
  if (w->k->vulkan && *scope == SCOPE_SYS)
    module_fail(&w->k->module, item_inst(w), "the Vulkan memory model has no scope CrossDevice");
  return !w->k->module.failed;
}

static bool take_scope(struct work_item *w, uint32_t id, enum scope *scope) {
  const struct spirv_change *change = change_at(w->k, w->at, false);
  if (change) *scope = change->words.scope;
  return change || memory_scope(w, id, scope);
}

/* ---- atomic operations ---- */

enum atomic_kind { ATOMIC_LOAD, ATOMIC_STORE, ATOMIC_RMW, ATOMIC_CAS };

struct atomic_row {
  uint16_t opcode;
  enum atomic_kind kind;
  enum rmw_op op;
  bool one; /* the operand is 1 */
};

static const struct atomic_row rows[] = {
    {SpvOpAtomicLoad, ATOMIC_LOAD, RMW_ADD, false},
    {SpvOpAtomicStore, ATOMIC_STORE, RMW_ADD, false},
    {SpvOpAtomicExchange, ATOMIC_RMW, RMW_EXCHANGE, false},
    {SpvOpAtomicCompareExchange, ATOMIC_CAS, RMW_EXCHANGE, false},
    {SpvOpAtomicCompareExchangeWeak, ATOMIC_CAS, RMW_EXCHANGE, false},
    {SpvOpAtomicIIncrement, ATOMIC_RMW, RMW_ADD, true},
    {SpvOpAtomicIDecrement, ATOMIC_RMW, RMW_SUB, true},
    {SpvOpAtomicIAdd, ATOMIC_RMW, RMW_ADD, false},
    {SpvOpAtomicISub, ATOMIC_RMW, RMW_SUB, false},
    {SpvOpAtomicFAddEXT, ATOMIC_RMW, RMW_FADD, false}, /* RMW_FADD_LONG of 64 bits */
    {SpvOpAtomicSMin, ATOMIC_RMW, RMW_MIN, false},
    {SpvOpAtomicUMin, ATOMIC_RMW, RMW_UMIN, false},
    {SpvOpAtomicSMax, ATOMIC_RMW, RMW_MAX, false},
    {SpvOpAtomicUMax, ATOMIC_RMW, RMW_UMAX, false},
    {SpvOpAtomicAnd, ATOMIC_RMW, RMW_AND, false},
    {SpvOpAtomicOr, ATOMIC_RMW, RMW_OR, false},
    {SpvOpAtomicXor, ATOMIC_RMW, RMW_XOR, false},
    {SpvOpAtomicFlagTestAndSet, ATOMIC_RMW, RMW_EXCHANGE, true},
    {SpvOpAtomicFlagClear, ATOMIC_STORE, RMW_ADD, false},
};

/* Vulkan: atomics are non-private, available and visible at their scope. */
static void set_tags(struct work_item *w, struct instr *instr, const struct memory *object, const struct semantics *s,
                     enum atomic_kind kind) {
  if (!w->k->vulkan) return;
  instr->tags = tag_bit(TAG_ATOM) | tag_bit(TAG_NONPRIV) | memory_class(w, object);
  instr->split = kind == ATOMIC_RMW || kind == ATOMIC_CAS;
  if (kind != ATOMIC_STORE) instr->read_tags |= tag_bit(TAG_VIS);
  if (kind != ATOMIC_LOAD) instr->write_tags |= tag_bit(TAG_AV);
  if (order_acquires(s->order) && kind != ATOMIC_STORE)
    instr->read_tags |= s->classes | (s->visible ? tag_bit(TAG_SEMVIS) : 0);
  if (order_releases(s->order) && kind != ATOMIC_LOAD)
    instr->write_tags |= s->classes | (s->available ? tag_bit(TAG_SEMAV) : 0);
}

/* Operands: pointer, scope, semantics, and then what the kind takes. */
static void emit_atomic(struct work_item *w, const struct inst *inst, const struct atomic_row *row,
                        const struct place *place, const struct kernel_type *type) {
  static const enum instr_kind kinds[] = {INSTR_LOAD, INSTR_STORE, INSTR_RMW, INSTR_CAS};
  struct semantics s, failed = {0};
  enum scope scope;
  bool cas = row->kind == ATOMIC_CAS;
  unsigned at = cas ? 4 : 3;
  if (!take_scope(w, inst->operands[1], &scope) || !take_semantics(w, inst->operands[2], false, &s)) return;
  if (cas && !take_semantics(w, inst->operands[3], true, &failed)) return;
  if (w->k->glsl450 && s.order == ORDER_ACQ_REL && row->kind == ATOMIC_LOAD) s.order = ORDER_ACQ;
  if (w->k->glsl450 && s.order == ORDER_ACQ_REL && row->kind == ATOMIC_STORE) s.order = ORDER_REL;
  w->k->reached[w->at] = true;
  struct scalar operand = scalar_known(1), expected = scalar_known(0);
  if (inst->opcode == SpvOpAtomicFlagClear)
    operand = scalar_known(0);
  else if (row->kind != ATOMIC_LOAD && !row->one)
    operand = item_scalar(w, inst->operands[at]);
  if (cas) expected = item_scalar(w, inst->operands[at + 1]);
  int reg = inst->result ? item_target(w, inst->result, 0) : NO_REG;
  struct instr *instr = item_emit(w, kinds[row->kind]);
  instr->reg = reg;
  instr->address = place->address;
  instr->order = s.order;
  instr->scope = scope;
  instr->op = row->op == RMW_FADD && type->bits == 64 ? RMW_FADD_LONG : row->op;
  instr->width = type_width(type);
  if (row->kind != ATOMIC_LOAD) instr->value = scalar_expr(w->arena, operand);
  set_tags(w, instr, place->object, &s, row->kind);
  if (cas) {
    instr->expected = scalar_expr(w->arena, expected);
    instr->failure = failed.order;
    instr->returns_old = true;
    if (w->k->vulkan) {
      instr->fails_apart = true;
      instr->failed_tags = tag_bit(TAG_VIS) | (order_acquires(failed.order) ? failed.classes : 0) |
                           (failed.visible ? tag_bit(TAG_SEMVIS) : 0);
    }
  }
  if (inst->result) item_targeted(w, inst->result);
  for (unsigned c = 0; c < place->address.size; c++) w->k->locations.at[place->address.base + c].atomic = true;
}

struct instr *emit_made_atomic(struct work_item *w, const struct spirv_words *words, enum instr_kind kind,
                               const struct memory *object) {
  struct semantics s;
  if (!take_bits(w, spirv_semantics(words, words->order), &s)) return NULL;
  struct instr *instr = item_emit(w, kind);
  instr->order = s.order;
  instr->scope = words->scope;
  set_tags(w, instr, object, &s, kind == INSTR_STORE ? ATOMIC_STORE : ATOMIC_LOAD);
  return instr;
}

/* ---- a load and a store in one ---- */

bool emit_update(struct work_item *w, const struct spirv_words *words, const struct place *place,
                 const struct expr *value) {
  struct node *node = item_node(w);
  struct semantics s;
  struct update update;
  size_t at = node->code.count;
  /* What else is between has been put in, and comes after both then. */
  while (at && !instr_is_access(&node->code.at[at - 1])) at--;
  struct instr *load = at ? &node->code.at[at - 1] : NULL;
  if (!load || load->kind != INSTR_LOAD ||
      !update_find(node->code.at, at - 1, node->code.count, &place->address, value, &update) ||
      !take_bits(w, spirv_semantics(words, words->order), &s))
    return false;
  load->kind = INSTR_RMW;
  load->op = update.op;
  load->value = update.operand;
  load->width = (struct width){.bits = 32, .is_signed = true};
  load->order = s.order;
  load->scope = words->scope;
  load->tags = 0;
  set_tags(w, load, place->object, &s, ATOMIC_RMW);
  for (unsigned c = 0; c < place->address.size; c++) w->k->locations.at[place->address.base + c].atomic = true;
  return true;
}

/* Memory that one work-item alone can touch: no event. */
static void compute_atomic(struct work_item *w, const struct inst *inst, const struct atomic_row *row,
                           const struct place *place, const struct kernel_type *type) {
  struct scalar old = place_read_own(w, place), operand = scalar_known(1), next;
  bool cas = row->kind == ATOMIC_CAS;
  if (old.kind == SCALAR_UNSET) old = item_free_value(w);
  if (row->kind != ATOMIC_LOAD && !row->one) operand = item_scalar(w, inst->operands[cas ? 4 : 3]);
  static const enum expr_kind orders[] = {
      [RMW_MIN] = EXPR_LT, [RMW_MAX] = EXPR_GT, [RMW_UMIN] = EXPR_ULT, [RMW_UMAX] = EXPR_ULT};
  switch (row->op) {
    case RMW_EXCHANGE:
      next = operand;
      break;
    case RMW_MIN:
    case RMW_MAX:
    case RMW_UMIN:
      next = scalar_choose(w->arena, scalar_apply(w->arena, orders[row->op], old, operand), old, operand);
      break;
    case RMW_UMAX:
      next = scalar_choose(w->arena, scalar_apply(w->arena, EXPR_ULT, operand, old), old, operand);
      break;
    case RMW_FADD:
      next = compute_binary(w->arena, SpvOpFAdd, type, type, old, operand);
      break;
    default:
      next = scalar_fit(w->arena, type->bits, scalar_apply(w->arena, rmw_arithmetic(row->op), old, operand));
  }
  if (row->kind == ATOMIC_STORE) next = operand;
  if (cas) {
    struct scalar is = scalar_apply(w->arena, EXPR_EQ, old, item_scalar(w, inst->operands[5]));
    next = scalar_choose(w->arena, is, operand, old);
  }
  if (inst->result) item_define_one(w, inst->result, old);
  if (row->kind != ATOMIC_LOAD) place_write_own(w, place, next);
}

/* What is computed of floats are sums, which are not of 16 bits. */
static bool is_of_type(const struct atomic_row *row, const struct kernel_type *type) {
  if (!type_is_scalar(type)) return false;
  bool computes = row->kind == ATOMIC_RMW && row->op != RMW_EXCHANGE, real = type->kind == TYPE_FLOAT;
  return !computes || (real == (row->op == RMW_FADD) && (!real || type->bits >= 32));
}

static void eval_operation(struct work_item *w, const struct inst *inst, const struct atomic_row *row) {
  struct value pointer = item_value(w, inst->operands[0]);
  struct scalar address = item_scalar(w, inst->operands[0]);
  if (!pointer.at) return;
  const struct kernel_type *type = types_pointee(&w->k->types, pointer.type);
  if (!is_of_type(row, type)) {
    module_fail(&w->k->module, inst, "%s of such a type is not supported", module_opcode_name(inst));
    return;
  }
  struct place place = place_find(w, address, 0, type);
  if (!place.object) return;
  place_touch(w, &place, row->kind != ATOMIC_LOAD);
  if (place_is_own(&place))
    compute_atomic(w, inst, row, &place, type);
  else
    emit_atomic(w, inst, row, &place, type);
}

/* ---- fences and barriers ---- */

/* Tags of Vulkan's fences: in the sets of both ends where they are both. */
static tag_set fence_tags(const struct semantics *s) {
  tag_set tags = s->classes;
  if (s->available) tags |= tag_bit(TAG_SEMAV);
  if (s->visible) tags |= tag_bit(TAG_SEMVIS);
  if (order_acquires(s->order)) tags |= tag_bit(TAG_ACQ);
  if (order_releases(s->order)) tags |= tag_bit(TAG_REL);
  return tags;
}

static void emit_fence(struct work_item *w, const struct semantics *s, enum scope scope) {
  if (s->order == ORDER_RLX) return;
  struct instr *instr = item_emit(w, INSTR_FENCE);
  instr->order = s->order;
  instr->scope = scope;
  instr->regions = s->regions;
  if (w->k->vulkan) instr->tags = fence_tags(s);
}

static bool is_removed(struct work_item *w) {
  const struct spirv_change *change = change_at(w->k, w->at, false);
  w->k->reached[w->at] = true;
  return change && change->kind == CHANGE_REMOVE;
}

static void eval_fence(struct work_item *w, const struct inst *inst) {
  struct semantics s;
  enum scope scope;
  if (is_removed(w)) return;
  if (!take_scope(w, inst->operands[0], &scope) || !take_semantics(w, inst->operands[1], false, &s)) return;
  emit_fence(w, &s, scope);
}

/* Where an instruction is in the text, for names. */
static unsigned line_of(const struct work_item *w, unsigned inst) {
  struct counted counted = {0};
  return source_line(&counted, w->k->module.source, w->k->module.insts[inst].span.at);
}

static bool is_named(const struct kernel_code *k, const char *name) {
  return text_index(name, k->labels.at, k->labels.count) >= 0;
}

/* The barrier with the calls around it, and whose it is: "barrier42@sg1" by its line, or, if another has that
 * name, "barrier42:7@sg1" by the lines of the calls, too. */
static int label_of(struct work_item *w, enum scope scope, const char *kind) {
  struct kernel_code *k = w->k;
  const char *key = arena_printf(w->arena, "%s%u", kind, w->at), *calls = "";
  for (unsigned d = w->state.depth; d-- > 1;) {
    key = arena_printf(w->arena, "%s:%u", key, w->state.frames[d].call);
    calls = arena_printf(w->arena, "%s:%u", calls, line_of(w, w->state.frames[d].call));
  }
  const char *whose = scope == SCOPE_SG ? arena_printf(w->arena, "@sg%u", w->number / k->header.threads) : "";
  key = arena_printf(w->arena, "%s%s", key, whose);
  int known = text_index(key, k->label_keys.at, k->label_keys.count);
  if (known >= 0) return known;
  const char *name = arena_printf(w->arena, "%s%u%s", kind, line_of(w, w->at), whose);
  if (is_named(k, name)) name = arena_printf(w->arena, "%s%u%s%s", kind, line_of(w, w->at), calls, whose);
  while (is_named(k, name)) name = arena_printf(w->arena, "%s'", name);
  *vec_push(k->arena, &k->label_keys) = key;
  *vec_push(k->arena, &k->labels) = name;
  return (int)k->labels.count - 1;
}

/* The rounds of all loops around the barrier, as one number; UNSET: there are none. */
static struct scalar rounds_of(struct work_item *w) {
  struct scalar number = scalar_known(0);
  bool some = false;
  ARRAY_EACH (const struct frame, frame, w->state.frames, w->state.depth) {
    ARRAY_EACH (const struct loop, loop, frame->function->loops.at, frame->function->loops.count) {
      if (!loop->barrier || !loop->body[frame->block]) continue;
      number = scalar_apply(w->arena, EXPR_ADD, scalar_apply(w->arena, EXPR_MUL, number, scalar_known(1 << 16)),
                            w->state.slots[frame->base + loop->slot]);
      some = true;
    }
  }
  return some ? number : (struct scalar){0};
}

static struct instr *emit_meet(struct work_item *w, enum scope scope, const char *kind, unsigned members) {
  struct scalar rounds = rounds_of(w);
  struct instr *meet = item_emit(w, INSTR_MEET);
  meet->barrier_label = label_of(w, scope, kind);
  meet->resource = rounds.kind == SCALAR_UNSET ? NULL : scalar_expr(w->arena, rounds);
  meet->quorum = scalar_expr(w->arena, scalar_known(members));
  if (w->k->vulkan) meet->tags = tag_bit(TAG_CBAR);
  return meet;
}

static unsigned members_of(const struct work_item *w, enum scope scope) {
  const struct header *h = &w->k->header;
  return scope == SCOPE_SG ? h->threads : h->threads * h->subgroups;
}

static const char COLLECTIVE[] = "collective";

const char *meeting_key(struct work_item *w, enum scope scope) {
  struct scalar rounds = rounds_of(w);
  int label = label_of(w, scope, COLLECTIVE);
  const char *name = w->k->labels.at[label];
  if (rounds.kind == SCALAR_HELD) {
    module_fail(&w->k->module, item_inst(w),
                "%s in a loop whose number of rounds is not known in advance is not supported",
                module_opcode_name(item_inst(w)));
    return NULL;
  }
  if (rounds.kind == SCALAR_KNOWN) name = arena_printf(w->k->arena, "%s#%lld", name, (long long)rounds.value);
  return w->k->header.workgroups > 1 && scope == SCOPE_WG ? arena_printf(w->k->arena, "%s@wg%u", name, item_group(w))
                                                          : name;
}

void emit_meeting(struct work_item *w, enum scope scope, unsigned members) {
  (void)emit_meet(w, scope, COLLECTIVE, members);
}

static void emit_barrier(struct work_item *w, const struct semantics *s, enum scope execution, enum scope scope) {
  unsigned members = members_of(w, execution);
  bool fenced = s->order != ORDER_RLX, alone = execution == SCOPE_SG && members == 1;
  if (alone && !w->k->vulkan) return; /* in OpenCL barriers are no fences: with nobody else there it is nothing */
  struct instr *meet = emit_meet(w, execution, "barrier", members);
  if (w->k->vulkan) {
    meet->tags |= fenced ? tag_bit(TAG_F) | fence_tags(s) : 0;
    meet->order = fenced ? s->order : ORDER_NA;
    meet->scope = scope;
    return;
  }
  if (!fenced || !s->regions) return;
  struct instr *barrier = item_emit(w, INSTR_BARRIER);
  barrier->barrier_label = label_of(w, execution, "fence");
  barrier->regions = s->regions;
  barrier->scope = scope;
}

void emit_group_barrier(struct work_item *w) {
  struct semantics s;
  int64_t bits = SpvMemorySemanticsSequentiallyConsistentMask | SpvMemorySemanticsWorkgroupMemoryMask |
                 SpvMemorySemanticsCrossWorkgroupMemoryMask;
  if (take_bits(w, bits, &s)) emit_barrier(w, &s, SCOPE_WG, SCOPE_WG);
}

static void eval_barrier(struct work_item *w, const struct inst *inst) {
  struct semantics s;
  enum scope execution, scope;
  if (is_removed(w)) return;
  if (!memory_scope(w, inst->operands[0], &execution) || !take_scope(w, inst->operands[1], &scope) ||
      !take_semantics(w, inst->operands[2], false, &s))
    return;
  if (execution == SCOPE_WI) return;
  if (execution == SCOPE_WG || execution == SCOPE_SG)
    emit_barrier(w, &s, execution, scope);
  else
    module_fail(&w->k->module, inst, "a barrier of more than a work-group is not supported");
}

void eval_inserted(struct work_item *w) {
  uint16_t opcode = item_inst(w)->opcode;
  w->k->reached[w->at] |= opcode == SpvOpBranch || opcode == SpvOpBranchConditional || opcode == SpvOpSwitch ||
                          opcode == SpvOpGroupAsyncCopy || opcode == SpvOpGroupWaitEvents;
  const struct spirv_change *change = change_at(w->k, w->at, true);
  struct semantics s;
  if (!change || !take_bits(w, spirv_semantics(&change->words, change->words.order), &s)) return;
  if (change->kind == CHANGE_FENCE)
    emit_fence(w, &s, change->words.scope);
  else
    emit_barrier(w, &s, SCOPE_WG, change->words.scope);
}

bool eval_atomic(struct work_item *w) {
  const struct inst *inst = item_inst(w);
  for (size_t i = 0; i < ARRAY_COUNT(rows); i++)
    if (rows[i].opcode == inst->opcode) {
      eval_operation(w, inst, &rows[i]);
      return true;
    }
  if (inst->opcode == SpvOpMemoryBarrier) eval_fence(w, inst);
  if (inst->opcode == SpvOpControlBarrier) eval_barrier(w, inst);
  return inst->opcode == SpvOpMemoryBarrier || inst->opcode == SpvOpControlBarrier;
}
