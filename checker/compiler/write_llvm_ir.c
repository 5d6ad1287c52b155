/* SPDX-License-Identifier: MIT */
/* LLVM IR of threads.
 *
 * A thread's flat code becomes basic blocks in order; registers are the values
 * they hold where a block starts, joined by phis.  What comes into the head of a
 * loop from its end is known when everything has been written once: threads with
 * loops are written again.
 *
 *   ordinary access     load i32, store i32
 *   atomic access       load atomic, store atomic, with scope and order
 *   read-modify-write   atomicrmw, cmpxchg
 *   fence               fence syncscope("agent") acquire
 *   barrier             release fence, llvm.amdgcn.s.barrier, acquire fence
 */
#include "checker/compiler/write_llvm_ir.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/cursor.h"
#include "checker/base/tags.h"
#include "checker/base/text.h"
#include "checker/base/vec.h"
#include "checker/program/kernel_launch.h"

/* A way into a block: from which, and what the registers hold there. */
struct edge {
  const char *from; /* label */
  unsigned to;      /* block */
  const char **values;
};

struct writer {
  struct arena *arena;
  const struct program *program;
  const struct thread *thread;
  const struct ir_options *options;
  struct diags *diags;
  FILE *out;
  const char **values; /* of registers, here */
  bool *more;          /* by register: it may hold more than 32 bits (extent_of) */
  bool *leader;        /* by instruction: starts a block */
  bool *head;          /* and a jump comes from after it */
  bool loops, reached; /* the end is */
  VEC(struct edge) edges;
  const struct edge *all; /* of the thread, as it was written last; NULL: for the first time */
  size_t all_count;
  VEC(unsigned) arguments; /* locations */
  const struct instr *instr;
  struct counted counted; /* up to it */
  unsigned temporaries;
  const char *block; /* label of the block that is being written */
  bool failed;
};

static const char floats[] = "it computes with floats";
static const char half_floats[] = "it computes with floats of 16 bits";
static const char odd_sums[] = "it rounds a sum of doubles that are no floats, nor products of floats";
static const char no_sign[] = "it computes with unsigned values";
static const char wide[] = "it computes with numbers of 64 bits";
static const char divides[] = "it divides";
static const char no_ir[] = "only OpenCL, C and HSA tests can be compiled to LLVM IR";

static void refuse(struct writer *w, const char *what) {
  bool words_only = what == no_sign || what == wide || what == divides || what == floats;
  if (words_only && w->options->wide) return;
  if (!w->failed)
    diag_error(w->diags, w->program->source, w->instr->span, "%s cannot be compiled: %s", w->thread->name, what);
  w->failed = true;
}

static const char *temporary(struct writer *w) {
  return arena_printf(w->arena, "%%v%u", w->temporaries++);
}

/* `, !dbg !N` for a line of the source, which the tail declares. */
static void end_line(struct writer *w) {
  unsigned line = 0;
  if (w->options->lines && w->instr && w->program->source)
    line = source_line(&w->counted, w->program->source, w->instr->span.at);
  if (line) fprintf(w->out, ", !dbg !{%u}", line);
  fputc('\n', w->out);
}

/* ---- how wide values are ---- */

/* How far a known number shifts; 0: not known. */
static unsigned shift_of(const struct expr *e) {
  bool shifts = (e->kind == EXPR_SHL || e->kind == EXPR_SHR) && e->b->kind == EXPR_CONST;
  return shifts && e->b->value > 0 && e->b->value < 64 ? (unsigned)e->b->value : 0;
}

/* Kernels compute with 64 bits, and IR with their lower 32: do these say the value, as a number with its sign, or as
 * one without? */
enum extent { WORD, UNSIGNED_WORD, MORE };

/* Of both, as one without a sign. */
static bool is_plain(enum extent extent, const struct expr *e) {
  return extent == UNSIGNED_WORD || (e->kind == EXPR_CONST && e->value >= 0 && e->value <= INT32_MAX);
}

static enum extent extent_of(const struct writer *w, const struct expr *e);

static enum extent extent_of_both(const struct writer *w, const struct expr *x, const struct expr *y) {
  enum extent a = extent_of(w, x), b = extent_of(w, y);
  if (a == b) return a;
  return is_plain(a, x) && is_plain(b, y) ? UNSIGNED_WORD : MORE;
}

static enum extent extent_of_and(const struct writer *w, const struct expr *x, const struct expr *y) {
  enum extent a = extent_of(w, x), b = extent_of(w, y);
  if ((is_plain(a, x) && a == WORD) || (is_plain(b, y) && b == WORD)) return WORD;
  return a == UNSIGNED_WORD || b == UNSIGNED_WORD ? UNSIGNED_WORD : a == b ? a : MORE;
}

