/* SPDX-License-Identifier: MIT */
/* Small programs in Vulkan's notation. */
#include <string.h>

#include "checker/base/tags.h"
#include "checker/small_programs/small_language_words.h"

static const char *const MODELS[] = {"vulkan", NULL};

static const struct small_word SCOPES[] = {{'w', "wg"}, {'q', "qf"}, {'d', "dv"}, {0, NULL}};

static const struct small_word ORDERS[] = {{'l', "rel."}, {'q', "acq."}, {'a', "acq_rel."}, {'r', ""}, {0, NULL}};

static const struct small_word SEMANTICS[] = {
    {'l', ".semav"}, {'q', ".semvis"}, {'a', ".semav.semvis"}, {'r', ""}, {0, NULL}};

static void write_head(const struct small_program *p, unsigned t, FILE *out) {
  fprintf(out, "P%u@sg %u,wg %u,qf %u", t, t, p->wg[t], p->dev[t]);
}

static void write_semantics(const struct small_program *p, const struct small_op *op, FILE *out) {
  const char *made = small_word_for(SEMANTICS, small_order(op));
  for (unsigned class = 0, classes = small_classes(p); *made && classes >> class; class ++)
    if (classes >> class & 1) fprintf(out, ".semsc%u", class);
  fputs(made, out);
}

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  static const char *const NAMES[] = {"st", "ld", "rmw", "membar"};
  const char *name = NAMES[strchr("WRUF", op->kind) - "WRUF"];
  bool fence = op->kind == 'F', ordinary = op->scope == 'n';
  (void)last;
  fprintf(out, "%s%s", name, ordinary ? ".nonpriv" : fence ? "" : ".atom");
  if (!ordinary) fprintf(out, ".%s%s", small_order_word(p, op), small_scope_word(p, op));
  if (!fence) fprintf(out, ".sc%u", p->class[op->location]);
  if (!ordinary) write_semantics(p, op, out);
  if (op->kind == 'U') fputs(".add", out);
}

/* Of a program in storage class 0 alone: everything is non-private, an order available and visible for this class. */
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
    .dependency_register = "r9",
    .head = write_head,
    .operation = write_operation,
    .reading = SMALL_READ_SPECIAL,
    .mark = mark,
};
