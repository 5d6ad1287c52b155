/* SPDX-License-Identifier: MIT */
/* Source text of threads.
 *
 *   location x    pointer at_x, accessed at_x[id]: id is the number of the work-item, 0
 *   local memory  lds[301 k]: arrays that no instruction reaches together; an
 *                 empty piece of assembly gets its address, or optimisers would
 *                 see that nobody else writes it
 *   fences        what device libraries make of them: a builtin of the processor
 *   barriers      a release fence, the rendezvous, an acquire fence
 *
 * A kernel is named `t0`, for the module to rename. */
#include "checker/compiler/clang_source.h"

#include <inttypes.h>
#include <string.h>

#include "checker/base/text.h"
#include "checker/compiler/opencl_kernel.h"
#include "checker/device/statements.h"

#define GLOBAL_SPACE "__attribute__((address_space(1)))"
#define LOCAL_SPACE "__attribute__((address_space(3)))"

static const char *cell_type(const struct statements *w, const struct address *address) {
  static const char *const types[] = {[1] = "char", [2] = "short", [4] = "int", [8] = "long"};
  return w->wide ? types[ir_cell_bytes(w->program, address->base)] : "value";
}

/* The location; a constant index is part of it. */
static const char *cell(const struct statements *w, const struct address *address, bool plain) {
  const struct expr *index = address->index;
  bool constant = !index || (index->kind == EXPR_CONST && index->value >= 0 && index->value < address->size);
  unsigned location = address->base + (index && constant ? (unsigned)index->value : 0);
  bool local = statements_local(w, address), cast = !plain && w->dialect == &dialect_opencl;
  const char *array = local ? "lds" : statements_location(w, location), *type = cell_type(w, address);
  const char *space =
      w->dialect == &dialect_opencl ? (local ? "__local" : "__global") : (local ? LOCAL_SPACE : GLOBAL_SPACE);
  unsigned first = local ? ir_local_word(w->program, location) : 0, bytes = ir_cell_bytes(w->program, location);
  if (local && first) array = arena_printf(w->arena, "(lds + %u)", first);
  if (cast || w->wide) array = arena_printf(w->arena, "((%s %s%s *)%s)", space, cast ? "atomic_" : "", type, array);
  const char *item = local ? "0" : "id";
  if (constant) return arena_printf(w->arena, "%s[%s]", array, item);
  int64_t start;
  const struct expr *byte = ir_byte_of(address, bytes, &start);
  if (!byte) return arena_printf(w->arena, "%s[%s + %s]", array, item, statements_expression(w, index));
  unsigned apart = local ? IR_LOCAL_STRIDE * (w->wide ? 8 / bytes : 1) : 1;
  return arena_printf(w->arena, "%s[%s + (unsigned)(%s - %" PRId64 "%s) / %u * %u]", array, item,
                      statements_expression(w, byte), w->wide ? start : (int32_t)start, w->wide ? "L" : "", bytes,
                      apart);
}

static void write_head(const struct statements *w, const struct ir_kernel *kernel) {
  fputs("KERNEL void t0(POINTER restrict out", statements_line(w));
  for (unsigned i = 0; i < kernel->location_count; i++)
    fprintf(w->out, ", POINTER %s", statements_location(w, kernel->locations[i]));
  fputs(") {\n", w->out);
}

static void write_body(struct statements *w, unsigned locals) {
  unsigned results = 0;
  w->depth = 1;
  fputs("unsigned id = ITEM;\n", statements_line(w));
  if (locals)
    fprintf(statements_line(w), "LOCAL lds[%u]; SHARE(lds);\n",
            locals > 2 ? IR_LOCAL_STRIDE * (locals - 1) + 211 : 512);
  for (unsigned r = 0; r < w->thread->reg_count; r++) {
    int64_t init = w->thread->reg_init[r];
    statements_declare(w, "value", statements_register(w, w->index, r));
    fprintf(w->out, "%" PRId64 ";\n", w->wide ? init : (int32_t)init);
  }
  statements_write(w, 0, w->thread->instr_count);
  for (unsigned r = 0; r < w->thread->reg_count; r++)
    if (w->thread->reg_names[r])
      fprintf(statements_line(w), "out[%u] = %s;\n", results++, statements_register(w, w->index, r));
  w->depth = 0;
  fputs("}\n", statements_line(w));
}

