/* SPDX-License-Identifier: MIT */
/* Kernels in OpenCL C as code for the AMD machine. */
#include "checker/compiler/opencl_kernel.h"

#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/compiler/local_memory_layout.h"

/* ---- source ---- */

/* OpenCL's functions as operations of the compiler; those that say how many work-items there are as constants. */
static const char library[] =
    "#define LITSCOPE_PICK7(a, b, c, d, e, f, name, ...) name\n"
    "#define atomic_init(p, v) __opencl_atomic_init(p, v)\n"
    "#define atomic_load(p) __opencl_atomic_load(p, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_store(p, v) __opencl_atomic_store(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define LITSCOPE_LOAD2(p, o) __opencl_atomic_load(p, o, memory_scope_device)\n"
    "#define LITSCOPE_LOAD3(p, o, s) __opencl_atomic_load(p, o, s)\n"
    "#define atomic_load_explicit(...) LITSCOPE_PICK7(__VA_ARGS__, , , , LITSCOPE_LOAD3, LITSCOPE_LOAD2, "
    ")(__VA_ARGS__)\n"
    "#define LITSCOPE_THREE(op, p, v, o) op(p, v, o, memory_scope_device)\n"
    "#define LITSCOPE_FOUR(op, p, v, o, s) op(p, v, o, s)\n"
    "#define LITSCOPE_VALUE(op, ...) LITSCOPE_PICK7(op, __VA_ARGS__, , LITSCOPE_FOUR, LITSCOPE_THREE, )(op, "
    "__VA_ARGS__)\n"
    "#define atomic_store_explicit(...) LITSCOPE_VALUE(__opencl_atomic_store, __VA_ARGS__)\n"
    "#define atomic_exchange_explicit(...) LITSCOPE_VALUE(__opencl_atomic_exchange, __VA_ARGS__)\n"
    "#define atomic_exchange(p, v) __opencl_atomic_exchange(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_add_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_add, __VA_ARGS__)\n"
    "#define atomic_fetch_add(p, v) __opencl_atomic_fetch_add(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_sub_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_sub, __VA_ARGS__)\n"
    "#define atomic_fetch_sub(p, v) __opencl_atomic_fetch_sub(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_or_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_or, __VA_ARGS__)\n"
    "#define atomic_fetch_or(p, v) __opencl_atomic_fetch_or(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_xor_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_xor, __VA_ARGS__)\n"
    "#define atomic_fetch_xor(p, v) __opencl_atomic_fetch_xor(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_and_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_and, __VA_ARGS__)\n"
    "#define atomic_fetch_and(p, v) __opencl_atomic_fetch_and(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_min_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_min, __VA_ARGS__)\n"
    "#define atomic_fetch_min(p, v) __opencl_atomic_fetch_min(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define atomic_fetch_max_explicit(...) LITSCOPE_VALUE(__opencl_atomic_fetch_max, __VA_ARGS__)\n"
    "#define atomic_fetch_max(p, v) __opencl_atomic_fetch_max(p, v, memory_order_seq_cst, memory_scope_device)\n"
    "#define LITSCOPE_STRONG5(p, e, d, o, f) __opencl_atomic_compare_exchange_strong(p, e, d, o, f, "
    "memory_scope_device)\n"
    "#define LITSCOPE_STRONG6(p, e, d, o, f, s) __opencl_atomic_compare_exchange_strong(p, e, d, o, f, s)\n"
    "#define atomic_compare_exchange_strong_explicit(...) LITSCOPE_PICK7(__VA_ARGS__, LITSCOPE_STRONG6, "
    "LITSCOPE_STRONG5, )(__VA_ARGS__)\n"
    "#define atomic_compare_exchange_strong(p, e, d) LITSCOPE_STRONG5(p, e, d, memory_order_seq_cst, "
    "memory_order_seq_cst)\n"
    "#define LITSCOPE_WEAK5(p, e, d, o, f) __opencl_atomic_compare_exchange_weak(p, e, d, o, f, memory_scope_device)\n"
    "#define LITSCOPE_WEAK6(p, e, d, o, f, s) __opencl_atomic_compare_exchange_weak(p, e, d, o, f, s)\n"
    "#define atomic_compare_exchange_weak_explicit(...) LITSCOPE_PICK7(__VA_ARGS__, LITSCOPE_WEAK6, LITSCOPE_WEAK5, "
    ")(__VA_ARGS__)\n"
    "#define atomic_compare_exchange_weak(p, e, d) LITSCOPE_WEAK5(p, e, d, memory_order_seq_cst, "
    "memory_order_seq_cst)\n"
    "#define LITSCOPE_SET2(p, o) LITSCOPE_SET3(p, o, memory_scope_device)\n"
    "#define LITSCOPE_SET3(p, o, s) ((bool)__opencl_atomic_exchange(p, 1, o, s))\n"
    "#define atomic_flag_test_and_set_explicit(...) LITSCOPE_PICK7(__VA_ARGS__, , , , LITSCOPE_SET3, LITSCOPE_SET2, "
    ")(__VA_ARGS__)\n"
    "#define atomic_flag_test_and_set(p) LITSCOPE_SET2(p, memory_order_seq_cst)\n"
    "#define LITSCOPE_CLEAR2(p, o) LITSCOPE_CLEAR3(p, o, memory_scope_device)\n"
    "#define LITSCOPE_CLEAR3(p, o, s) __opencl_atomic_store(p, 0, o, s)\n"
    "#define atomic_flag_clear_explicit(...) LITSCOPE_PICK7(__VA_ARGS__, , , , LITSCOPE_CLEAR3, LITSCOPE_CLEAR2, "
    ")(__VA_ARGS__)\n"
    "#define atomic_flag_clear(p) LITSCOPE_CLEAR2(p, memory_order_seq_cst)\n"
    "#define atomic_add(p, v) __scoped_atomic_fetch_add(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_add(p, v) atomic_add(p, v)\n"
    "#define atomic_sub(p, v) __scoped_atomic_fetch_sub(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_sub(p, v) atomic_sub(p, v)\n"
    "#define atomic_or(p, v) __scoped_atomic_fetch_or(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_or(p, v) atomic_or(p, v)\n"
    "#define atomic_and(p, v) __scoped_atomic_fetch_and(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_and(p, v) atomic_and(p, v)\n"
    "#define atomic_xor(p, v) __scoped_atomic_fetch_xor(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_xor(p, v) atomic_xor(p, v)\n"
    "#define atomic_min(p, v) __scoped_atomic_fetch_min(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_min(p, v) atomic_min(p, v)\n"
    "#define atomic_max(p, v) __scoped_atomic_fetch_max(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_max(p, v) atomic_max(p, v)\n"
    "#define atomic_xchg(p, v) __scoped_atomic_exchange_n(p, v, __ATOMIC_RELAXED, __MEMORY_SCOPE_DEVICE)\n"
    "#define atom_xchg(p, v) atomic_xchg(p, v)\n"
    "#define LITSCOPE_CMPXCHG(p, e, v) ({ __typeof__(e) litscope_e = (e); "
    "__scoped_atomic_compare_exchange_n(p, &litscope_e, v, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED, "
    "__MEMORY_SCOPE_DEVICE); litscope_e; })\n"
    "#define atomic_cmpxchg(p, e, v) LITSCOPE_CMPXCHG(p, e, v)\n"
    "#define atom_cmpxchg(p, e, v) LITSCOPE_CMPXCHG(p, e, v)\n"
    "#define atomic_inc(p) atomic_add(p, 1)\n"
    "#define atomic_dec(p) atomic_sub(p, 1)\n"
    "#define atom_inc(p) atomic_add(p, 1)\n"
    "#define atom_dec(p) atomic_sub(p, 1)\n"
    "#define LITSCOPE_SCOPE_memory_scope_work_item \"singlethread\"\n"
    "#define LITSCOPE_SCOPE_memory_scope_sub_group \"wavefront\"\n"
    "#define LITSCOPE_SCOPE_memory_scope_work_group \"workgroup\"\n"
    "#define LITSCOPE_SCOPE_memory_scope_device \"agent\"\n"
    "#define LITSCOPE_SCOPE_memory_scope_all_svm_devices \"\"\n"
    "#define LITSCOPE_SCOPE_memory_scope_all_devices \"\"\n"
    "#define LITSCOPE_FENCE_memory_order_relaxed(scope) (void)0\n"
    "#define LITSCOPE_FENCE_memory_order_acquire(scope) __builtin_amdgcn_fence(__ATOMIC_ACQUIRE, scope)\n"
    "#define LITSCOPE_FENCE_memory_order_release(scope) __builtin_amdgcn_fence(__ATOMIC_RELEASE, scope)\n"
    "#define LITSCOPE_FENCE_memory_order_acq_rel(scope) __builtin_amdgcn_fence(__ATOMIC_ACQ_REL, scope)\n"
    "#define LITSCOPE_FENCE_memory_order_seq_cst(scope) __builtin_amdgcn_fence(__ATOMIC_SEQ_CST, scope)\n"
    "#define LITSCOPE_FENCE(order, scope) LITSCOPE_FENCE_##order(LITSCOPE_SCOPE_##scope)\n"
    "#define LITSCOPE_AND_FENCE(order, scope) LITSCOPE_FENCE(order, scope)\n"
    "#define atomic_work_item_fence(flags, order, scope) LITSCOPE_AND_FENCE(order, scope)\n"
    "#define mem_fence(flags) LITSCOPE_FENCE(memory_order_acq_rel, memory_scope_work_group)\n"
    "#define read_mem_fence(flags) LITSCOPE_FENCE(memory_order_acquire, memory_scope_work_group)\n"
    "#define write_mem_fence(flags) LITSCOPE_FENCE(memory_order_release, memory_scope_work_group)\n"
    "#define LITSCOPE_JOIN(scope) (LITSCOPE_FENCE(memory_order_release, scope), __builtin_amdgcn_s_barrier(), \\\n"
    "  LITSCOPE_FENCE(memory_order_acquire, scope))\n"
    "#define LITSCOPE_BARRIER1(flags) LITSCOPE_JOIN(memory_scope_work_group)\n"
    "#define LITSCOPE_BARRIER2(flags, scope) LITSCOPE_JOIN(scope)\n"
    "#define work_group_barrier(...) LITSCOPE_PICK7(__VA_ARGS__, , , , , LITSCOPE_BARRIER2, LITSCOPE_BARRIER1, "
    ")(__VA_ARGS__)\n"
    "#define barrier(flags) LITSCOPE_BARRIER1(flags)\n"
    "#define min(a, b) __builtin_elementwise_min(a, b)\n"
    "#define max(a, b) __builtin_elementwise_max(a, b)\n"
    "#define clamp(x, a, b) min(max(x, a), b)\n"
    "#define abs(x) _Generic((x), int: (uint)__builtin_elementwise_abs(x), long: "
    "(ulong)__builtin_elementwise_abs((long)(x)))\n"
    "#define fabs(x) __builtin_elementwise_abs(x)\n"
    "#define fmin(a, b) __builtin_fminf(a, b)\n"
    "#define fmax(a, b) __builtin_fmaxf(a, b)\n"
    "#define fma(a, b, c) __builtin_fmaf(a, b, c)\n"
    "#define mad(a, b, c) ((a) * (b) + (c))\n"
    "#define clz(x) __builtin_elementwise_clzg(x, (__typeof__(x))(8 * sizeof(x)))\n"
    "#define ctz(x) __builtin_elementwise_ctzg(x, (__typeof__(x))(8 * sizeof(x)))\n"
    "#define popcount(x) __builtin_elementwise_popcount(x)\n"
    "#define rotate(x, n) __builtin_elementwise_fshl(x, x, n)\n"
    "#define mul24(a, b) (((a) << 8 >> 8) * ((b) << 8 >> 8))\n"
    "#define mad24(a, b, c) (mul24(a, b) + (c))\n"
    "#define add_sat(a, b) __builtin_elementwise_add_sat(a, b)\n"
    "#define sub_sat(a, b) __builtin_elementwise_sub_sat(a, b)\n"
    "#define hadd(a, b) ((__typeof__(a))(((a) & (b)) + (((a) ^ (b)) >> 1)))\n"
    "#define rhadd(a, b) ((__typeof__(a))(((a) | (b)) - (((a) ^ (b)) >> 1)))\n"
    "#define mul_hi(a, b) _Generic((a), int: (int)((long)(a) * (b) >> 32), uint: (uint)((ulong)(a) * (b) >> 32))\n"
    "#define mad_hi(a, b, c) (mul_hi(a, b) + (c))\n"
    "#define abs_diff(a, b) ((a) > (b) ? (uint)(a) - (uint)(b) : (uint)(b) - (uint)(a))\n"
    "#define bitselect(a, b, c) ({ __typeof__(a) litscope_c = (c); (a) & ~litscope_c | (b) & litscope_c; })\n"
    "#define select(a, b, c) ({ __typeof__(a) litscope_a = (a), litscope_b = (b); (c) ? litscope_b : litscope_a; })\n"
    "#define printf(format, ...) ((void)0, ##__VA_ARGS__, 0)\n"
    "#if __has_attribute(device_kernel)\n"
    "#define __kernel __attribute__((device_kernel))\n"
    "#define kernel __attribute__((device_kernel))\n"
    "#endif\n"
    "#pragma clang attribute push(__attribute__((always_inline)), apply_to = function)\n";

