/* SPDX-License-Identifier: MIT */
/* GLSL with the Vulkan memory model (GL_KHR_memory_scope_semantics): acquire and
 * release at every scope up to the device, and no sequential consistency.
 *
 * Tests of Vulkan keep their own words: storage classes, availability and visibility of an operation are its tags,
 * and the buffer that ordinary accesses go to is declared as these are. */
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/tags.h"
#include "checker/device/kernel_writer.h"

static const char *scope_text(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_NONE] = "gl_ScopeDevice",  [SCOPE_WI] = "gl_ScopeInvocation",  [SCOPE_SG] = "gl_ScopeSubgroup",
      [SCOPE_WG] = "gl_ScopeWorkgroup", [SCOPE_QF] = "gl_ScopeQueueFamily", [SCOPE_DEV] = "gl_ScopeDevice",
      [SCOPE_SYS] = "gl_ScopeDevice"};
  return words[scope];
}

/* ---- semantics ---- */

static bool acquires(enum order order) {
  return order == ORDER_CON || order_acquires(order);
}

/* A test without words of its own has those of the order over memory: what an acquire or a release orders is made
 * visible or available. */
static tag_set usual_words(enum order order, unsigned regions) {
  tag_set tags = 0;
  if (!order_synchronizes(order)) return 0;
  if (regions & REGION_GLOBAL || !(regions & REGION_LOCAL)) tags |= tag_bit(TAG_SEMSC0);
  if (regions & REGION_LOCAL) tags |= tag_bit(TAG_SEMSC1);
  if (order_releases(order)) tags |= tag_bit(TAG_SEMAV);
  if (acquires(order)) tags |= tag_bit(TAG_SEMVIS);
  return tags;
}

/* Storage classes, an order, and what is made available and visible. */
static void print_semantics(tag_set tags, enum order order, FILE *out) {
  static const struct {
    enum tag tag;
    const char *word;
  } CLASSES[] = {{TAG_SEMSC0, "Buffer"}, {TAG_SEMSC1, "Shared"}, {TAG_SEMSC2, "Image"}, {TAG_SEMSC3, "Output"}};
  bool some = false;
  for (unsigned i = 0; i < ARRAY_COUNT(CLASSES); i++) {
    if (!tags_have(tags, CLASSES[i].tag)) continue;
    fprintf(out, "%sgl_StorageSemantics%s", some ? " | " : "", CLASSES[i].word);
    some = true;
  }
  fprintf(out, "%s, gl_Semantics%s%s%s", some ? "" : "0", acquires(order) ? "Acquire" : "",
          order_releases(order) ? "Release" : "", order_synchronizes(order) ? "" : "Relaxed");
  if (tags_have(tags, TAG_SEMAV)) fputs(" | gl_SemanticsMakeAvailable", out);
  if (tags_have(tags, TAG_SEMVIS)) fputs(" | gl_SemanticsMakeVisible", out);
}

static bool has_words(const struct instr *instr) {
  return instr->tags != 0;
}

/* Those of an atomic operation order all memory that tests have; `own`: of the half, or halves, that the order is of.
 */
static void print_atomic(const struct instr *instr, tag_set own, enum order order, FILE *out) {
  print_semantics(has_words(instr) ? own : usual_words(order, REGION_GLOBAL | REGION_LOCAL), order, out);
}

static void print_fence(const struct instr *instr, enum scope scope, enum order order, FILE *out) {
  fprintf(out, "%s, ", scope_text(scope));
  print_semantics(has_words(instr) ? instr->tags : usual_words(order, instr->regions), order, out);
}

/* What the buffer of cells is declared as for an ordinary access. */
static const char *qualifier_of(const struct instr *instr) {
  static const char *const SCOPES[] = {[SCOPE_SG] = "subgroupcoherent ",
                                       [SCOPE_WG] = "workgroupcoherent ",
                                       [SCOPE_QF] = "queuefamilycoherent ",
                                       [SCOPE_DEV] = "devicecoherent "};
  if (tags_have(instr->tags, TAG_AV) || tags_have(instr->tags, TAG_VIS)) return SCOPES[instr->scope];
  return tags_have(instr->tags, TAG_NONPRIV) ? "nonprivate " : "";
}

/* May another thread access some cell of the address?  Where none does, it does not matter what the buffer is declared
 * as. */
static bool is_shared(const struct program *program, unsigned thread, const struct address *address) {
  const unsigned end = address->base + address_cells(address);
  for (unsigned t = 0; t < program->thread_count; t++)
    ARRAY_EACH (const struct instr, instr, program->threads[t].instrs, program->threads[t].instr_count) {
      const struct address *at = &instr->address;
      if (t != thread && instr_is_access(instr) && at->base < end && address->base < at->base + address_cells(at))
        return true;
    }
  return false;
}

