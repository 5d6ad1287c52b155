/* SPDX-License-Identifier: MIT */
/* Small programs in OpenCL C. */
#include "checker/small_programs/small_language_words.h"

static const char *const MODELS[] = {"opencl", "rc11-scoped", NULL};

static const struct small_word SCOPES[] = {{'w', "memory_scope_work_group"},
                                           {'q', "memory_scope_cluster"},
                                           {'d', "memory_scope_device"},
                                           {'D', "memory_scope_device"},
                                           {'s', "memory_scope_all_svm_devices"},
                                           {'S', "memory_scope_all_svm_devices"},
                                           {0, NULL}};

static const struct small_word ORDERS[] = {{'l', "memory_order_release"}, {'q', "memory_order_acquire"},
                                           {'a', "memory_order_acq_rel"}, {'r', "memory_order_relaxed"},
                                           {'c', "memory_order_seq_cst"}, {0, NULL}};

/* What a fence or barrier orders. */
static const char *flags_of(const struct small_program *p) {
  return small_uses_local(p) ? "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE" : "CLK_GLOBAL_MEM_FENCE";
}

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  if (op->kind == 'B') {
    fprintf(out, "barrier(%s);\n", flags_of(p));
  } else if (op->kind == 'F') {
    fprintf(out, "atomic_work_item_fence%s(%s, ", small_is_remote(op) ? "_remote" : "", flags_of(p));
    small_write_order(p, op, out);
  } else {
    small_write_atomic(p, op, last, out);
  }
}

const struct small_language small_opencl = {
    .name = "opencl",
    .called = "OpenCL",
    .tests = LANG_OPENCL,
    .models = MODELS,
    .lists = true,
    .kinds = "WRUFXC",
    .local = true,
    .addresses = true,
    .scopes = SCOPES,
    .orders = ORDERS,
    .fence_orders = "",
    .functions = true,
    .regions = {"global ", "local "},
    .atomic = "atomic_int",
    .tree = {"device", "work_group"},
    .operation = write_operation,
    .reading = SMALL_READ_DEPENDENT,
    .ordered = REGION_GLOBAL | REGION_LOCAL,
    .names_ordered = true,
};