static enum extent extent_of(const struct writer *w, const struct expr *e) {
  if (!w->program->kernel_launch) return WORD;
  switch (e->kind) {
    case EXPR_CONST:
      if (e->value >= INT32_MIN && e->value <= INT32_MAX) return WORD;
      return e->value >= 0 && e->value <= UINT32_MAX ? UNSIGNED_WORD : MORE;
    case EXPR_REG:
      return w->more[e->reg] ? MORE : WORD;
    case EXPR_AND:
      return extent_of_and(w, e->a, e->b);
    case EXPR_OR:
    case EXPR_XOR:
      return extent_of_both(w, e->a, e->b);
    case EXPR_COND:
      return extent_of_both(w, e->b, e->c);
    case EXPR_NOT:
      return extent_of(w, e->a) == WORD ? WORD : MORE;
    case EXPR_SHR:
      if (shift_of(e) >= 32) return WORD;
      return extent_of(w, e->a) == UNSIGNED_WORD && shift_of(e) ? WORD : extent_of(w, e->a);
    case EXPR_ADD:
    case EXPR_SUB:
    case EXPR_MUL:
    case EXPR_SHL:
    case EXPR_NEG:
      return MORE;
    default: /* truths; the rest has no IR */
      return WORD;
  }
}

/* Registers hold numbers with a sign, but those to which something else is ever assigned. */
static void find_wide_registers(struct writer *w) {
  for (bool again = true; again;) {
    again = false;
    ARRAY_EACH (const struct instr, instr, w->thread->instrs, w->thread->instr_count) {
      if (instr->kind != INSTR_ASSIGN || instr->reg == NO_REG || w->more[instr->reg]) continue;
      again |= w->more[instr->reg] = extent_of(w, instr->value) != WORD;
    }
  }
}

/* ---- expressions ---- */

static const char *value_of(struct writer *w, const struct expr *e);

static const char *emit_binary(struct writer *w, const char *op, const char *a, const char *b) {
  const char *name = temporary(w);
  fprintf(w->out, "  %s = %s i32 %s, %s", name, op, a, b);
  end_line(w);
  return name;
}

static const char *widen(struct writer *w, const char *bit) {
  const char *name = temporary(w);
  fprintf(w->out, "  %s = zext i1 %s to i32", name, bit);
  end_line(w);
  return name;
}

static const char *comparison(enum expr_kind kind) {
  static const char *const words[EXPR_FTOU + 1] = {
      [EXPR_EQ] = "icmp eq",  [EXPR_NE] = "icmp ne",  [EXPR_LT] = "icmp slt", [EXPR_LE] = "icmp sle",
      [EXPR_GT] = "icmp sgt", [EXPR_GE] = "icmp sge", [EXPR_ULT] = "icmp ult"};
  return words[kind];
}

static const char *arithmetic(enum expr_kind kind) {
  static const char *const words[EXPR_FTOU + 1] = {
      [EXPR_ADD] = "add", [EXPR_SUB] = "sub", [EXPR_MUL] = "mul", [EXPR_AND] = "and",
      [EXPR_OR] = "or",   [EXPR_XOR] = "xor", [EXPR_SHL] = "shl", [EXPR_SHR] = "ashr"};
  return words[kind];
}

/* The truth of an expression, as an i1. */
static const char *truth_of(struct writer *w, const struct expr *e) {
  const char *op = comparison(e->kind);
  if (op) {
    enum extent extent = extent_of_both(w, e->a, e->b);
    const char *a = value_of(w, e->a), *b = value_of(w, e->b);
    if (extent == MORE) refuse(w, wide);
    if (extent == UNSIGNED_WORD && op[5] == 's') op = arena_printf(w->arena, "icmp u%s", op + 6);
    return emit_binary(w, op, a, b);
  }
  const struct expr *tested = e->kind == EXPR_LNOT ? e->a : e;
  if (extent_of(w, tested) == MORE) refuse(w, wide);
  if (e->kind == EXPR_LNOT) return emit_binary(w, "icmp eq", value_of(w, e->a), "0");
  return emit_binary(w, "icmp ne", value_of(w, e), "0");
}

static const char *select_of(struct writer *w, const struct expr *e) {
  const char *bit = truth_of(w, e->a), *a = value_of(w, e->b), *b = value_of(w, e->c), *name = temporary(w);
  fprintf(w->out, "  %s = select i1 %s, i32 %s, i32 %s", name, bit, a, b);
  end_line(w);
  return name;
}

/* `a << 48 >> 48`: the lower 16 bits with their sign; other such shifts are of numbers that have more than 32 bits. */
static const char *extended(struct writer *w, const struct expr *e, unsigned by) {
  if (e->kind != EXPR_SHR || e->a->kind != EXPR_SHL || shift_of(e->a) != by) {
    refuse(w, wide);
    return value_of(w, e->a); /* where source text says it, for what else there is to refuse */
  }
  const char *value = value_of(w, e->a->a), *rest = arena_printf(w->arena, "%u", by - 32);
  return by == 32 ? value : emit_binary(w, "ashr", emit_binary(w, "shl", value, rest), rest);
}