/* That of all ordinary accesses.  `*other`: one that has another than the `*first`; NULL: none has. */
static const char *find_qualifier(const struct layout *layout, const struct instr **first, const struct instr **other) {
  const struct program *program = layout->program;
  const char *found = NULL;
  *first = *other = NULL;
  for (unsigned t = 0; layout->worded && t < program->thread_count; t++)
    ARRAY_EACH (const struct instr, instr, program->threads[t].instrs, program->threads[t].instr_count) {
      if (!instr_is_access(instr) || instr->order != ORDER_NA || tags_have(instr->tags, TAG_SC1)) continue;
      if (!is_shared(program, t, &instr->address)) continue;
      const char *own = qualifier_of(instr);
      if (found && strcmp(found, own) != 0 && !*other) *other = instr;
      if (!found) found = own, *first = instr;
    }
  return found ? found : "nonprivate ";
}

/* ---- the kernel ---- */

/* `the access of data[0] (line 20) is nonprivate` */
static const char *access_text(const struct layout *layout, const struct instr *instr, struct arena *arena) {
  const char *qualifier = qualifier_of(instr);
  unsigned line = 0;
  if (instr->span.length) source_position(layout->program->source, instr->span.at, &line, &(unsigned){0});
  return arena_printf(arena, "the access of %s%s is %.*s", layout->program->locations[instr->address.base].name,
                      line ? arena_printf(arena, " (line %u)", line) : "",
                      *qualifier ? (int)strcspn(qualifier, " ") : (int)strlen("private"),
                      *qualifier ? qualifier : "private");
}

static void refuse(const struct layout *layout, struct diags *diags) {
  const struct source *source = layout->program->source;
  const struct instr *sc = layout_ordered(layout, false, 1u << ORDER_SC), *first, *other;
  if (!sc) sc = layout_ordered(layout, true, 1u << ORDER_SC);
  if (sc) diag_error(diags, source, sc->span, "the Vulkan memory model has no sequentially consistent operations");
  if (layout->widens)
    diag_error(diags, source, layout->widens->span,
               "GLSL's atomic operations are emitted for values of 32 bits only, and this may need more");
  else if (layout->wide)
    diag_fail(diags, "%s: GLSL's atomic operations are emitted for values of 32 bits only, and %s has more at first",
              source->name, layout->wide);
  find_qualifier(layout, &first, &other);
  if (other)
    diag_error(
        diags, source, other->span,
        "GLSL cannot express this: all locations are to be in one buffer, which has one qualifier, but %s and %s",
        access_text(layout, first, diags->arena), access_text(layout, other, diags->arena));
}

static const char head[] =
    "#version 450\n"
    "#pragma use_vulkan_memory_model\n"
    "#extension GL_KHR_memory_scope_semantics : require\n";

static const char buffers[] =
    "buffer Cells { int cells[]; };\n"
    "layout(std430, binding = 1) buffer Results { int results[]; };\n"
    "layout(std430, binding = 2) readonly buffer Deal { uint deal[]; };\n"
    "layout(std430, binding = 3) readonly buffer Places { uint places[]; };\n"
    "layout(std430, binding = 4) nonprivate buffer Pad { int pad[]; };\n"
    "layout(std430, binding = 5) readonly buffer Params { uint params[]; };\n"
    "#define plain cells\n"
    "#define plain_locals locals\n"
    "const uint STEPS = 0, GROUPS = 1, STRIDE = 2, SPINS = 3, PRE = 4, ROUNDS = 5, LINES = 6, LINE = 7, PATTERN = 8,\n"
    "           INSTANCES = 9, GATHER = 10, CELL = 11, DONE = 0, BEGUN = 32, STRESS = 64;\n\n"
    "int quotient(int a, int b) { return b == 0 ? 0 : b == -1 ? 0 - a : a / b; }\n"
    "int rest(int a, int b) { return b == 0 || b == -1 ? 0 : a - a / b * b; }\n"
    "int shift_left(int a, int b) { return a << (b & 31); }\n"
    "int shift_right(int a, int b) { return a >> (b & 31); }\n"
    "uint within(int index, uint size) { return index >= 0 && index < int(size) ? uint(index) : 0u; }\n\n"
    "#define PAD_LOAD(x) atomicLoad(x, gl_ScopeDevice, 0, gl_SemanticsRelaxed)\n"
    "#define PAD_STORE(x, v) atomicStore(x, v, gl_ScopeDevice, 0, gl_SemanticsRelaxed)\n"
    "/* Loads and stores of memory that no test looks at. */\n"
    "void stress(uint seed) {\n"
    "  uint at = STRESS + seed * 2654435761u % params[LINES] * params[LINE];\n"
    "  int seen = 0;\n"
    "  if (params[PATTERN] < 2u) { PAD_STORE(pad[at], int(seed)); } else { seen = PAD_LOAD(pad[at]); }\n"
    "  if ((params[PATTERN] & 1u) != 0u) { PAD_STORE(pad[at], int(seed)); } else { seen = PAD_LOAD(pad[at]); }\n"
    "}\n"
    "void warm(uint seed, uint count) { for (uint i = 0u; i < count; i++) stress(seed + i); }\n"
    "/* A work-group that only stresses, until the testing ones are through. */\n"
    "void strain(uint group) {\n"
    "  for (uint i = 0u; i < params[ROUNDS]; i++) {\n"
    "    stress(group * 31u + i);\n"
    "    if (PAD_LOAD(pad[DONE]) >= int(params[GROUPS])) return;\n"
    "  }\n"
    "}\n"
    "void finish(uint item) { if (item == 0u) atomicAdd(pad[DONE], 1, gl_ScopeDevice, 0, gl_SemanticsRelaxed); }\n"
    "/* Returns when all testing groups have begun, or a time is over. */\n"
    "void gather(uint item) {\n"
    "  if (item != 0u) return;\n"
    "  atomicAdd(pad[BEGUN], 1, gl_ScopeDevice, 0, gl_SemanticsRelaxed);\n"
    "  for (uint i = 0u; i < params[GATHER]; i++)\n"
    "    if (PAD_LOAD(pad[BEGUN]) >= int(params[GROUPS])) return;\n"
    "}\n"
    "/* The parts of an instance meet here; none waits for ever, for others may not be running: who waits in vain\n"
    "   waits for half as long the next time.  Returns how long that is. */\n"
    "uint meet(uint at, uint parts, uint patience) {\n"
    "  atomicAdd(cells[at], 1, gl_ScopeDevice, 0, gl_SemanticsRelaxed);\n"
    "  for (uint i = 0u; i < patience; i++)\n"
    "    if (atomicLoad(cells[at], gl_ScopeDevice, 0, gl_SemanticsRelaxed) >= int(parts)) return params[SPINS];\n"
    "  return patience > params[SPINS] / 32u ? patience / 2u : patience;\n"
    "}\n\n";

