/* SPDX-License-Identifier: MIT */
/* Text of CUDA and HIP kernels: operations are macros of hosts/scoped.h, which both
 * compilers spell in their own ways. */
#include "checker/device/kernel.h"

static void prelude(const struct layout *layout, const struct kernel_options *options, FILE *out) {
  fprintf(out, "/* %s: instances of a litmus test, written by litscope. */\n", options->name);
  fprintf(out, "typedef %s value;\n", layout->wide ? "long long" : "int");
  if (layout->local_count) fprintf(out, "#define LOCALS %uu\n", layout->local_count);
  fputs(
      "#include \"scoped.h\"\n\n"
      "extern \"C\" __global__ void litmus(value *cells, value *results, const unsigned *deal, const unsigned "
      "*places,\n"
      "                                  int *pad, const unsigned *params) {\n"
      "  value *plain = cells;\n"
      "  (void)plain, (void)results;\n",
      out);
  if (layout->local_count)
    fprintf(out,
            "  __shared__ value locals[%u * LOCALS];\n"
            "  value *plain_locals = locals;\n"
            "  (void)plain_locals;\n",
            options->lanes);
}

static void strength(const struct kernel_access *a, FILE *out) {
  fprintf(out, ", %s, %s)", kernel_order(a->order), kernel_scope(a->scope));
}

static void rmw(const struct kernel_access *a, FILE *out) {
  if (a->instr->op == RMW_EXCHANGE)
    fprintf(out, "EXCHANGE(%s, %s", a->cell, a->value);
  else
    fprintf(out, "RMW(%s, %s, %s", rmw_name(a->instr->op), a->cell, a->value);
}

static void swap(const struct kernel_access *a, const char *indent, FILE *out) {
  fprintf(out,
          "%svalue old = wanted;\n"
          "%sbool done = SWAP(%s, old, %s, %s, %s, %s);\n"
          "%s(void)done;\n",
          indent, indent, a->cell, a->value, kernel_order(a->order), kernel_order(a->failure), kernel_scope(a->scope),
          indent);
}

static void fence(const struct kernel_access *a, FILE *out) {
  fprintf(out, "FENCE(%s, %s)", kernel_order(a->order), kernel_scope(a->scope));
}

/* Both languages' barriers are of the work-group; wider ones get fences around them. */
static void barrier(const struct instr *instr, const char *indent, FILE *out) {
  if (instr->scope <= SCOPE_WG) {
    fprintf(out, "%sJOIN();\n", indent);
    return;
  }
  const char *scope = kernel_scope(instr->scope);
  fprintf(out, "%sFENCE(acq_rel, %s);\n%sJOIN();\n%sFENCE(acq_rel, %s);\n", indent, scope, indent, indent, scope);
}

#define SCOPED_DIALECT(word)                                                                                      \
  {                                                                                                               \
    .name = word, .value = {"int", "long long"}, .index = "unsigned", .opaque = "volatile unsigned", .truth = "", \
    .group = "GROUP", .item = "ITEM", .prelude = prelude, .load = "LOAD(", .store = "STORE(", .rmw = rmw,         \
    .strength = strength, .swap = swap, .fence = fence, .barrier = barrier, .join = "JOIN();", .mixed = true,     \
  }

const struct dialect dialect_cuda = SCOPED_DIALECT("cuda"), dialect_hip = SCOPED_DIALECT("hip");