/* Which no IR is written for here; source text (clang_source.h) has most of it. */
static const char *float_of(struct writer *w, const struct expr *e) {
  bool half = e->kind == EXPR_HNARROW || e->kind == EXPR_HWIDEN, odd = e->kind == EXPR_FADDF && !expr_is_fused(e);
  refuse(w, half ? half_floats : odd ? odd_sums : floats);
  value_of(w, e->a);
  if (e->b) value_of(w, e->b);
  return "0";
}

static const char *value_of(struct writer *w, const struct expr *e) {
  if (e->kind == EXPR_CONST) return arena_printf(w->arena, "%" PRId32, (int32_t)e->value);
  if (e->kind == EXPR_REG) return w->values[e->reg];
  if (comparison(e->kind) || e->kind == EXPR_LNOT) return widen(w, truth_of(w, e));
  if (e->kind == EXPR_COND) return select_of(w, e);
  if (e->kind == EXPR_NEG) return emit_binary(w, "sub", "0", value_of(w, e->a));
  if (e->kind == EXPR_NOT) return emit_binary(w, "xor", value_of(w, e->a), "-1");
  if (e->kind == EXPR_LAND || e->kind == EXPR_LOR) {
    const char *a = widen(w, truth_of(w, e->a)), *b = widen(w, truth_of(w, e->b));
    return emit_binary(w, e->kind == EXPR_LAND ? "and" : "or", a, b);
  }
  unsigned by = shift_of(e);
  if (by >= 32) return extended(w, e, by);
  const char *op = arithmetic(e->kind);
  if (expr_is_float(e->kind)) return float_of(w, e);
  if (!op) {
    refuse(w, expr_is_unsigned(e->kind) ? no_sign : divides);
    return "0";
  }
  const char *a = value_of(w, e->a), *b = value_of(w, e->b);
  enum extent extent = e->kind == EXPR_SHR ? extent_of(w, e->a) : WORD;
  if (extent == MORE) refuse(w, wide);
  return emit_binary(w, extent == UNSIGNED_WORD ? "lshr" : op, a, b);
}

/* ---- memory ---- */

static const char *clean_name(struct arena *arena, const char *name) {
  char *clean = arena_strdup(arena, name);
  for (char *c = clean; *c; c++)
    if (!is_word_char(*c)) *c = '.';
  return clean;
}

unsigned ir_local_word(const struct program *program, unsigned location) {
  unsigned first = location - program->locations[location].cell, arrays = 0;
  for (unsigned i = 0; i < first; i++)
    arrays += program->locations[i].region == REGION_LOCAL && program->locations[i].cell == 0;
  return IR_LOCAL_STRIDE * arrays + program->locations[location].cell;
}

/* A constant index is part of the location: another cell of the array. */
static bool is_constant(const struct address *address, unsigned *location) {
  const struct expr *index = address->index;
  *location = address->base;
  if (!index) return true;
  if (index->kind != EXPR_CONST || index->value < 0 || index->value >= address->size) return false;
  *location += (unsigned)index->value;
  return true;
}

const struct expr *ir_byte_of(const struct address *address, unsigned bytes, int64_t *first) {
  const struct expr *byte = NULL, *e = address->index;
  int64_t start = 0;
  for (; e->kind == EXPR_COND; e = e->c) {
    const struct expr *asked = e->a;
    if (asked->kind != EXPR_EQ || asked->b->kind != EXPR_CONST || e->b->kind != EXPR_CONST) return NULL;
    if (!byte) byte = asked->a, start = asked->b->value - bytes * e->b->value;
    if (asked->a != byte || asked->b->value != start + bytes * e->b->value) return NULL;
  }
  *first = start;
  return byte;
}

unsigned ir_cell_bytes(const struct program *program, unsigned location) {
  const struct kernel_launch *launch = program->kernel_launch;
  unsigned bits = program->locations[location].width.bits, size = launch ? launch->cells[location].size : 0;
  return size ? size : bits >= 8 ? bits / 8 : 4; /* 0: a value that may be any */
}