/* What is counted along x, then y, then z, as its part in dimension d; of what lies in a row, nothing is computed. */
static void write_part(const char *name, const char *number, const unsigned shape[3], FILE *out) {
  fprintf(out, "#define %s(d) ", name);
  if (shape[1] * shape[2] == 1)
    fprintf(out, "((size_t)((d) ? 0 : %s))\n", number);
  else
    fprintf(out, "((size_t)((d) == 0 ? %s %% %u : (d) == 1 ? %s / %u %% %u : (d) == 2 ? %s / %u : 0))\n", number,
            shape[0], number, shape[0], shape[1], number, shape[0] * shape[1]);
}

static void write_size(const char *name, unsigned x, unsigned y, unsigned z, FILE *out) {
  fprintf(out, "#define %s(d) ((size_t)((d) == 0 ? %u : (d) == 1 ? %u : (d) == 2 ? %u : 1))\n", name, x, y, z);
}

static void write_numbers(const struct kernel_launch *launch, FILE *out) {
  const unsigned *n = launch->item_shape, *g = launch->group_shape;
  write_part("get_local_id", "__builtin_amdgcn_workitem_id_x()", n, out);
  write_part("get_group_id", "__builtin_amdgcn_workgroup_id_x()", g, out);
  write_size("get_local_size", n[0], n[1], n[2], out);
  write_size("get_num_groups", g[0], g[1], g[2], out);
  write_size("get_global_size", n[0] * g[0], n[1] * g[1], n[2] * g[2], out);
  fprintf(out,
          "#define get_work_dim() %uu\n"
          "#define get_global_offset(d) ((size_t)0)\n"
          "#define get_enqueued_local_size(d) get_local_size(d)\n"
          "#define get_global_id(d) (get_local_size(d) * get_group_id(d) + get_local_id(d))\n"
          "#define get_local_linear_id() ((size_t)__builtin_amdgcn_workitem_id_x())\n"
          "#define get_global_linear_id() ((get_global_id(2) * get_global_size(1) + get_global_id(1)) * "
          "get_global_size(0) + get_global_id(0))\n",
          n[2] * g[2] > 1   ? 3
          : n[1] * g[1] > 1 ? 2
                            : 1);
  fputs(launch->items == launch->sub_groups
            ? "#define sub_group_barrier(...) (LITSCOPE_FENCE(memory_order_acq_rel, memory_scope_sub_group), "
              "__builtin_amdgcn_wave_barrier())\n"
              "#define get_sub_group_size() 1u\n"
              "#define get_max_sub_group_size() 1u\n"
              "#define get_sub_group_local_id() 0u\n"
              "#define get_sub_group_id() ((uint)get_local_linear_id())\n"
              "#define get_num_sub_groups() ((uint)(get_local_size(0) * get_local_size(1) * get_local_size(2)))\n"
              "#define sub_group_all(x) (x)\n"
              "#define sub_group_any(x) (x)\n"
              "#define sub_group_broadcast(x, i) (x)\n"
              "#define sub_group_reduce_add(x) (x)\n"
              "#define sub_group_reduce_min(x) (x)\n"
              "#define sub_group_reduce_max(x) (x)\n"
              "#define sub_group_scan_inclusive_add(x) (x)\n"
              "#define sub_group_scan_inclusive_min(x) (x)\n"
              "#define sub_group_scan_inclusive_max(x) (x)\n"
              "#define sub_group_scan_exclusive_add(x) ((x), (__typeof__(x))0)\n"
            : "void litscope_sub_group_barrier(void) __attribute__((error(\"work-items of one sub-group are lanes of "
              "one wave, and litscope runs each as a wave of its own\")));\n"
              "#define sub_group_barrier(...) litscope_sub_group_barrier()\n",
        out);
}

