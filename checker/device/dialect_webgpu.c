/* SPDX-License-Identifier: MIT */
/* WGSL: relaxed atomic operations of 32 bits at one scope, that of the device,
 * and barriers of a work-group.  What has an order cannot be said; a narrower
 * scope becomes the device's.  Atomic and ordinary locations are of different
 * types, so each has arrays of its own, and an ordinary access to an atomic
 * location is a relaxed one. */
#include "checker/device/kernel_writer.h"

static void refuse(const struct layout *layout, struct diags *diags) {
  const struct source *source = layout->program->source;
  const unsigned ordered = ~(1u << ORDER_RLX | 1u << ORDER_NA);
  const struct instr *atomic = layout_ordered(layout, false, ordered), *fence = layout_ordered(layout, true, ordered);
  if (atomic)
    diag_error(diags, source, atomic->span, "WGSL has relaxed atomic operations only: no acquire, release or seq_cst");
  if (fence) diag_error(diags, source, fence->span, "WGSL has no fences without a barrier");
  if (layout->widens)
    diag_error(diags, source, layout->widens->span, "WGSL has no values of 64 bits");
  else if (layout->wide)
    diag_fail(diags, "%s: WGSL has no values of 64 bits, which %s has at first", source->name, layout->wide);
}

static const char helpers[] =
    "const STEPS = 0u; const GROUPS = 1u; const STRIDE = 2u; const SPINS = 3u; const PRE = 4u; const ROUNDS = 5u;\n"
    "const LINES = 6u; const LINE = 7u; const PATTERN = 8u; const INSTANCES = 9u; const GATHER = 10u;\n"
    "const CELL = 11u; const DONE = 0u; const BEGUN = 32u; const STRESS = 64u;\n\n"
    "fn quotient(a: i32, b: i32) -> i32 { if (b == 0) { return 0; } return a / b; }\n"
    "fn rest(a: i32, b: i32) -> i32 { if (b == 0) { return 0; } return a % b; }\n"
    "fn shift_left(a: i32, b: i32) -> i32 { return a << (u32(b) & 31u); }\n"
    "fn shift_right(a: i32, b: i32) -> i32 { return a >> (u32(b) & 31u); }\n"
    "fn within(index: i32, size: u32) -> u32 {\n"
    "  if (index >= 0 && index < i32(size)) { return u32(index); }\n"
    "  return 0u;\n"
    "}\n\n"
    "// Loads and stores of memory that no test looks at.\n"
    "fn stress(seed: u32) {\n"
    "  let at = STRESS + ((seed * 2654435761u) % params[LINES]) * params[LINE];\n"
    "  if (params[PATTERN] < 2u) { atomicStore(&pad[at], i32(seed)); } else { _ = atomicLoad(&pad[at]); }\n"
    "  if ((params[PATTERN] & 1u) != 0u) { atomicStore(&pad[at], i32(seed)); } else { _ = atomicLoad(&pad[at]); }\n"
    "}\n"
    "fn warm(seed: u32, count: u32) { for (var i = 0u; i < count; i++) { stress(seed + i); } }\n"
    "// A work-group that only stresses, until the testing ones are through.\n"
    "fn strain(group: u32) {\n"
    "  for (var i = 0u; i < params[ROUNDS]; i++) {\n"
    "    stress(group * 31u + i);\n"
    "    if (atomicLoad(&pad[DONE]) >= i32(params[GROUPS])) { return; }\n"
    "  }\n"
    "}\n"
    "fn finish(item: u32) { if (item == 0u) { _ = atomicAdd(&pad[DONE], 1); } }\n"
    "// Returns when all testing groups have begun, or a time is over.\n"
    "fn gather(item: u32) {\n"
    "  if (item != 0u) { return; }\n"
    "  _ = atomicAdd(&pad[BEGUN], 1);\n"
    "  for (var i = 0u; i < params[GATHER]; i++) { if (atomicLoad(&pad[BEGUN]) >= i32(params[GROUPS])) { return; } }\n"
    "}\n"
    "// The parts of an instance meet here; none waits for ever, for others may not be running: who waits in vain\n"
    "// waits for half as long the next time.  Returns how long that is.\n"
    "fn meet(at: u32, parts: i32, patience: u32) -> u32 {\n"
    "  _ = atomicAdd(&cells[at], 1);\n"
    "  for (var i = 0u; i < patience; i++) { if (atomicLoad(&cells[at]) >= parts) { return params[SPINS]; } }\n"
    "  if (patience > params[SPINS] / 32u) { return patience / 2u; }\n"
    "  return patience;\n"
    "}\n\n";