static const char *pointer_to(struct writer *w, const struct address *address) {
  unsigned location;
  bool constant = is_constant(address, &location);
  bool local = w->program->locations[location].region == REGION_LOCAL;
  const char *base = arena_printf(w->arena, "%%p.%s", clean_name(w->arena, w->program->locations[location].name));
  if (local)
    base = arena_printf(w->arena, "getelementptr inbounds (i32, ptr addrspace(3) @lds, i32 %u)",
                        ir_local_word(w->program, location));
  const char *type = local ? "ptr addrspace(3)" : "ptr addrspace(1)";
  if (constant) return arena_printf(w->arena, "%s %s", type, base);
  int64_t first;
  const struct expr *byte = ir_byte_of(address, 4, &first);
  if (!byte && extent_of(w, address->index) != WORD) refuse(w, wide);
  /* Each cell of a kernel is an argument of its own, which only the reader of PTX knows to follow each other. */
  if (byte && w->options->machine == IR_AMDGPU) refuse(w, "which element this is, only a run knows");
  const char *index = value_of(w, byte ? byte : address->index);
  if (byte && (int32_t)first) index = emit_binary(w, "sub", index, arena_printf(w->arena, "%" PRId32, (int32_t)first));
  if (byte && local) index = emit_binary(w, "mul", index, arena_printf(w->arena, "%d", IR_LOCAL_STRIDE));
  const char *name = temporary(w);
  fprintf(w->out, "  %s = getelementptr inbounds %s, %s %s, i32 %s", name, byte ? "i8" : "i32", type, base, index);
  end_line(w);
  return arena_printf(w->arena, "%s %s", type, name);
}

static const char *scope_words(struct writer *w, enum scope scope, bool one_as) {
  static const char *const AMD[] = {"", "singlethread", "wavefront", "workgroup", "agent", "agent", ""};
  static const char *const NVIDIA[] = {"", "singlethread", "warp", "block", "device", "device", ""};
  const char *name = w->options->machine == IR_AMDGPU ? AMD[scope] : NVIDIA[scope];
  if (one_as && w->options->machine == IR_AMDGPU)
    return arena_printf(w->arena, "syncscope(\"%s%sone-as\") ", name, *name ? "-" : "");
  return *name ? arena_printf(w->arena, "syncscope(\"%s\") ", name) : "";
}

static const char *order_words(enum order order) {
  static const char *const WORDS[] = {"", "monotonic", "acquire", "acquire", "release", "acq_rel", "seq_cst"};
  return WORDS[order];
}

/* An order as loads, or stores, can have it. */
static enum order order_for(enum instr_kind kind, enum order order) {
  if (kind == INSTR_LOAD && (order == ORDER_ACQ_REL || order == ORDER_CON)) return ORDER_ACQ;
  if (kind == INSTR_LOAD && order == ORDER_REL) return ORDER_RLX;
  if (kind == INSTR_STORE && order == ORDER_ACQ_REL) return ORDER_REL;
  if (kind == INSTR_STORE && (order == ORDER_ACQ || order == ORDER_CON)) return ORDER_RLX;
  return order;
}

static void set_register(struct writer *w, int reg, const char *value) {
  if (reg != NO_REG) w->values[reg] = value;
}

static const char *access_words(struct writer *w, const struct instr *instr) {
  enum order order = order_for(instr->kind, instr->order);
  bool one_as = w->options->one_as && order != ORDER_SC;
  return arena_printf(w->arena, "%s%s", scope_words(w, instr->scope, one_as), order_words(order));
}

static void write_load(struct writer *w, const struct instr *instr) {
  const char *name = temporary(w), *pointer = pointer_to(w, &instr->address);
  if (instr->order == ORDER_NA)
    fprintf(w->out, "  %s = load i32, %s, align 4", name, pointer);
  else
    fprintf(w->out, "  %s = load atomic i32, %s %s, align 4", name, pointer, access_words(w, instr));
  end_line(w);
  set_register(w, instr->reg, name);
}

static void write_store(struct writer *w, const struct instr *instr) {
  const char *value = value_of(w, instr->value), *pointer = pointer_to(w, &instr->address);
  if (instr->order == ORDER_NA)
    fprintf(w->out, "  store i32 %s, %s, align 4", value, pointer);
  else
    fprintf(w->out, "  store atomic i32 %s, %s %s, align 4", value, pointer, access_words(w, instr));
  end_line(w);
}

/* What clang says of OpenCL's atomics: their memory is the GPU's own. Without it, LLVM from 20 on makes loops of
 * operations that a bus may not have. */
#define ORDINARY_MEMORY ", !amdgpu.no.fine.grained.memory !{}, !amdgpu.no.remote.memory !{}"

static void write_rmw(struct writer *w, const struct instr *instr) {
  static const char *const OPS[RMW_OPS] = {
      [RMW_EXCHANGE] = "xchg", [RMW_ADD] = "add", [RMW_SUB] = "sub", [RMW_OR] = "or",
      [RMW_XOR] = "xor",       [RMW_AND] = "and", [RMW_MIN] = "min", [RMW_MAX] = "max"};
  if (!OPS[instr->op]) {
    refuse(w, rmw_is_unsigned(instr->op) ? no_sign : no_ir);
    return;
  }
  const char *value = value_of(w, instr->value), *pointer = pointer_to(w, &instr->address), *name = temporary(w);
  fprintf(w->out, "  %s = atomicrmw %s %s, i32 %s %s, align 4%s", name, OPS[instr->op], pointer, value,
          access_words(w, instr), w->options->machine == IR_AMDGPU ? ORDINARY_MEMORY : "");
  end_line(w);
  set_register(w, instr->reg, name);
}