bool kernel_source(struct arena *arena, const struct program *program, struct ir_kernel *kernel, struct diags *diags) {
  const struct kernel_launch *launch = program->kernel_launch;
  if (program->location_count > AMD_LOCATIONS)
    return diag_error(
        diags, program->source, (struct span){0, 0},
        "its code for a GPU cannot be run: %u elements and variables, and the machine has at most %d (@Input "
        "says how long an array is)",
        program->location_count, AMD_LOCATIONS);
  if (launch->unfit)
    return diag_fail(diags, "%s: its code for a GPU cannot be run: %s", program->source->name, launch->unfit);
  struct text text = text_new();
  fputs(library, text.out);
  write_numbers(launch, text.out);
  fprintf(text.out, "#define %s t0\n#line 1 \"%s\"\n", launch->name, program->source->name);
  fwrite(program->source->text, 1, program->source->size, text.out);
  fputs("\n#pragma clang attribute pop\n", text.out);
  *kernel = (struct ir_kernel){.text = text_keep(&text, arena)};
  return true;
}

/* ---- memory ---- */

static bool is_same(const char *a, const char *b) {
  return a == b || (a && b && !strcmp(a, b));
}

/* How many cells its array has before it: what an argument points to is one, a variable outside the kernel, and all
 * local memory. */
