/* SPDX-License-Identifier: MIT */
/* Text of CUDA and HIP kernels: operations are macros of hosts/scoped.h, which both
 * compilers spell in their own ways, and hosts/ptx.h as PTX's instructions. */
#include "checker/base/tags.h"
#include "checker/device/kernel_writer.h"

static void prelude(const struct layout *layout, const struct kernel_options *options, FILE *out) {
  fprintf(out, "/* %s: instances of a litmus test, written by litscope. */\n", options->name);
  fprintf(out, "typedef %s value;\n", layout->wide ? "long long" : "int");
  if (layout->local_count) fprintf(out, "#define LOCALS %uu\n", layout->local_count);
  if (layout->worded) fputs("#define BY_PTX\n", out);
  fputs(
      "#include \"scoped.h\"\n\n"
      "extern \"C\" __global__ void litmus(value *cells, value *results, const unsigned *deal, const unsigned "
      "*places,\n"
      "                                  int *pad, const unsigned *params) {\n",
      out);
  fputs(layout->worded ? "  (void)results;\n" : "  value *plain = cells;\n  (void)plain, (void)results;\n", out);
  if (layout->local_count)
    fprintf(out, "  __shared__ value locals[%u * LOCALS];\n%s", options->lanes,
            layout->worded ? "" : "  value *plain_locals = locals;\n  (void)plain_locals;\n");
}

static void strength(const struct kernel_access *a, FILE *out) {
  const char *order = a->instr->order == ORDER_NA ? "weak" : kernel_order(a->order);
  fprintf(out, ", %s, %s)", order, kernel_scope(a->scope));
}

static void rmw(const struct kernel_access *a, FILE *out) {
  if (a->instr->op == RMW_EXCHANGE)
    fprintf(out, "EXCHANGE(%s, %s", a->cell, a->value);
  else
    fprintf(out, "%s(%s, %s, %s", tags_have(a->instr->read_tags, TAG_REDUCTION) ? "RED" : "RMW", rmw_name(a->instr->op),
            a->cell, a->value);
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

/* PTX's instructions are written for values of 32 bits. */
static void refuse_wide(const struct layout *layout, struct diags *diags) {
  const struct source *source = layout->program->source;
  if (layout->widens)
    diag_error(diags, source, layout->widens->span,
               "instructions of PTX are emitted for values of 32 bits only, and this may need more");
  else if (layout->wide)
    diag_fail(diags, "%s: instructions of PTX are emitted for values of 32 bits only, and %s has more at first",
              source->name, layout->wide);
}

#define SCOPED_DIALECT(word, ...)                                                                                      \
  {                                                                                                                    \
    .name = word, __VA_ARGS__, .value = {"int", "long long"}, .index = "unsigned", .opaque = "volatile unsigned",      \
    .truth = "", .group = "GROUP", .item = "ITEM", .prelude = prelude, .load = "LOAD(", .store = "STORE(", .rmw = rmw, \
    .strength = strength, .swap = swap, .fence = fence, .barrier = barrier, .join = "JOIN();", .mixed = true,          \
  }

/* The first field is what its dialects differ in, the rest what they have in common. */
const struct dialect dialect_cuda = SCOPED_DIALECT("cuda", .refuse = NULL),
                     dialect_ptx = SCOPED_DIALECT("cuda", .refuse = refuse_wide, .spelled = true),
                     dialect_hip = SCOPED_DIALECT("hip", .refuse = NULL);