static const char *expected_of(struct writer *w, const struct instr *instr) {
  if (!instr->expected_in_memory) return value_of(w, instr->expected);
  const char *name = temporary(w);
  fprintf(w->out, "  %s = load i32, %s, align 4", name, pointer_to(w, &instr->expected_at));
  end_line(w);
  return name;
}

/* A part of what cmpxchg gives: 0: the value read; 1: the success. */
static const char *part_of(struct writer *w, const char *pair, unsigned part) {
  const char *name = temporary(w);
  fprintf(w->out, "  %s = extractvalue { i32, i1 } %s, %u", name, pair, part);
  end_line(w);
  return name;
}

/* On failure the value that was read goes where the expected one was, as in clang. */
static void write_back(struct writer *w, const struct instr *instr, const char *pair) {
  const char *success = part_of(w, pair, 1), *old = part_of(w, pair, 0);
  unsigned number = w->temporaries++;
  fprintf(w->out, "  br i1 %s, label %%c%u, label %%w%u", success, number, number);
  end_line(w);
  fprintf(w->out, "w%u:\n  store i32 %s, %s, align 4", number, old, pointer_to(w, &instr->expected_at));
  end_line(w);
  fprintf(w->out, "  br label %%c%u\nc%u:\n", number, number);
  w->block = arena_printf(w->arena, "c%u", number);
}

static void write_cas(struct writer *w, const struct instr *instr) {
  const char *expected = expected_of(w, instr), *value = value_of(w, instr->value);
  const char *pointer = pointer_to(w, &instr->address), *pair = temporary(w);
  enum order failure = order_for(INSTR_LOAD, instr->failure == ORDER_NA ? ORDER_RLX : instr->failure);
  fprintf(w->out, "  %s = cmpxchg %s%s, i32 %s, i32 %s %s %s, align 4", pair, instr->weak ? "weak " : "", pointer,
          expected, value, access_words(w, instr), order_words(failure));
  end_line(w);
  if (instr->writeback) write_back(w, instr, pair);
  if (instr->reg == NO_REG) return;
  const char *part = part_of(w, pair, instr->returns_old ? 0 : 1);
  set_register(w, instr->reg, instr->returns_old ? part : widen(w, part));
}

static void write_fence(struct writer *w, enum scope scope, enum order order, unsigned regions) {
  bool one_region = regions == REGION_GLOBAL || regions == REGION_LOCAL;
  if (order == ORDER_RLX || order == ORDER_NA) return;
  fprintf(w->out, "  fence %s%s", scope_words(w, scope, w->options->one_as && one_region && order != ORDER_SC),
          order_words(order));
  end_line(w);
}

static void write_barrier(struct writer *w, const struct instr *instr) {
  enum scope scope = instr->scope > SCOPE_WG ? instr->scope : SCOPE_WG;
  write_fence(w, scope, ORDER_REL, 0);
  fputs(w->options->machine == IR_AMDGPU ? "  call void @llvm.amdgcn.s.barrier()" : "  call void @llvm.nvvm.barrier0()",
        w->out);
  end_line(w);
  write_fence(w, scope, ORDER_ACQ, 0);
}

/* The source has another name there for what work-items do together. */
static const char *why_unfenced(const struct writer *w, const struct instr *instr) {
  static const char *const OTHERS[] = {"work_group_", "sub_group_", "async_work_group_", "wait_group_events"};
  const char *text = w->program->source->text + instr->span.at;
  size_t length = 0;
  while (length < instr->span.length && is_word_char(text[length])) length++;
  for (size_t i = 0; i < ARRAY_COUNT(OTHERS); i++)
    if (text_begins(text, OTHERS[i]) && !strstr(arena_strndup(w->arena, text, length), "barrier"))
      return arena_printf(w->arena, "%.*s(), which the compiler takes from a library", (int)length, text);
  return "a barrier that is no fence";
}

/* A kernel's barrier is the meeting, and after it what it fences, which is written as a barrier. */
static void write_meeting(struct writer *w, const struct instr *instr) {
  const struct thread *thread = w->thread;
  unsigned next = (unsigned)(instr - thread->instrs) + 1, members = program_work_group_size(w->program, thread->wg);
  bool fenced = next < thread->instr_count && thread->instrs[next].kind == INSTR_BARRIER;
  bool whole = instr->quorum && instr->quorum->kind == EXPR_CONST && instr->quorum->value == members;
  if (instr->tags || !whole) refuse(w, no_ir);
  if (!fenced) refuse(w, why_unfenced(w, instr));
}

/* ---- control ---- */

static const char **copy_values(struct writer *w) {
  return ARENA_COPY(w->arena, const char *, w->values, w->thread->reg_count);
}

static void add_edge(struct writer *w, unsigned to) {
  *vec_push(w->arena, &w->edges) = (struct edge){w->block, to, copy_values(w)};
}