static bool has_plain(const struct layout *layout, bool local) {
  for (unsigned i = 0; i < layout->program->location_count; i++)
    if ((layout->local[i] >= 0) == local && !kernel_atomic(layout, i)) return true;
  return false;
}

static void prelude(const struct layout *layout, const struct kernel_options *options, FILE *out) {
  unsigned locals = layout->local_count * options->lanes;
  fprintf(out, "// %s: instances of a litmus test, written by litscope.\n", options->name);
  fputs(
      "@group(0) @binding(0) var<storage, read_write> cells: array<atomic<i32>>;\n"
      "@group(0) @binding(1) var<storage, read_write> results: array<i32>;\n"
      "@group(0) @binding(2) var<storage, read> deal: array<u32>;\n"
      "@group(0) @binding(3) var<storage, read> places: array<u32>;\n"
      "@group(0) @binding(4) var<storage, read_write> pad: array<atomic<i32>>;\n"
      "@group(0) @binding(5) var<storage, read> params: array<u32>;\n",
      out);
  if (has_plain(layout, false)) fputs("@group(0) @binding(6) var<storage, read_write> plain: array<i32>;\n", out);
  if (locals)
    fprintf(out, "const LOCALS = %uu;\nvar<workgroup> locals: array<atomic<i32>, %u>;\n", layout->local_count, locals);
  if (has_plain(layout, true)) fprintf(out, "var<workgroup> plain_locals: array<i32, %u>;\n", locals);
  fputs(helpers, out);
  fprintf(out,
          "@compute @workgroup_size(%u)\n"
          "fn main(@builtin(workgroup_id) workgroup: vec3<u32>, @builtin(local_invocation_index) item: u32) {\n",
          kernel_items(layout, options));
}

static void rmw(const struct kernel_access *a, FILE *out) {
  static const char *const names[] = {"Exchange", "Add", "Sub", "Or", "Xor", "And", "Min", "Max"};
  fprintf(out, "%satomic%s(&%s, %s", a->instr->reg == NO_REG ? "_ = " : "", names[a->instr->op], a->cell, a->value);
}

static void strength(const struct kernel_access *a, FILE *out) {
  (void)a;
  fputc(')', out);
}

/* The weak one may fail although the value is the wanted one: then again. */
static void swap(const struct kernel_access *a, const char *indent, FILE *out) {
  fprintf(out,
          "%svar old: i32 = wanted;\n"
          "%svar done: bool = false;\n"
          "%sloop {\n"
          "%s  let tried = atomicCompareExchangeWeak(&%s, wanted, %s);\n"
          "%s  old = tried.old_value;\n"
          "%s  done = tried.exchanged;\n"
          "%s  if (done || old != wanted) { break; }\n"
          "%s}\n",
          indent, indent, indent, indent, a->cell, a->value, indent, indent, indent, indent);
}

static void fence(const struct kernel_access *a, FILE *out) {
  (void)a, (void)out; /* a relaxed one, which orders nothing */
}

static void barrier(const struct instr *instr, const char *indent, FILE *out) {
  if (!instr->regions || instr->regions & REGION_GLOBAL) fprintf(out, "%sstorageBarrier();\n", indent);
  fprintf(out, "%sworkgroupBarrier();\n", indent);
}

const struct dialect dialect_webgpu = {
    .name = "webgpu",
    .value = {"i32", "i32"},
    .index = "u32",
    .truth = "i32",
    .typed_names = true,
    .group = "workgroup.x",
    .item = "item",
    .refuse = refuse,
    .prelude = prelude,
    .load = "atomicLoad(&",
    .store = "atomicStore(&",
    .rmw = rmw,
    .strength = strength,
    .swap = swap,
    .fence = fence,
    .barrier = barrier,
    .join = "workgroupBarrier();",
};