static void prelude(const struct layout *layout, const struct kernel_options *options, FILE *out) {
  fputs(head, out);
  fprintf(out, "/* %s: instances of a litmus test, written by litscope. */\n", options->name);
  fprintf(out, "layout(local_size_x = %u) in;\n", kernel_items(layout, options));
  if (layout->local_count)
    fprintf(out, "#define LOCALS %uu\nshared int locals[%u];\n", layout->local_count,
            layout->local_count * options->lanes);
  const struct instr *first, *other;
  fprintf(out, "layout(std430, binding = 0) %s", find_qualifier(layout, &first, &other));
  fputs(buffers, out);
  fputs("void main() {\n", out);
}

static tag_set words_of(const struct instr *instr) {
  return instr->tags | instr->read_tags | instr->write_tags;
}

static void strength(const struct kernel_access *a, FILE *out) {
  fprintf(out, ", %s, ", scope_text(a->scope));
  print_atomic(a->instr, words_of(a->instr), a->order, out);
  fputc(')', out);
}

static void rmw(const struct kernel_access *a, FILE *out) {
  static const char *const names[] = {"Exchange", "Add", "Add", "Or", "Xor", "And", "Min", "Max"};
  fprintf(out, a->instr->op == RMW_SUB ? "atomic%s(%s, -(%s)" : "atomic%s(%s, %s", names[a->instr->op], a->cell,
          a->value);
}

static void swap(const struct kernel_access *a, const char *indent, FILE *out) {
  fprintf(out, "%sint old = atomicCompSwap(%s, wanted, %s, %s, ", indent, a->cell, a->value, scope_text(a->scope));
  print_atomic(a->instr, words_of(a->instr), a->order, out);
  fputs(", ", out);
  print_atomic(a->instr, a->instr->failed_tags, a->failure, out);
  fprintf(out, ");\n%sbool done = old == wanted;\n", indent);
}

/* A relaxed fence orders nothing. */
static void fence(const struct kernel_access *a, FILE *out) {
  if (!order_synchronizes(a->order)) return;
  fputs("memoryBarrier(", out);
  print_fence(a->instr, a->scope, a->order, out);
  fputc(')', out);
}

/* Of barriers that are one on a device, some may order and others not. */
static enum order barrier_order(const struct instr *instr) {
  bool acquires = tags_have(instr->tags, TAG_ACQ), releases = tags_have(instr->tags, TAG_REL);
  if (!has_words(instr)) return ORDER_ACQ_REL;
  return acquires && releases ? ORDER_ACQ_REL : acquires ? ORDER_ACQ : releases ? ORDER_REL : ORDER_RLX;
}

static void barrier(const struct instr *instr, const char *indent, FILE *out) {
  fprintf(out, "%scontrolBarrier(gl_ScopeWorkgroup, ", indent);
  print_fence(instr, instr->scope, barrier_order(instr), out);
  fputs(");\n", out);
}

const struct dialect dialect_vulkan = {
    .name = "vulkan",
    .value = {"int", "int"},
    .index = "uint",
    .truth = "int",
    .group = "gl_WorkGroupID.x",
    .item = "gl_LocalInvocationIndex",
    .refuse = refuse,
    .prelude = prelude,
    .load = "atomicLoad(",
    .store = "atomicStore(",
    .rmw = rmw,
    .strength = strength,
    .swap = swap,
    .fence = fence,
    .barrier = barrier,
    .join =
        "controlBarrier(gl_ScopeWorkgroup, gl_ScopeWorkgroup, gl_StorageSemanticsShared, gl_SemanticsAcquireRelease "
        "| gl_SemanticsMakeAvailable | gl_SemanticsMakeVisible);",
    .mixed = true,
};