static void write_branch(struct writer *w, const struct instr *instr, unsigned next) {
  if (instr->kind == INSTR_JUMP) {
    fprintf(w->out, "  br label %%b%u", instr->target);
    add_edge(w, instr->target);
  } else {
    const char *bit = truth_of(w, instr->value);
    fprintf(w->out, "  br i1 %s, label %%b%u, label %%b%u", bit, next, instr->target);
    add_edge(w, next);
    add_edge(w, instr->target);
  }
  end_line(w);
}

/* Cells are words in IR, and in source all of an array are alike. */
static void check_cells(struct writer *w, const struct instr *instr) {
  unsigned first = instr->address.base, bytes = w->options->wide ? ir_cell_bytes(w->program, first) : 4;
  for (unsigned c = 0; instr_is_access(instr) && c < address_cells(&instr->address); c++) {
    const char *name = w->program->locations[first + c].name;
    if (ir_cell_bytes(w->program, first + c) != bytes)
      refuse(w, arena_printf(w->arena, "%s has no %u bits", name, 8 * bytes));
  }
}

static void write_instr(struct writer *w, const struct instr *instr) {
  check_cells(w, instr);
  if (tags_have(instr->tags, TAG_REMOTE)) refuse(w, "remote operations have no LLVM IR");
  if (instr->tags || instr->read_tags || instr->write_tags) refuse(w, no_ir);
  switch (instr->kind) {
    case INSTR_LOAD:
      write_load(w, instr);
      break;
    case INSTR_STORE:
      write_store(w, instr);
      break;
    case INSTR_RMW:
      write_rmw(w, instr);
      break;
    case INSTR_CAS:
      write_cas(w, instr);
      break;
    case INSTR_FENCE:
      write_fence(w, instr->scope, instr->order, instr->regions);
      break;
    case INSTR_BARRIER:
      write_barrier(w, instr);
      break;
    case INSTR_MEET:
      write_meeting(w, instr);
      break;
    case INSTR_ASSIGN:
      set_register(w, instr->reg, value_of(w, instr->value));
      break;
    default:
      refuse(w, no_ir);
      break;
  }
}

/* The ways into a block that are known so far. */
static const struct edge **edges_to(struct writer *w, unsigned block, size_t *count) {
  const struct edge *edges = w->all ? w->all : w->edges.at;
  size_t all = w->all ? w->all_count : w->edges.count;
  VEC(const struct edge *) in = {0};
  for (size_t i = 0; i < all; i++)
    if (edges[i].to == block) *vec_push(w->arena, &in) = &edges[i];
  *count = in.count;
  return in.at;
}

static void write_phi(struct writer *w, const char *name, const struct edge *const *in, size_t count, unsigned reg) {
  fprintf(w->out, "  %s = phi i32 ", name);
  for (size_t i = 0; i < count; i++) fprintf(w->out, "%s[ %s, %%%s ]", i ? ", " : "", in[i]->values[reg], in[i]->from);
  fputc('\n', w->out);
  w->values[reg] = name;
}

/* The registers where a block starts; false: nothing leads there. */
static bool enter_block(struct writer *w, unsigned block) {
  size_t count;
  const struct edge **in = edges_to(w, block, &count);
  bool head = w->head[block];
  if (count == 0 && (w->all || !head)) return block == 0;
  fprintf(w->out, "b%u:\n", block);
  for (unsigned r = 0; r < w->thread->reg_count; r++) {
    bool same = !head;
    for (size_t i = 1; i < count; i++) same = same && !strcmp(in[i]->values[r], in[0]->values[r]);
    if (same)
      w->values[r] = in[0]->values[r];
    else
      write_phi(w, temporary(w), in, count, r);
  }
  return true;
}

static void find_leaders(struct writer *w) {
  const struct thread *thread = w->thread;
  for (unsigned i = 0; i < thread->instr_count; i++) {
    const struct instr *instr = &thread->instrs[i];
    if (!instr_jumps(instr)) continue;
    if (instr->target <= i) w->loops = w->head[instr->target] = true;
    w->leader[instr->target] = w->leader[i + 1] = true;
  }
}

static void write_results(struct writer *w) {
  unsigned count = 0;
  w->instr = NULL;
  if (!w->reached) { /* it never ends */
    fputs("}\n", w->out);
    return;
  }
  for (unsigned r = 0; r < w->thread->reg_count; r++) {
    if (!w->thread->reg_names[r]) continue;
    const char *at = "%out";
    if (count) {
      at = arena_printf(w->arena, "%%o%u", count);
      fprintf(w->out, "  %s = getelementptr inbounds i32, ptr addrspace(1) %%out, i32 %u\n", at, count);
    }
    fprintf(w->out, "  store i32 %s, ptr addrspace(1) %s, align 4\n", w->values[r], at);
    count++;
  }
  fputs("  ret void\n}\n", w->out);
}