static unsigned number_in_array(const struct program *program, unsigned location) {
  const struct kernel_cell *cells = program->kernel_launch->cells;
  enum region region = program->locations[location].region;
  unsigned before = 0;
  for (unsigned k = 0; k < location; k++)
    before += program->locations[k].region == region &&
              (region == REGION_LOCAL ||
               (cells[k].argument == cells[location].argument && is_same(cells[k].variable, cells[location].variable)));
  return before;
}

/* Local memory is one array: variables are where the compiler puts them, and what arguments point to comes after them,
 * far apart. */
static const struct location *locations_in(struct arena *arena, const struct program *program,
                                           const struct local_memory_layout *layout, unsigned group) {
  enum { APART = 0x1000 }; /* bytes */
  struct location *all = ARENA_COPY(arena, struct location, program->locations, program->location_count);
  for (unsigned i = 0; i < program->location_count; i++) {
    const struct kernel_cell *cell = &program->kernel_launch->cells[i];
    bool local = all[i].region == REGION_LOCAL;
    unsigned place = cell->local ? layout->places[cell->local - 1] : 0;
    all[i].at = place + cell->offset;
    all[i].bytes = cell->size;
    all[i].cell = number_in_array(program, i);
    if (cell->argument >= 0 && local) all[i].at += (layout->bytes + 15) / 16 * 16 + (unsigned)cell->argument * APART;
    bool other = group && cell->group && cell->group != group;
    if (other || cell->hidden || place == LOCAL_MEMORY_NOWHERE) all[i].region = 0; /* no address reaches it */
  }
  return all;
}

