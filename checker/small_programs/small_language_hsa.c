/* SPDX-License-Identifier: MIT */
/* Small programs in HSA's intermediate language. */
#include <string.h>

#include "checker/small_programs/small_language_words.h"

static const char *const MODELS[] = {NULL};

static const struct small_word SCOPES[] = {{'w', "wg"},  {'d', "agent"}, {'D', "agent"},
                                           {'s', "sys"}, {'S', "sys"},   {0, NULL}};

static const struct small_word ORDERS[] = {{'l', "rel"}, {'q', "acq"}, {'a', "ar"},
                                           {'r', "rlx"}, {'c', "sc"},  {0, NULL}};

static void write_head(const struct small_program *p, unsigned t, FILE *out) {
  (void)p;
  fprintf(out, "P%u", t);
}

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  static const char *const NAMES[] = {"atomic_ST", "atomic_LD", "atomic_ADD", "fence"};
  (void)last;
  if (op->scope == 'n')
    fputs(op->kind == 'W' ? "st" : "ld", out);
  else
    fprintf(out, "%s_%s%s_%s", NAMES[strchr("WRUF", op->kind) - "WRUF"], small_is_remote(op) ? "rm_" : "",
            small_order_word(p, op), small_scope_word(p, op));
}

const struct small_language small_hsa = {
    .name = "hsa",
    .called = "HSA",
    .tests = LANG_HSA,
    .models = MODELS,
    .kinds = "WRUF",
    .addresses = true,
    .scopes = SCOPES,
    .orders = ORDERS,
    .fence_orders = "",
    .dependency_register = "c1",
    .condition = "c0",
    .tree = {"agent", "wg"},
    .head = write_head,
    .operation = write_operation,
    .reading = SMALL_READ_SPECIAL,
    .ordered = REGION_GLOBAL | REGION_LOCAL,
};
