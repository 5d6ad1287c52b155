/* SPDX-License-Identifier: MIT */
/* Small programs in Vulkan's notation: everything is in storage class 0. */
#include <string.h>

#include "checker/base/tags.h"
#include "checker/verify/small_language.h"

static const char *const MODELS[] = {"vulkan", NULL};

static const struct small_word SCOPES[] = {{'w', "wg"}, {'q', "qf"}, {'d', "dv"}, {0, NULL}};

static const struct small_word ORDERS[] = {{'l', "rel."}, {'q', "acq."}, {'a', "acq_rel."}, {'r', ""}, {0, NULL}};

static const struct small_word SEMANTICS[] = {
    {'l', ".semsc0.semav"}, {'q', ".semsc0.semvis"}, {'a', ".semsc0.semav.semvis"}, {'r', ""}, {0, NULL}};

static void write_head(const struct small_program *p, unsigned t, FILE *out) {
  fprintf(out, "P%u@sg %u,wg %u,qf %u", t, t, p->wg[t], p->dev[t]);
}

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  static const char *const NAMES[] = {"st", "ld", "rmw", "membar"};
  const char *name = NAMES[strchr("WRUF", op->kind) - "WRUF"];
  (void)last;
  if (op->scope == 'n')
    fprintf(out, "%s.nonpriv.sc0", name);
  else
    fprintf(out, "%s%s.%s%s%s%s%s", name, op->kind == 'F' ? "" : ".atom", small_order_word(p, op),
            small_scope_word(p, op), op->kind == 'F' ? "" : ".sc0", small_word_for(SEMANTICS, small_order(op)),
            op->kind == 'U' ? ".add" : "");
}

/* Everything is non-private, an order available and visible for storage class 0. */
static void mark(struct instr *instr) {
  bool acquires = instr->order == ORDER_ACQ || instr->order == ORDER_ACQ_REL;
  bool releases = instr->order == ORDER_REL || instr->order == ORDER_ACQ_REL;
  tag_set acquire = tag_bit(TAG_SEMSC0) | tag_bit(TAG_SEMVIS), release = tag_bit(TAG_SEMSC0) | tag_bit(TAG_SEMAV);
  instr->read_tags = acquires ? acquire : 0;
  instr->write_tags = releases ? release : 0;
  if (instr->kind == INSTR_FENCE) {
    instr->tags = acquire | release | tag_bit(TAG_ACQ) | tag_bit(TAG_REL);
    return;
  }
  instr->tags = tag_bit(TAG_SC0) | tag_bit(TAG_NONPRIV);
  if (instr->order == ORDER_NA) return;
  instr->tags |= tag_bit(TAG_ATOM);
  if (instr->kind == INSTR_LOAD) instr->tags |= tag_bit(TAG_VIS);
  if (instr->kind == INSTR_STORE) instr->tags |= tag_bit(TAG_AV);
  if (instr->kind != INSTR_RMW) return;
  instr->split = true;
  instr->read_tags |= tag_bit(TAG_VIS);
  instr->write_tags |= tag_bit(TAG_AV);
}

const struct small_language small_vulkan = {
    .name = "vulkan",
    .called = "Vulkan",
    .tests = LANG_VULKAN,
    .models = MODELS,
    .kinds = "WRUF",
    .families = true,
    .scopes = SCOPES,
    .orders = ORDERS,
    .fence_orders = "",
    .spare = "r9",
    .head = write_head,
    .operation = write_operation,
    .reading = SMALL_READ_SPECIAL,
    .mark = mark,
};
