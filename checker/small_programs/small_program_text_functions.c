/* SPDX-License-Identifier: MIT */
/* Small programs as texts in languages whose threads are functions of C. */
#include "checker/base/array.h"
#include "checker/small_programs/small_language_words.h"
#include "checker/small_programs/small_program_text.h"

static void write_parameters(const struct small_program *p, unsigned t, FILE *out) {
  bool atomic[SMALL_LOCATIONS] = {false}, used[SMALL_LOCATIONS] = {false}, first = true;
  for (unsigned u = 0; u < p->threads; u++) {
    for (unsigned i = 0; i < p->count[u]; i++) {
      if (!small_is_access(&p->ops[u][i])) continue;
      atomic[p->ops[u][i].location] |= p->ops[u][i].scope != 'n';
      used[p->ops[u][i].location] |= u == t;
    }
  }
  fprintf(out, "P%u (", t);
  for (unsigned x = 0; x < SMALL_LOCATIONS; x++) {
    if (!used[x]) continue;
    const char *region = p->language->regions[x >= SMALL_GLOBALS];
    fprintf(out, "%s%s%s* %s", first ? "" : ", ", region, atomic[x] ? p->language->atomic : "int",
            small_location_names[x]);
    first = false;
  }
  fputs(") {\n", out);
}

void small_write_order(const struct small_program *p, const struct small_op *op, FILE *out) {
  fputs(small_order_word(p, op), out);
  if (small_is_scoped(p->language)) fprintf(out, ", %s", small_scope_word(p, op));
  fputs(");\n", out);
}

void small_write_place(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  fputs(small_location_of(op), out);
  if (op->dependency == '&') fprintf(out, " + (r%u & %d)", last, small_nothing_mask(p));
}

void small_write_value(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  fprintf(out, "%d", op->value);
  if (op->dependency == '^') fprintf(out, " + (r%u & %d)", last, small_nothing_mask(p));
}

/* An ordinary access: `*x`, or `*(x + (r0 & 128))`. */
static void write_ordinary(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  bool address = op->dependency == '&';
  fputs(address ? "*(" : "*", out);
  small_write_place(p, op, last, out);
  if (address) fputc(')', out);
  if (op->kind == 'W') {
    fputs(" = ", out);
    small_write_value(p, op, last, out);
  }
  fputs(";\n", out);
}

/* A compare-exchange expects what is in the variable e. */
void small_write_atomic(const struct small_program *p, const struct small_op *op, unsigned last, FILE *out) {
  static const char *const FUNCTIONS[] = {
      ['W'] = "store", ['R'] = "load", ['U'] = "fetch_add", ['X'] = "exchange", ['C'] = "compare_exchange_strong"};
  fprintf(out, "atomic_%s_explicit%s(", FUNCTIONS[(unsigned char)op->kind], small_is_remote(op) ? "_remote" : "");
  small_write_place(p, op, last, out);
  if (op->kind == 'C') fprintf(out, ", &e%u", last + 1);
  if (small_writes(op)) {
    fputs(", ", out);
    small_write_value(p, op, last, out);
  }
  fputs(", ", out);
  if (op->kind == 'C') {
    char order = small_order(op), failure = order == 'a' ? 'q' : order == 'l' ? 'r' : order;
    fprintf(out, "%s, ", small_order_word(p, op));
    fprintf(out, "%s, %s);\n", small_word_for(p->language->orders, failure), small_scope_word(p, op));
    return;
  }
  small_write_order(p, op, out);
}

static void write_function(const struct small_program *p, unsigned t, FILE *out) {
  unsigned reg = 0, depth = 0;
  fputc('\n', out);
  write_parameters(p, t, out);
  ARRAY_EACH (const struct small_op, op, p->ops[t], p->count[t]) {
    if (op->guard && reg) {
      fprintf(out, "%*sif (r%u %s 0) {\n", (int)(2 + 2 * depth), "", reg - 1, op->guard == '!' ? "!=" : "==");
      depth++;
    }
    fprintf(out, "%*s", (int)(2 + 2 * depth), "");
    unsigned last = reg - 1; /* of what depends on it */
    if (op->kind == 'C') fprintf(out, "int e%u = 0; ", reg);
    if (small_reads(op)) fprintf(out, "%sr%u = ", depth ? "" : "int ", reg++);
    if (small_is_access(op) && op->scope == 'n')
      write_ordinary(p, op, last, out);
    else
      p->language->operation(p, op, last, out);
  }
  for (; depth; depth--) fprintf(out, "%*s}\n", (int)(2 * depth), "");
  fputs("}\n", out);
}

void small_write_functions(const struct small_program *p, FILE *out) {
  for (unsigned t = 0; t < p->threads; t++) write_function(p, t, out);
  fputc('\n', out);
}
