/* SPDX-License-Identifier: MIT */
/* Small programs of the Linux kernel, in what its macros stand for (litmus/linux_words.c): READ_ONCE(*x) is
 * __load{once}(*x), smp_mb() is __fence{mb}.  So they are read without a file of macros. */
#include "checker/small_programs/small_language_words.h"

static const char *const MODELS[] = {"linux", "lkmm", NULL};

static const struct small_word SCOPES[] = {{'a', ""}, {0, NULL}};

/* A read-modify-write without a word for its order is fully ordered. */
static const struct small_word ORDERS[] = {{'l', "release"}, {'q', "acquire"}, {'a', "mb"}, {'r', "once"}, {0, NULL}};
static const struct small_word FENCES[] = {{'l', "wmb"}, {'q', "rmb"}, {'a', "mb"}, {0, NULL}};

static void write_operation(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  if (op->kind == 'F') {
    fprintf(out, "__fence{%s};\n", small_word_for(FENCES, small_order(op)));
    return;
  }
  static const char *const NAMES[] = {['W'] = "store", ['R'] = "load", ['U'] = "atomic_fetch_op", ['X'] = "xchg"};
  bool address = op->dependency == '&',
       whole = op->kind == 'W' || op->kind == 'R'; /* of the location, not its address */
  fprintf(out, "__%s{%s}(%s%s", NAMES[(unsigned char)op->kind], small_order_word(p, op), whole ? "*" : "",
          whole && address ? "(" : "");
  small_write_place(p, op, last, out);
  if (whole && address) fputc(')', out);
  if (op->kind == 'U') fputs(", +", out);
  if (small_writes(op)) {
    fputs(", ", out);
    small_write_value(p, op, last, out);
  }
  fputs(");\n", out);
}

const struct small_language small_linux = {
    .name = "linux",
    .called = "Linux",
    .tests = LANG_C,
    .models = MODELS,
    .kinds = "WRUFX",
    .addresses = true,
    .scopes = SCOPES,
    .orders = ORDERS,
    .fence_orders = "",
    .functions = true,
    .regions = {"", ""},
    .atomic = "int",
    .operation = write_operation,
    .reading = SMALL_READ_ALL,
};
