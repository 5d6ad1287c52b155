/* SPDX-License-Identifier: MIT */
/* Operations of the Linux kernel (linux_words.c): tree to instructions.
 *
 * Of the annotation of a read-modify-write, herd7's first version of the Linux
 * model keeps `acquire` for its read and `release` for its write, makes all others
 * `once`, and puts fences `mb` around one that is `mb`; its second version
 * (-variant lkmmv2) gives both halves what is written.
 */
#include <string.h>

#include "checker/litmus/lowering.h"

/* What becomes of the annotation of a read-modify-write. */
struct strength {
  tag_set read, write, failed;
  tag_set around; /* fences before and behind */
};

static struct strength strength_of(struct lowering *l, const struct linux_call *call, struct span span) {
  if (l->draft->options->linux_v2) return (struct strength){call->tags, call->tags, call->tags, 0};
  const char *word = call->annotation ? call->annotation : "";
  tag_set once = draft_annotation(l->draft, "once", span);
  bool unless = call->kind == LINUX_ADD_UNLESS;
  struct strength s = {once, once, once, 0};
  if (call->kind == LINUX_OP) s.read = draft_annotation(l->draft, "noreturn", span);
  if (!strcmp(word, "acquire") && call->kind != LINUX_OP && !unless) s.read = call->tags;
  if (!strcmp(word, "release") && call->kind != LINUX_OP && !unless) s.write = call->tags;
  if (unless || (!strcmp(word, "mb") && call->kind != LINUX_OP)) s.around = draft_annotation(l->draft, "mb", span);
  return s;
}

static void lower_fence(struct lowering *l, tag_set tags, struct span span) {
  if (!tags) return;
  struct instr *instr = lowering_emit(l, INSTR_FENCE, span);
  instr->tags = tags;
  instr->regions = REGION_GLOBAL | REGION_LOCAL;
}

/* A read-modify-write that always writes. */
static void lower_rmw(struct lowering *l, const struct ast_expr *e, int reg) {
  const struct linux_call *call = e->linux_call;
  struct strength s = strength_of(l, call, e->span);
  struct address address = lowering_address(l, call->location);
  const struct expr *value = lowering_kept(l, call->value, lowering_holds_addresses(l, &address));
  if (call->complement) value = draft_operation(l->draft, EXPR_NOT, value, NULL, NULL);
  bool exchange = call->kind == LINUX_EXCHANGE, fresh = call->kind == LINUX_OP_RETURN && reg != NO_REG;
  if (exchange) value = draft_fit(l->draft, lowering_width(l, &address), value);
  unsigned saved = 0;
  const struct expr *old = fresh ? lowering_temporary(l, &saved) : NULL;
  lower_fence(l, s.around, e->span);
  struct instr *instr = lowering_emit(l, INSTR_RMW, e->span);
  instr->address = address;
  instr->value = value;
  instr->op = call->op;
  instr->reg = fresh ? (int)saved : reg;
  instr->read_tags = s.read;
  instr->write_tags = s.write;
  if (!exchange) instr->width = lowering_width(l, &address);
  lower_fence(l, s.around, e->span);
  static const enum expr_kind kinds[] = {
      [RMW_ADD] = EXPR_ADD, [RMW_SUB] = EXPR_SUB, [RMW_OR] = EXPR_OR, [RMW_XOR] = EXPR_XOR, [RMW_AND] = EXPR_AND};
  if (fresh) {
    const struct expr *now = draft_operation(l->draft, kinds[call->op], old, value, NULL);
    lowering_assign(l, (unsigned)reg, draft_fit(l->draft, lowering_width(l, &address), now), e->span);
  }
}

