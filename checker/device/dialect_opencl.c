/* SPDX-License-Identifier: MIT */
/* OpenCL C 3.0 (2.0 and later): every order and scope has its own words. */
#include "checker/device/kernel_writer.h"

static const char *scope_text(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_NONE] = "memory_scope_device",        [SCOPE_WI] = "memory_scope_work_item",
      [SCOPE_SG] = "memory_scope_sub_group",       [SCOPE_WG] = "memory_scope_work_group",
      [SCOPE_QF] = "memory_scope_device",          [SCOPE_DEV] = "memory_scope_device",
      [SCOPE_SYS] = "memory_scope_all_svm_devices"};
  return words[scope];
}

static const char *flags_text(unsigned regions) {
  static const char *const words[] = {"CLK_GLOBAL_MEM_FENCE", "CLK_GLOBAL_MEM_FENCE", "CLK_LOCAL_MEM_FENCE",
                                      "CLK_GLOBAL_MEM_FENCE | CLK_LOCAL_MEM_FENCE"};
  return words[regions & 3];
}

static const char operators[] =
    "static value quotient(value a, value b) { return b == 0 ? 0 : b == -1 ? 0 - a : a / b; }\n"
    "static value rest(value a, value b) { return b == 0 || b == -1 ? 0 : a % b; }\n"
    "static value shift_left(value a, value b) { return a << (b & (value)(8 * sizeof a - 1)); }\n"
    "static value shift_right(value a, value b) { return a >> (b & (value)(8 * sizeof a - 1)); }\n"
    "static uint within(value index, uint size) { return index >= 0 && index < (value)size ? (uint)index : 0u; }\n\n";

static const char stress[] =
    "/* Loads and stores of memory that no test looks at. */\n"
    "static void stress_(__global atomic_int *pad, __constant uint *params, uint seed) {\n"
    "  uint at = STRESS + seed * 2654435761u % params[LINES] * params[LINE];\n"
    "  if (params[PATTERN] < 2u)\n"
    "    atomic_store_explicit(&pad[at], (int)seed, memory_order_relaxed, memory_scope_device);\n"
    "  else\n"
    "    (void)atomic_load_explicit(&pad[at], memory_order_relaxed, memory_scope_device);\n"
    "  if (params[PATTERN] & 1u)\n"
    "    atomic_store_explicit(&pad[at], (int)seed, memory_order_relaxed, memory_scope_device);\n"
    "  else\n"
    "    (void)atomic_load_explicit(&pad[at], memory_order_relaxed, memory_scope_device);\n"
    "}\n"
    "static void warm_(__global atomic_int *pad, __constant uint *params, uint seed, uint count) {\n"
    "  for (uint i = 0u; i < count; i++) stress_(pad, params, seed + i);\n"
    "}\n"
    "/* A work-group that only stresses, until the testing ones are through. */\n"
    "static void strain_(__global atomic_int *pad, __constant uint *params, uint group) {\n"
    "  for (uint i = 0u; i < params[ROUNDS]; i++) {\n"
    "    stress_(pad, params, group * 31u + i);\n"
    "    if (atomic_load_explicit(&pad[DONE], memory_order_relaxed, memory_scope_device) >= (int)params[GROUPS]) "
    "return;\n"
    "  }\n"
    "}\n"
    "/* Returns when all testing groups have begun, or a time is over. */\n"
    "static void gather_(__global atomic_int *pad, __constant uint *params) {\n"
    "  atomic_fetch_add_explicit(&pad[BEGUN], 1, memory_order_relaxed, memory_scope_device);\n"
    "  for (uint i = 0u; i < params[GATHER]; i++)\n"
    "    if (atomic_load_explicit(&pad[BEGUN], memory_order_relaxed, memory_scope_device) >= (int)params[GROUPS]) "
    "return;\n"
    "}\n"
    "/* The parts of an instance meet here; none waits for ever, for others may not be running: who waits in vain\n"
    "   waits for half as long the next time.  Returns how long that is. */\n"
    "static uint meet_(__global atomic_value *at, uint parts, uint patience, uint spins) {\n"
    "  atomic_fetch_add_explicit(at, 1, memory_order_relaxed, memory_scope_device);\n"
    "  for (uint i = 0u; i < patience; i++)\n"
    "    if (atomic_load_explicit(at, memory_order_relaxed, memory_scope_device) >= (value)parts) return spins;\n"
    "  return patience > spins / 32u ? patience / 2u : patience;\n"
    "}\n"
    "#define warm(seed, count) warm_(pad, params, seed, count)\n"
    "#define strain(group) strain_(pad, params, group)\n"
    "#define gather(item) if (item == 0u) gather_(pad, params)\n"
    "#define finish(item) if (item == 0u) "
    "atomic_fetch_add_explicit(&pad[DONE], 1, memory_order_relaxed, memory_scope_device)\n"
    "#define meet(at, parts, patience) meet_(&cells[at], parts, patience, params[SPINS])\n\n";

