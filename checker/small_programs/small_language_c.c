/* SPDX-License-Identifier: MIT */
/* Small programs in C11. */
#include "checker/small_programs/small_language_words.h"

static const char *const MODELS[] = {"rc11", "c11", NULL};

static const struct small_word SCOPES[] = {{'a', ""}, {0, NULL}};

static const struct small_word ORDERS[] = {{'l', "memory_order_release"}, {'q', "memory_order_acquire"},
                                           {'a', "memory_order_acq_rel"}, {'r', "memory_order_relaxed"},
                                           {'c', "memory_order_seq_cst"}, {0, NULL}};

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  if (op->kind != 'F') {
    small_write_atomic(p, op, last, out);
    return;
  }
  fputs("atomic_thread_fence(", out);
  small_write_order(p, op, out);
}

const struct small_language small_c = {
    .name = "c",
    .called = "C",
    .tests = LANG_C,
    .models = MODELS,
    .wider = &small_opencl,
    .kinds = "WRUF",
    .addresses = true,
    .scopes = SCOPES,
    .orders = ORDERS,
    .fence_orders = "",
    .functions = true,
    .regions = {"", ""},
    .atomic = "atomic_int",
    .operation = write_operation,
    .reading = SMALL_READ_SPECIAL,
    .ordered = REGION_GLOBAL | REGION_LOCAL,
};