/* Of a kernel whose values and cells are no words. */
static const char wide_words[] = "#undef value\n#undef natural\n#define value long\n#define natural unsigned long\n",
                  narrow_words[] = "#undef value\n#undef natural\n#define value int\n#define natural unsigned\n";

/* The arguments; false, with diagnostics, for what has no IR or no source. */
static bool check_kernel(struct arena *arena, const struct program *program, unsigned thread,
                         const struct ir_options *options, struct ir_kernel *kernel, struct diags *diags) {
  bool source = options->form != IR_TEXT && options->machine == IR_NVPTX && program->kernel_launch;
  struct ir_options wide = *options;
  struct diags quiet = diags_new(arena);
  if (!source) return ir_kernel(arena, program, thread, options, kernel, diags);
  wide.wide = true;
  return ir_kernel(arena, program, thread, options, kernel, &quiet) ||
         ir_kernel(arena, program, thread, &wide, kernel, diags);
}

bool source_kernel(struct arena *arena, const struct program *program, unsigned thread,
                   const struct ir_options *options, struct ir_kernel *kernel, struct diags *diags) {
  if (options->form == IR_KERNEL) return kernel_source(arena, program, kernel, diags);
  bool good = check_kernel(arena, program, thread, options, kernel, diags);
  if (!good || options->form == IR_TEXT) return good;
  struct text text = text_new();
  struct statements w = {.arena = arena,
                         .program = program,
                         .dialect = options->form == IR_OPENCL ? &dialect_opencl : &dialect_c,
                         .cell = cell,
                         .cell_type = cell_type,
                         .wide = kernel->wide,
                         .jumps = true,
                         .lines = options->lines,
                         .thread = &program->threads[thread],
                         .index = thread,
                         .out = text.out};
  if (kernel->wide) fputs(wide_words, w.out);
  write_head(&w, kernel);
  write_body(&w, kernel->local_count);
  if (kernel->wide) fputs(narrow_words, w.out);
  kernel->text = text_keep(&text, arena);
  return true;
}

/* ---- the module ---- */

/* The arithmetic of tests. */
static const char arithmetic[] =
    "#define value int\n"
    "#define natural unsigned\n"
    "#define shift_left(a, b) ((value)((natural)(a) << ((b) & (8 * sizeof(value) - 1))))\n"
    "#define shift_right(a, b) ((a) >> ((b) & (8 * sizeof(value) - 1)))\n"
    "#define natural_quotient(a, b) ((b) == 0 ? 0 : (natural)(a) / (natural)(b))\n"
    "#define natural_rest(a, b) ((b) == 0 ? 0 : (natural)(a) % (natural)(b))\n"
    "#define quotient(a, b) ((b) == -1 ? (value)(0 - (natural)(a)) : (b) == 0 ? 0 : (value)(a) / (value)(b))\n"
    "#define rest(a, b) ((b) == 0 || (b) == -1 ? 0 : (value)(a) % (value)(b))\n";

/* That of floats, on the bits of doubles (EXPR_FADD and so on; `fused`: a product and a sum, rounded together). */
static const char float_arithmetic[] =
    "#define double_of(a) __builtin_bit_cast(double, (long)(a))\n"
    "#define bits_of(a) __builtin_bit_cast(long, (double)(a))\n"
    "#define float_of(a) __builtin_bit_cast(float, (int)(a))\n"
    "#define bits_of_float(a) ((long)__builtin_bit_cast(int, (float)(a)))\n"
    "#define fadd(a, b) bits_of(double_of(a) + double_of(b))\n"
    "#define fsub(a, b) bits_of(double_of(a) - double_of(b))\n"
    "#define fmul(a, b) bits_of(double_of(a) * double_of(b))\n"
    "#define fdiv(a, b) bits_of(double_of(a) / double_of(b))\n"
    "#define feq(a, b) ((long)(double_of(a) == double_of(b)))\n"
    "#define flt(a, b) ((long)(double_of(a) < double_of(b)))\n"
    "#define narrow(a) bits_of_float((float)double_of(a))\n"
    "#define widen(a) bits_of((double)float_of(a))\n"
    "#define from_int(a) bits_of((double)(long)(a))\n"
    "#define from_uint(a) bits_of((double)(unsigned long)(a))\n"
    "#define TOP 9223372036854775808.0\n"
    "#define fits(a, least, most) (double_of(a) least && double_of(a) < most)\n"
    "#define to_int(a) (fits(a, >= -TOP, TOP) ? (long)double_of(a) : 0)\n"
    "#define to_uint(a) (fits(a, > -1, 2 * TOP) ? (long)(unsigned long)double_of(a) : 0)\n"
    "#define fused(a, b, c) \\\n"
    "  bits_of_float(__builtin_fmaf((float)double_of(a), (float)double_of(b), (float)double_of(c)))\n";

