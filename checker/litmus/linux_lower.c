/* SPDX-License-Identifier: MIT */
/* Operations of the Linux kernel (linux_words.c): tree to instructions.
 *
 * Of the annotation of a read-modify-write, herd7's first version of the Linux
 * model keeps `acquire` for its read and `release` for its write, makes all others
 * `once`, and puts fences `mb` around one that is `mb`; its second version
 * (-variant lkmmv2) gives both halves what is written.
 */
#include <string.h>

#include "checker/base/tags.h"
#include "checker/litmus/lowering.h"

static struct linux_strength strength_of(struct lowering *l, const struct linux_call *call, struct span span) {
  if (l->draft->options->linux_v2) return (struct linux_strength){call->tags, call->tags, call->tags, 0};
  const char *word = call->annotation ? call->annotation : "";
  tag_set once = draft_annotation(l->draft, "once", span);
  bool unless = call->kind == LINUX_ADD_UNLESS;
  struct linux_strength s = {once, once, once, 0};
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
static void lower_rmw(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o) {
  const struct linux_call *call = e->linux_call;
  struct linux_strength s = o->strength;
  struct address address = o->address;
  const struct expr *value = o->value;
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
  if (fresh) {
    const struct expr *now = draft_operation(l->draft, rmw_arithmetic(call->op), old, value, NULL);
    lowering_assign(l, (unsigned)reg, draft_fit(l->draft, lowering_width(l, &address), now), e->span);
  }
}

/* Those that write only where they find, or do not find, what is expected. */
static void lower_compare(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o) {
  struct instr *instr = lowering_emit(l, INSTR_CAS, e->span);
  instr->address = o->address;
  instr->expected = o->expected;
  instr->unless = e->linux_call->kind == LINUX_ADD_UNLESS;
  instr->value = instr->unless ? o->value : draft_fit(l->draft, lowering_width(l, &o->address), o->value);
  instr->returns_old = !instr->unless;
  instr->reg = reg;
  instr->read_tags = o->strength.read;
  instr->write_tags = o->strength.write;
  instr->around = o->strength.around;
  instr->fails_apart = true;
  instr->failed_tags = o->strength.failed | tag_bit(TAG_RMW);
}

static void lower_lock(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o) {
  static const enum lock_op ops[] = {
      [LINUX_LOCK] = LOCK_TAKE, [LINUX_TRYLOCK] = LOCK_TRY, [LINUX_IS_LOCKED] = LOCK_LOOK};
  bool unlock = e->linux_call->kind == LINUX_UNLOCK;
  struct instr *instr = lowering_emit(l, unlock ? INSTR_STORE : INSTR_LOCK, e->span);
  instr->address = o->address;
  instr->order = e->linux_call->order;
  if (unlock) {
    instr->value = draft_constant(l->draft, 0);
    instr->tags = tag_bit(TAG_UL);
  } else {
    instr->lock = ops[e->linux_call->kind];
    instr->reg = reg;
    instr->tags = tag_bit(instr->lock == LOCK_LOOK ? TAG_RL : TAG_LKR); /* so that it is seen to have some */
  }
}

/* Plain accesses that are annotated. */
static void lower_plain(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o) {
  static const enum instr_kind kinds[] = {[LINUX_LOAD] = INSTR_LOAD, [LINUX_STORE] = INSTR_STORE};
  const struct linux_call *call = e->linux_call;
  struct instr *instr = lowering_emit(l, kinds[call->kind], e->span);
  instr->address = o->address;
  instr->value = o->value ? draft_fit(l->draft, lowering_width(l, &o->address), o->value) : NULL;
  instr->reg = reg;
  instr->tags = call->tags;
}

/* As in herd7, an event of its annotations alone has a value if it was given one, or
 * if it is the beginning of a section of SRCU whose value is used: that is a number
 * that nothing reads from memory, another one for each in the text.  What any other
 * gives is 0. */
static void lower_mark(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o) {
  const struct linux_call *call = e->linux_call;
  struct instr *instr = lowering_emit(l, INSTR_MARK, e->span);
  instr->address = o->address;
  instr->value = o->value;
  instr->tags = call->tags;
  if (reg == NO_REG) return;
  bool one = !(call->tags & (call->tags - 1)),
       begins = one && call->annotation && !strcmp(call->annotation, "srcu-lock");
  int64_t number = begins ? 307 * ((int64_t)l->thread->number + 1) + 599 * (int64_t)lowering_here(l) : 0;
  if (begins) instr->value = draft_constant(l->draft, number);
  lowering_assign(l, (unsigned)reg, draft_constant(l->draft, number), e->span);
}

static bool gives_value(const struct linux_call *call) {
  if (call->kind == LINUX_SRCU) return !call->value;
  return call->kind != LINUX_STORE && call->kind != LINUX_FENCE && call->kind != LINUX_OP && call->kind != LINUX_LOCK &&
         call->kind != LINUX_UNLOCK;
}

static bool modifies(enum linux_kind kind) {
  return kind == LINUX_EXCHANGE || kind == LINUX_OP || kind == LINUX_OP_RETURN || kind == LINUX_FETCH_OP ||
         kind == LINUX_COMPARE || kind == LINUX_ADD_UNLESS;
}

bool linux_begin(struct lowering *l, const struct ast_expr *e, int reg, struct linux_strength *strength) {
  const struct linux_call *call = e->linux_call;
  if (reg != NO_REG && !gives_value(call)) reader_fail(&l->draft->reader, e->span, "'%s' returns no value", call->name);
  if (l->draft->reader.failed) return false;
  if (modifies(call->kind)) *strength = strength_of(l, call, e->span);
  return true;
}

void linux_lower(struct lowering *l, const struct ast_expr *e, int reg, const struct linux_operands *o) {
  const struct linux_call *call = e->linux_call;
  switch (call->kind) {
    case LINUX_LOAD:
    case LINUX_STORE:
      lower_plain(l, e, reg, o);
      break;
    case LINUX_SRCU:
      lower_mark(l, e, reg, o);
      break;
    case LINUX_FENCE:
      lower_fence(l, call->tags, e->span);
      break;
    case LINUX_EXCHANGE:
    case LINUX_OP:
    case LINUX_OP_RETURN:
    case LINUX_FETCH_OP:
      lower_rmw(l, e, reg, o);
      break;
    case LINUX_COMPARE:
    case LINUX_ADD_UNLESS:
      lower_compare(l, e, reg, o);
      break;
    case LINUX_LOCK:
    case LINUX_UNLOCK:
    case LINUX_TRYLOCK:
    case LINUX_IS_LOCKED:
      lower_lock(l, e, reg, o);
      break;
  }
}