const struct location *kernel_locations(struct arena *arena, const struct program *program,
                                        const struct amd_code *code) {
  struct local_memory_layout layout;
  local_memory_lay_out(arena, program->kernel_launch, code, &layout);
  return locations_in(arena, program, &layout, 0);
}

/* ---- arguments ---- */

/* An argument as the metadata say: `.offset: 8`, `.value_kind: global_buffer`. */
struct described {
  unsigned offset;
  const char *kind;
};

typedef VEC(struct described) described_list;

static bool begins(const char **line, const char *word) {
  size_t length = strlen(word);
  if (strncmp(*line, word, length) != 0) return false;
  *line += length + strspn(*line + length, " ");
  return true;
}

/* The arguments of the only kernel, in order; hidden ones are the library's, and after the others. */
static described_list read_metadata(struct arena *arena, const char *text) {
  described_list all = {0};
  const char *line = strstr(text, ".args:");
  for (; line && (line = strchr(line, '\n'));) {
    line += 1 + strspn(line + 1, " \t");
    bool item = begins(&line, "- ");
    if (item && *line != '.') break;
    if (item) *vec_push(arena, &all) = (struct described){0, ""};
    if (!all.count || begins(&line, ".group_segment_fixed_size:")) break;
    struct described *last = &all.at[all.count - 1];
    if (begins(&line, ".offset:")) last->offset = (unsigned)strtoul(line, NULL, 10);
    if (begins(&line, ".value_kind:")) last->kind = arena_strndup(arena, line, strcspn(line, " \r\n"));
  }
  return all;
}