/* Words of OpenCL C: the compiler's own header is long, and declares the operations
 * as functions of a library. */
static const char opencl[] =
    "#define atomic_value atomic_int\n"
    "enum { memory_order_relaxed = __ATOMIC_RELAXED, memory_order_acquire = __ATOMIC_ACQUIRE,\n"
    "       memory_order_release = __ATOMIC_RELEASE, memory_order_acq_rel = __ATOMIC_ACQ_REL,\n"
    "       memory_order_seq_cst = __ATOMIC_SEQ_CST };\n"
    "enum { memory_scope_work_item = __OPENCL_MEMORY_SCOPE_WORK_ITEM,\n"
    "       memory_scope_sub_group = __OPENCL_MEMORY_SCOPE_SUB_GROUP,\n"
    "       memory_scope_work_group = __OPENCL_MEMORY_SCOPE_WORK_GROUP,\n"
    "       memory_scope_device = __OPENCL_MEMORY_SCOPE_DEVICE,\n"
    "       memory_scope_all_svm_devices = __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES };\n"
    "#define atomic_load_explicit __opencl_atomic_load\n"
    "#define atomic_store_explicit __opencl_atomic_store\n"
    "#define atomic_exchange_explicit __opencl_atomic_exchange\n"
    "#define atomic_compare_exchange_strong_explicit __opencl_atomic_compare_exchange_strong\n"
    "#define atomic_compare_exchange_weak_explicit __opencl_atomic_compare_exchange_weak\n"
    "#define atomic_fetch_add_explicit __opencl_atomic_fetch_add\n"
    "#define atomic_fetch_sub_explicit __opencl_atomic_fetch_sub\n"
    "#define atomic_fetch_or_explicit __opencl_atomic_fetch_or\n"
    "#define atomic_fetch_xor_explicit __opencl_atomic_fetch_xor\n"
    "#define atomic_fetch_and_explicit __opencl_atomic_fetch_and\n"
    "#define atomic_fetch_min_explicit __opencl_atomic_fetch_min\n"
    "#define atomic_fetch_max_explicit __opencl_atomic_fetch_max\n"
    "#define atomic_work_item_fence(flags, order, scope) FENCE_##order(SCOPE_##scope)\n"
    "#define work_group_barrier(flags, scope) \\\n"
    "  (FENCE_memory_order_release(SCOPE_##scope), JOIN, FENCE_memory_order_acquire(SCOPE_##scope))\n"
    "#define FENCE_memory_order_relaxed(scope) (void)0\n"
    "#define FENCE_memory_order_acquire(scope) FENCE_BY(__ATOMIC_ACQUIRE, scope)\n"
    "#define FENCE_memory_order_release(scope) FENCE_BY(__ATOMIC_RELEASE, scope)\n"
    "#define FENCE_memory_order_acq_rel(scope) FENCE_BY(__ATOMIC_ACQ_REL, scope)\n"
    "#define FENCE_memory_order_seq_cst(scope) FENCE_BY(__ATOMIC_SEQ_CST, scope)\n"
    "#define SCOPE_memory_scope_work_item SCOPE_work_item\n"
    "#define SCOPE_memory_scope_sub_group SCOPE_sub_group\n"
    "#define SCOPE_memory_scope_work_group SCOPE_work_group\n"
    "#define SCOPE_memory_scope_device SCOPE_device\n"
    "#define SCOPE_memory_scope_all_svm_devices SCOPE_system\n"
    "#define POINTER __global value *\n"
    "#define LOCAL __local value\n"
    /* `__kernel` is a second function that the first one calls, which need not be inlined. */
    "#if __has_attribute(device_kernel)\n"
    "#define KERNEL __attribute__((device_kernel)) SIZE\n"
    "#else\n"
    "#define KERNEL __kernel SIZE\n"
    "#endif\n";