static void write_code(struct writer *w) {
  const struct thread *thread = w->thread;
  w->reached = true;
  for (unsigned i = 0; i <= thread->instr_count && !w->failed; i++) {
    if (w->leader[i]) {
      if (w->reached) {
        fprintf(w->out, "  br label %%b%u\n", i);
        add_edge(w, i);
      }
      w->reached = enter_block(w, i);
      w->block = arena_printf(w->arena, "b%u", i);
    }
    if (i == thread->instr_count) break;
    w->instr = &thread->instrs[i];
    if (!w->reached) continue;
    if (instr_jumps(w->instr)) {
      write_branch(w, w->instr, i + 1);
      w->reached = false;
    } else {
      write_instr(w, w->instr);
    }
  }
  write_results(w);
}

/* ---- the kernel ---- */

static void find_used(const struct instr *instr, bool *used) {
  bool cas = instr->kind == INSTR_CAS && instr->expected_in_memory;
  for (unsigned k = 0; instr_is_access(instr) && k < address_cells(&instr->address); k++)
    used[instr->address.base + k] = true;
  for (unsigned k = 0; cas && k < address_cells(&instr->expected_at); k++) used[instr->expected_at.base + k] = true;
}

/* Which locations does the thread use?  One more than the number of the last. */
static unsigned locations_used(const struct program *program, unsigned t, bool *used) {
  const struct thread *thread = &program->threads[t];
  unsigned end = 0;
  for (unsigned i = 0; i < thread->instr_count; i++) find_used(&thread->instrs[i], used);
  for (unsigned x = 0; x < program->location_count; x++)
    if (used[x]) end = x + 1;
  return end;
}

/* All locations up to the last that the thread uses are arguments, so that a
 * thread's code does not depend on what other threads use. */
static void write_signature(struct writer *w) {
  const struct program *program = w->program;
  bool *used = ARENA_ARRAY(w->arena, bool, program->location_count + 1);
  unsigned last = locations_used(program, (unsigned)(w->thread - program->threads), used);
  fputs(w->options->machine == IR_AMDGPU ? "define amdgpu_kernel void @t0(ptr addrspace(1) noalias %out"
                                         : "define ptx_kernel void @t0(ptr addrspace(1) noalias %out",
        w->out);
  for (unsigned x = 0; x < last; x++) {
    if (program->locations[x].region == REGION_LOCAL) continue;
    fprintf(w->out, ", ptr addrspace(1) %%a.%s", clean_name(w->arena, program->locations[x].name));
    *vec_push(w->arena, &w->arguments) = x;
  }
  bool amd = w->options->machine == IR_AMDGPU;
  fprintf(w->out, ")%s {\n%s:\n  %%id = call i32 @%s()\n", amd ? " #0" : "", w->block,
          amd ? "llvm.amdgcn.workitem.id.x" : "llvm.nvvm.read.ptx.sreg.tid.x");
  for (unsigned x = 0; x < last; x++) {
    if (!used[x] || program->locations[x].region == REGION_LOCAL) continue;
    const char *name = clean_name(w->arena, program->locations[x].name);
    fprintf(w->out, "  %%p.%s = getelementptr inbounds i32, ptr addrspace(1) %%a.%s, i32 %%id\n", name, name);
  }
}

/* The whole function, from registers as they are at the start. */
static const char *write_function(struct writer *w) {
  struct text text = text_new();
  w->out = text.out;
  w->block = w->head[0] ? "start" : "b0";
  w->temporaries = 0;
  w->arguments.count = w->edges.count = 0;
  w->counted = (struct counted){0};
  w->instr = NULL;
  for (unsigned r = 0; r < w->thread->reg_count; r++)
    w->values[r] = arena_printf(w->arena, "%" PRId32, (int32_t)w->thread->reg_init[r]);
  write_signature(w);
  write_code(w);
  return text_keep(&text, w->arena);
}

/* With loops: until the ways into blocks are those that were counted on. */
static const char *write_until_known(struct writer *w) {
  const char *text = write_function(w);
  while (w->loops && !w->failed && (!w->all || w->all_count != w->edges.count)) {
    w->all = ARENA_COPY(w->arena, struct edge, w->edges.at, w->edges.count);
    w->all_count = w->edges.count;
    text = write_function(w);
  }
  return text;
}

