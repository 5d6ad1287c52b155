/* SPDX-License-Identifier: MIT */
/* C with clang's __scoped_atomic builtins, for processors of GPUs: no launch is
 * written in it, only threads to be compiled (checker/compiler/clang_source.c). */
#include "checker/device/kernel_writer.h"

static const char *order_text(enum order order) {
  static const char *const words[] = {"__ATOMIC_RELAXED", "__ATOMIC_RELAXED", "__ATOMIC_ACQUIRE", "__ATOMIC_ACQUIRE",
                                      "__ATOMIC_RELEASE", "__ATOMIC_ACQ_REL", "__ATOMIC_SEQ_CST"};
  return words[order];
}

static const char *scope_text(enum scope scope) {
  static const char *const words[] = {[SCOPE_NONE] = "__MEMORY_SCOPE_DEVICE", [SCOPE_WI] = "__MEMORY_SCOPE_SINGLE",
                                      [SCOPE_SG] = "__MEMORY_SCOPE_WVFRNT",   [SCOPE_WG] = "__MEMORY_SCOPE_WRKGRP",
                                      [SCOPE_QF] = "__MEMORY_SCOPE_DEVICE",   [SCOPE_DEV] = "__MEMORY_SCOPE_DEVICE",
                                      [SCOPE_SYS] = "__MEMORY_SCOPE_SYSTEM"};
  return words[scope];
}

static void strength(const struct kernel_access *a, FILE *out) {
  fprintf(out, ", %s, %s)", order_text(a->order), scope_text(a->scope));
}

static void rmw(const struct kernel_access *a, FILE *out) {
  fprintf(out, "__scoped_atomic_%s(&%s, %s", a->instr->op == RMW_EXCHANGE ? "exchange_n" : rmw_name(a->instr->op),
          a->cell, a->value);
}

static void swap(const struct kernel_access *a, const char *indent, FILE *out) {
  fprintf(out,
          "%s%s old = wanted;\n"
          "%sbool done = __scoped_atomic_compare_exchange_n(&%s, &old, %s, %s, %s, %s, %s);\n",
          indent, a->type, indent, a->cell, a->value, a->instr->weak ? "true" : "false", order_text(a->order),
          order_text(a->failure), scope_text(a->scope));
}

/* The prelude has macros for them: not every clang has a builtin for fences. */
static void fence(const struct kernel_access *a, FILE *out) {
  fprintf(out, "FENCE(%s, %s)", kernel_order(a->order), kernel_scope(a->scope));
}

static void barrier(const struct instr *instr, const char *indent, FILE *out) {
  fprintf(out, "%sBARRIER(%s);\n", indent, kernel_scope(instr->scope));
}

const struct dialect dialect_c = {.name = "c",
                                  .value = {"int", "long"},
                                  .index = "unsigned",
                                  .truth = "",
                                  .load = "__scoped_atomic_load_n(&",
                                  .store = "__scoped_atomic_store_n(&",
                                  .rmw = rmw,
                                  .strength = strength,
                                  .swap = swap,
                                  .fence = fence,
                                  .barrier = barrier,
                                  .mixed = true};