static const char plain_c[] =
    "#include <stdbool.h>\n"
    "#define FENCE(order, scope) FENCE_##order(SCOPE_##scope)\n"
    "#define BARRIER(scope) (FENCE_release(SCOPE_##scope), JOIN, FENCE_acquire(SCOPE_##scope))\n"
    "#define FENCE_relaxed(scope) (void)0\n"
    "#define FENCE_acquire(scope) FENCE_BY(__ATOMIC_ACQUIRE, scope)\n"
    "#define FENCE_release(scope) FENCE_BY(__ATOMIC_RELEASE, scope)\n"
    "#define FENCE_acq_rel(scope) FENCE_BY(__ATOMIC_ACQ_REL, scope)\n"
    "#define FENCE_seq_cst(scope) FENCE_BY(__ATOMIC_SEQ_CST, scope)\n"
    "#define POINTER " GLOBAL_SPACE
    " value *\n"
    "#define LOCAL static __attribute__((address_space(3), loader_uninitialized)) value\n"
    "#if __has_attribute(device_kernel)\n"
    "#define KERNEL __attribute__((device_kernel)) SIZE\n"
    "#else\n"
    "#define KERNEL __attribute__((amdgpu_kernel)) SIZE\n"
    "#endif\n";

/* As ROCm's device libraries spell them. */
static const char amd[] =
    "#define ITEM __builtin_amdgcn_workitem_id_x()\n"
    "#define JOIN __builtin_amdgcn_s_barrier()\n"
    "#define SHARE(array) __asm__ volatile(\"\" : : \"v\"(array) : \"memory\")\n"
    "#define FENCE_BY(order, scope) __builtin_amdgcn_fence(order, scope)\n"
    "#define SCOPE_work_item \"singlethread\"\n"
    "#define SCOPE_sub_group \"wavefront\"\n"
    "#define SCOPE_work_group \"workgroup\"\n"
    "#define SCOPE_device \"agent\"\n"
    "#define SCOPE_system \"\"\n"
    "#define SIZE __attribute__((amdgpu_flat_work_group_size(1, 1024)))\n";

/* As libclc spells them. */
static const char nvidia[] =
    "#define ITEM __nvvm_read_ptx_sreg_tid_x()\n"
    "#define JOIN __nvvm_bar_sync(0)\n"
    "#define SHARE(array) __asm__ volatile(\"\" : : \"l\"(array) : \"memory\")\n"
    "#define FENCE_BY(order, scope) __scoped_atomic_thread_fence(order, scope)\n"
    "#define SCOPE_work_item __MEMORY_SCOPE_SINGLE\n"
    "#define SCOPE_sub_group __MEMORY_SCOPE_WVFRNT\n"
    "#define SCOPE_work_group __MEMORY_SCOPE_WRKGRP\n"
    "#define SCOPE_device __MEMORY_SCOPE_DEVICE\n"
    "#define SCOPE_system __MEMORY_SCOPE_SYSTEM\n"
    "#define SIZE\n";

void source_write_module(const struct ir_kernel *kernels, unsigned count, const bool *skip,
                         const struct ir_options *options, FILE *out) {
  static const char name[] = "void t0(";
  if (options->form == IR_KERNEL) {
    fputs(kernels[0].text, out);
    return;
  }
  if (options->form == IR_TEXT) {
    ir_write_module(kernels, count, skip, options, out);
    return;
  }
  fputs(options->machine == IR_AMDGPU ? amd : nvidia, out);
  fputs(arithmetic, out);
  if (options->machine == IR_NVPTX) fputs(float_arithmetic, out);
  fputs(options->form == IR_OPENCL ? opencl : plain_c, out);
  for (unsigned i = 0; i < count; i++) {
    const char *at = strstr(kernels[i].text, name);
    if (skip && skip[i]) continue;
    fprintf(out, "%.*svoid t%u(%s", (int)(at - kernels[i].text), kernels[i].text, i, at + sizeof name - 1);
  }
}