/* Those that write only where they find, or do not find, what is expected. */
static void lower_compare(struct lowering *l, const struct ast_expr *e, int reg) {
  const struct linux_call *call = e->linux_call;
  struct strength s = strength_of(l, call, e->span);
  struct address address = lowering_address(l, call->location);
  bool pointer = lowering_holds_addresses(l, &address);
  const struct expr *expected = lowering_kept(l, call->expected, pointer);
  const struct expr *value = lowering_kept(l, call->value, pointer);
  struct instr *instr = lowering_emit(l, INSTR_CAS, e->span);
  instr->address = address;
  instr->expected = expected;
  instr->unless = call->kind == LINUX_ADD_UNLESS;
  instr->value = instr->unless ? value : draft_fit(l->draft, lowering_width(l, &address), value);
  instr->returns_old = !instr->unless;
  instr->reg = reg;
  instr->read_tags = s.read;
  instr->write_tags = s.write;
  instr->around = s.around;
  instr->fails_apart = true;
  instr->failed_tags = s.failed | tag_bit(TAG_RMW);
}

static void lower_lock(struct lowering *l, const struct ast_expr *e, int reg) {
  static const enum lock_op ops[] = {
      [LINUX_LOCK] = LOCK_TAKE, [LINUX_TRYLOCK] = LOCK_TRY, [LINUX_IS_LOCKED] = LOCK_LOOK};
  const struct linux_call *call = e->linux_call;
  struct address address = lowering_address(l, call->location);
  bool unlock = call->kind == LINUX_UNLOCK;
  struct instr *instr = lowering_emit(l, unlock ? INSTR_STORE : INSTR_LOCK, e->span);
  instr->address = address;
  if (unlock) {
    instr->value = draft_constant(l->draft, 0);
    instr->tags = tag_bit(TAG_UL);
  } else {
    instr->lock = ops[call->kind];
    instr->reg = reg;
    instr->tags = tag_bit(instr->lock == LOCK_LOOK ? TAG_RL : TAG_LKR); /* so that it is seen to have some */
  }
}

/* Plain accesses that are annotated, fences, marks. */
static void lower_plain(struct lowering *l, const struct ast_expr *e, int reg) {
  static const enum instr_kind kinds[] = {
      [LINUX_LOAD] = INSTR_LOAD, [LINUX_STORE] = INSTR_STORE, [LINUX_SRCU] = INSTR_MARK};
  const struct linux_call *call = e->linux_call;
  struct address address =
      call->kind == LINUX_SRCU ? lowering_address(l, call->location) : lowering_cell(l, call->location);
  const struct expr *value = call->value
                                 ? draft_fit(l->draft, lowering_width(l, &address),
                                             lowering_kept(l, call->value, lowering_holds_addresses(l, &address)))
                                 : NULL;
  struct instr *instr = lowering_emit(l, kinds[call->kind], e->span);
  instr->address = address;
  instr->value = value;
  instr->reg = reg;
  instr->tags = call->tags;
}

static bool gives_value(enum linux_kind kind) {
  switch (kind) {
    case LINUX_STORE:
    case LINUX_FENCE:
    case LINUX_OP:
    case LINUX_LOCK:
    case LINUX_UNLOCK:
    case LINUX_SRCU:
      return false;
    default:
      return true;
  }
}

void linux_lower(struct lowering *l, const struct ast_expr *e, int reg) {
  const struct linux_call *call = e->linux_call;
  if (reg != NO_REG && !gives_value(call->kind))
    reader_fail(&l->draft->reader, e->span, "'%s' returns no value", call->name);
  if (l->draft->reader.failed) return;
  switch (call->kind) {
    case LINUX_LOAD:
    case LINUX_STORE:
    case LINUX_SRCU:
      lower_plain(l, e, reg);
      break;
    case LINUX_FENCE:
      lower_fence(l, call->tags, e->span);
      break;
    case LINUX_EXCHANGE:
    case LINUX_OP:
    case LINUX_OP_RETURN:
    case LINUX_FETCH_OP:
      lower_rmw(l, e, reg);
      break;
    case LINUX_COMPARE:
    case LINUX_ADD_UNLESS:
      lower_compare(l, e, reg);
      break;
    case LINUX_LOCK:
    case LINUX_UNLOCK:
    case LINUX_TRYLOCK:
    case LINUX_IS_LOCKED:
      lower_lock(l, e, reg);
      break;
  }
}