static void prelude(const struct layout *layout, const struct kernel_options *options, FILE *out) {
  fprintf(out, "/* %s: instances of a litmus test, written by litscope. */\n", options->name);
  if (layout->wide)
    fputs(
        "#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable\n"
        "#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable\n",
        out);
  if ((layout->scopes | layout->fence_scopes) >> SCOPE_SYS & 1)
    fputs(
        "#if __OPENCL_C_VERSION__ >= 300 && !defined(__opencl_c_atomic_scope_all_devices)\n"
        "#define memory_scope_all_svm_devices memory_scope_device /* the device has no wider one */\n"
        "#endif\n",
        out);
  fprintf(out, "typedef %s value;\ntypedef atomic_%s atomic_value;\n", layout->wide ? "long" : "int",
          layout->wide ? "long" : "int");
  fputs(
      "enum { STEPS, GROUPS, STRIDE, SPINS, PRE, ROUNDS, LINES, LINE, PATTERN, INSTANCES, GATHER, CELL };\n"
      "enum { DONE = 0, BEGUN = 32, STRESS = 64 };\n",
      out);
  if (layout->local_count) fprintf(out, "#define LOCALS %uu\n", layout->local_count);
  fputs("\n", out);
  fputs(operators, out);
  fputs(stress, out);
  fputs(
      "__kernel void litmus(__global atomic_value *cells, __global value *results, __global const uint *deal,\n"
      "                     __global const uint *places, __global atomic_int *pad, __constant uint *params) {\n"
      "  __global value *plain = (__global value *)cells;\n",
      out);
  if (layout->local_count)
    fprintf(out,
            "  __local atomic_value locals[%u * LOCALS];\n"
            "  __local value *plain_locals = (__local value *)locals;\n",
            options->lanes);
}

static void strength(const struct kernel_access *a, FILE *out) {
  fprintf(out, ", memory_order_%s, %s)", kernel_order(a->order), scope_text(a->scope));
}

static void rmw(const struct kernel_access *a, FILE *out) {
  fprintf(out, "atomic_%s_explicit(&%s, %s", rmw_name(a->instr->op), a->cell, a->value);
}

static void swap(const struct kernel_access *a, const char *indent, FILE *out) {
  fprintf(out,
          "%s%s old = wanted;\n"
          "%sbool done = atomic_compare_exchange_%s_explicit(&%s, &old, %s, memory_order_%s, memory_order_%s, %s);\n",
          indent, a->type, indent, a->instr->weak ? "weak" : "strong", a->cell, a->value, kernel_order(a->order),
          kernel_order(a->failure), scope_text(a->scope));
}

static void fence(const struct kernel_access *a, FILE *out) {
  fprintf(out, "atomic_work_item_fence(%s", flags_text(a->instr->regions));
  strength(a, out);
}

static void barrier(const struct instr *instr, const char *indent, FILE *out) {
  fprintf(out, "%swork_group_barrier(%s, %s);\n", indent, flags_text(instr->regions), scope_text(instr->scope));
}

const struct dialect dialect_opencl = {
    .name = "opencl",
    .value = {"int", "long"},
    .index = "uint",
    .opaque = "volatile uint", /* PoCL 3.1 loses work-items where branches on one value are joined across barriers */
    .truth = "",
    .group = "get_group_id(0)",
    .item = "get_local_id(0)",
    .prelude = prelude,
    .load = "atomic_load_explicit(&",
    .store = "atomic_store_explicit(&",
    .rmw = rmw,
    .strength = strength,
    .swap = swap,
    .fence = fence,
    .barrier = barrier,
    .join = "work_group_barrier(CLK_LOCAL_MEM_FENCE);",
    .mixed = true,
};