static struct amd_argument make_argument(const struct kernel_argument *from, unsigned offset) {
  if (from->location < 0)
    return (struct amd_argument){
        .offset = offset, .kind = AMD_ARGUMENT_BYTES, .bytes = from->image, .size = from->image ? from->size : 0};
  return (struct amd_argument){.offset = offset, .kind = AMD_ARGUMENT_LOCATION, .location = (unsigned)from->location};
}

/* Where flat addresses of private and local memory begin, for GPUs whose code asks the caller: the upper words. */
static const unsigned char *aperture(struct arena *arena, const char *kind) {
  bool local = !strcmp(kind, "hidden_shared_base");
  if (!local && strcmp(kind, "hidden_private_base") != 0) return NULL;
  uint32_t base = local ? AMD_LOCAL_APERTURE : AMD_PRIVATE_APERTURE;
  unsigned char *bytes = ARENA_ARRAY(arena, unsigned char, sizeof base);
  for (unsigned i = 0; i < sizeof base; i++) bytes[i] = (unsigned char)(base >> 8 * i);
  return bytes;
}

/* ---- what the code names ---- */

enum { SYMBOLS_AT = 0x100000 /* bytes, among the arguments */, LEAST_BYTES = 16 };

/* Bytes that a line of data adds, as many as they are; -1: it says something else. */
static int read_data_line(const char *line, unsigned char *bytes, size_t room) {
  static const struct {
    const char *directive;
    unsigned size;
  } SIZES[] = {{".byte", 1}, {".short", 2}, {".long", 4}, {".quad", 8}, {".zero", 0}};
  for (size_t i = 0; i < ARRAY_COUNT(SIZES); i++) {
    char *end;
    if (!begins(&line, SIZES[i].directive)) continue;
    line += strspn(line, "\t");
    uint64_t value = strtoull(line, &end, 0);
    size_t size = SIZES[i].size ? SIZES[i].size : (size_t)value;
    if (end == line || size > room) return -1;
    memset(bytes, 0, size);
    for (unsigned b = 0; b < SIZES[i].size; b++) bytes[b] = (unsigned char)(value >> 8 * b);
    return (int)size;
  }
  return -1;
}

/* The bytes of an object that a name of the assembly is of; NULL: they are not all numbers. */
static const unsigned char *read_data(struct arena *arena, const char *text, const char *name, size_t *size) {
  const char *line = strstr(text, arena_printf(arena, "\n%s:", name));
  const char *declared = strstr(text, arena_printf(arena, "\t.size\t%s, ", name));
  if (!line || !declared) return NULL;
  *size = strtoul(strrchr(arena_strndup(arena, declared, strcspn(declared + 1, "\n") + 1), ' '), NULL, 10);
  if (!*size || *size > SYMBOLS_AT) return NULL;
  unsigned char *bytes = ARENA_ARRAY(arena, unsigned char, *size + LEAST_BYTES);
  for (size_t at = 0; at < *size;) {
    line = strchr(line + 1, '\n');
    if (!line) return NULL;
    const char *data = line + 1 + strspn(line + 1, " \t");
    int more = *data == ';' || *data == '\n' ? 0 : read_data_line(data, bytes + at, *size - at);
    if (more < 0) return NULL;
    at += (size_t)more;
  }
  return bytes;
}

