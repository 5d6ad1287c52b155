/* SPDX-License-Identifier: MIT */
/* Small programs in PTX. */
#include <string.h>

#include "checker/base/tags.h"
#include "checker/small_programs/small_language_words.h"

static const char *const MODELS[] = {"ptx", NULL};

static const struct small_word SCOPES[] = {{'w', "cta"}, {'q', "cluster"}, {'d', "gpu"}, {'s', "sys"}, {0, NULL}};

static const struct small_word ORDERS[] = {{'l', "release"}, {'q', "acquire"}, {'a', "acq_rel"}, {'r', "relaxed"},
                                           {'c', "sc"},      {'n', "weak"},    {0, NULL}};

static void write_head(const struct small_program *p, unsigned t, FILE *out) {
  fprintf(out, "P%u@cta %u,", t, p->wg[t]);
  if (p->clusters) fprintf(out, "cluster %u,", p->cluster[t]);
  fprintf(out, "gpu %u", p->dev[t]);
}

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  static const char *const NAMES[] = {"st", "ld", "atom", "fence"};
  (void)last;
  fprintf(out, "%s.%s%s%s%s", NAMES[strchr("WRUF", op->kind) - "WRUF"], small_order_word(p, op),
          op->scope == 'n' ? "" : ".", small_scope_word(p, op), op->kind == 'U' ? ".add" : "");
}

/* Proxies, weakness; halves of a read-modify-write share its order. */
static void mark(struct instr *instr) {
  instr->tags = tag_bit(TAG_GEN);
  if (instr->order == ORDER_NA) instr->tags |= tag_bit(TAG_WEAK);
  instr->split = instr->kind == INSTR_RMW;
}

const struct small_language small_ptx = {
    .name = "ptx",
    .called = "PTX",
    .tests = LANG_PTX,
    .models = MODELS,
    .kinds = "WRUF",
    .scopes = SCOPES,
    .orders = ORDERS,
    .fence_orders = "c",
    .dependency_register = "r9",
    .head = write_head,
    .operation = write_operation,
    .reading = SMALL_READ_SPECIAL,
    .mark = mark,
};