bool ir_kernel(struct arena *arena, const struct program *program, unsigned t, const struct ir_options *options,
               struct ir_kernel *kernel, struct diags *diags) {
  const struct thread *thread = &program->threads[t];
  struct writer w = {.arena = arena, .program = program, .thread = thread, .options = options, .diags = diags};
  w.values = ARENA_ARRAY(arena, const char *, thread->reg_count + 1);
  w.more = ARENA_ARRAY(arena, bool, thread->reg_count + 1);
  w.leader = ARENA_ARRAY(arena, bool, thread->instr_count + 2);
  w.head = ARENA_ARRAY(arena, bool, thread->instr_count + 2);
  find_leaders(&w);
  find_wide_registers(&w);
  const char *text = write_until_known(&w);
  *kernel = (struct ir_kernel){text, w.arguments.at, (unsigned)w.arguments.count, 0, options->wide};
  for (unsigned x = 0; x < program->location_count; x++)
    kernel->local_count += program->locations[x].region == REGION_LOCAL;
  return !w.failed;
}

/* ---- the module ---- */

static void write_head(const struct ir_options *options, unsigned local_count, FILE *out) {
  bool amd = options->machine == IR_AMDGPU;
  unsigned words = local_count > 2 ? 301 * (local_count - 1) + 211 : 512;
  fprintf(out, "target triple = \"%s\"\n", amd ? "amdgcn-amd-amdhsa" : "nvptx64-nvidia-cuda");
  fprintf(out, "declare i32 @%s()\n", amd ? "llvm.amdgcn.workitem.id.x" : "llvm.nvvm.read.ptx.sreg.tid.x");
  fprintf(out, "declare void @%s()\n", amd ? "llvm.amdgcn.s.barrier" : "llvm.nvvm.barrier0");
  if (local_count) fprintf(out, "@lds = internal addrspace(3) global [%u x i32] undef\n", words);
  if (amd) fputs("attributes #0 = { \"amdgpu-flat-work-group-size\"=\"1,1024\" }\n", out);
}

/* Numbers of metadata: a subprogram for each kernel, a location for each of its
 * lines. */
enum { FIRST_SUBPROGRAM = 10, FIRST_LOCATION = 10000, LINES = 10000 };

static unsigned location_id(unsigned kernel, unsigned line) {
  return FIRST_LOCATION + kernel * LINES + line % LINES;
}

/* Lines are in the kernel as `!dbg !{12}`. */
static const char *next_line(const char *text, unsigned *line) {
  const char *found = strstr(text, "!dbg !{");
  if (found) *line = (unsigned)strtoul(found + strlen("!dbg !{"), NULL, 10);
  return found;
}

static void write_kernel(const struct ir_kernel *kernel, unsigned number, const struct ir_options *options, FILE *out) {
  const char *name = strstr(kernel->text, "@t0("), *rest = strstr(name, "{\n"), *found;
  unsigned line = 0;
  fprintf(out, "%.*s@t%u%.*s", (int)(name - kernel->text), kernel->text, number, (int)(rest - name - 3), name + 3);
  if (options->lines) fprintf(out, "!dbg !%u ", FIRST_SUBPROGRAM + number);
  while ((found = next_line(rest, &line))) {
    fprintf(out, "%.*s!dbg !%u", (int)(found - rest), rest, location_id(number, line));
    rest = strchr(found, '}') + 1;
  }
  fputs(rest, out);
}

static void write_locations(const struct ir_kernel *kernel, unsigned number, FILE *out) {
  unsigned line = 0;
  bool seen[LINES] = {false};
  for (const char *at = kernel->text; (at = next_line(at, &line)); at++) {
    if (seen[line % LINES]) continue;
    seen[line % LINES] = true;
    fprintf(out, "!%u = !DILocation(line: %u, scope: !%u)\n", location_id(number, line), line,
            FIRST_SUBPROGRAM + number);
  }
}

static void write_debug(const struct ir_kernel *kernels, unsigned count, const bool *skip, FILE *out) {
  fputs(
      "!llvm.dbg.cu = !{!0}\n!llvm.module.flags = !{!2}\n"
      "!0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, emissionKind: LineTablesOnly)\n"
      "!1 = !DIFile(filename: \"test\", directory: \"\")\n"
      "!2 = !{i32 2, !\"Debug Info Version\", i32 3}\n"
      "!3 = !DISubroutineType(types: !4)\n!4 = !{}\n",
      out);
  for (unsigned i = 0; i < count; i++) {
    if (skip && skip[i]) continue;
    fprintf(out,
            "!%u = distinct !DISubprogram(name: \"t%u\", scope: !1, file: !1, line: 1, type: !3, unit: !0, "
            "spFlags: DISPFlagDefinition)\n",
            FIRST_SUBPROGRAM + i, i);
    write_locations(&kernels[i], i, out);
  }
}

void ir_write_module(const struct ir_kernel *kernels, unsigned count, const bool *skip,
                     const struct ir_options *options, FILE *out) {
  unsigned local_count = 0;
  for (unsigned i = 0; i < count; i++)
    if (kernels[i].local_count > local_count) local_count = kernels[i].local_count;
  write_head(options, local_count, out);
  for (unsigned i = 0; i < count; i++)
    if (!skip || !skip[i]) write_kernel(&kernels[i], i, options, out);
  if (options->lines) write_debug(kernels, count, skip, out);
}