static int location_of_variable(const struct program *program, const char *name) {
  for (unsigned k = 0; k < program->location_count; k++)
    if (is_same(program->kernel_launch->cells[k].variable, name)) return (int)k;
  return -1;
}

typedef VEC(struct amd_argument) argument_list;

/* Variables outside the kernel, and constants, whose bytes come after the arguments. */
static void bind_symbols(struct arena *arena, const struct program *program, argument_list *arguments,
                         struct amd_thread_input *input) {
  static const char declares[] = "\t.type\t";
  const char *text = input->code->source->text;
  VEC(struct amd_symbol) all = {0};
  unsigned next = SYMBOLS_AT;
  for (const char *at = text; (at = strstr(at, declares));) {
    at += sizeof declares - 1;
    size_t length = strcspn(at, ",\n"), size = 0;
    if (!text_begins(at + length, ",@object")) continue;
    const char *name = arena_strndup(arena, at, length);
    struct amd_symbol symbol = {name, location_of_variable(program, name), next};
    const unsigned char *bytes = symbol.location < 0 ? read_data(arena, text, name, &size) : NULL;
    if (symbol.location < 0 && !bytes) continue;
    *vec_push(arena, &all) = symbol;
    if (!bytes) continue;
    *vec_push(arena, arguments) = (struct amd_argument){
        .offset = next, .kind = AMD_ARGUMENT_BYTES, .indexed = true, .bytes = bytes, .size = size};
    next += (unsigned)(size + LEAST_BYTES) / LEAST_BYTES * LEAST_BYTES;
  }
  input->symbols = all.at;
  input->symbol_count = (unsigned)all.count;
}

/* Where the hardware puts the numbers of the work-item and of its group: the latter is in ttmp9 from GFX12 on. */
static void bind_numbers(struct arena *arena, const struct kernel_launch *launch, unsigned thread,
                         struct amd_thread_input *input) {
  struct amd_binding *all = ARENA_ARRAY(arena, struct amd_binding, 3);
  unsigned group = thread / launch->items;
  all[0] = (struct amd_binding){AMD_V, 1, AMD_BIND_NUMBER, thread % launch->items, 0, 0};
  all[1] = (struct amd_binding){AMD_S + input->code->user_registers, 1, AMD_BIND_NUMBER, group, 0, 0};
  all[2] = (struct amd_binding){AMD_TTMP + 9, 1, AMD_BIND_NUMBER, group, 0, 0};
  input->bindings = all;
  input->binding_count = 3;
}

const struct location *kernel_call(struct arena *arena, const struct program *program, unsigned thread,
                                   struct amd_thread_input *input, struct diags *diags) {
  const struct kernel_launch *launch = program->kernel_launch;
  described_list described = read_metadata(arena, input->code->source->text);
  unsigned count = launch->argument_count;
  const struct kernel_argument *from = &launch->arguments[thread / launch->items * count];
  argument_list arguments = {0};
  struct local_memory_layout layout;
  if (described.count < count) {
    diag_fail(diags, "%s: its code says of %zu arguments where they are, and it has %u", program->source->name,
              described.count, count);
    return NULL;
  }
  if (!local_memory_lay_out(arena, launch, input->code, &layout)) {
    diag_error(diags, program->source, (struct span){0, 0},
               "its variables in local memory take %u bytes, and in its code %lu: the compiler has left out some, or "
               "added others, and which is not known",
               layout.bytes, local_memory_bytes(input->code));
    return NULL;
  }
  for (unsigned i = 0; i < count; i++) *vec_push(arena, &arguments) = make_argument(&from[i], described.at[i].offset);
  for (size_t i = count; i < described.count; i++) {
    const unsigned char *base = aperture(arena, described.at[i].kind);
    if (base)
      *vec_push(arena, &arguments) = (struct amd_argument){
          .offset = described.at[i].offset, .kind = AMD_ARGUMENT_BYTES, .bytes = base, .size = sizeof(uint32_t)};
  }
  bind_symbols(arena, program, &arguments, input);
  input->arguments = arguments.at;
  input->argument_count = (unsigned)arguments.count;
  bind_numbers(arena, launch, thread, input);
  return locations_in(arena, program, &layout, 1 + thread / launch->items);
}
