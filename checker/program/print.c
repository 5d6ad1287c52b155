/* SPDX-License-Identifier: MIT */
/* Programs as text: one instruction a line, in the spirit of the source
 * language.  The hash of a test is taken over this text, so everything that
 * changes a program's meaning is printed, and nothing that does not. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/number.h"
#include "checker/base/tags.h"
#include "checker/program/program.h"

static const struct infix infixes[] = {
    [EXPR_MUL] = {"*", 10},  [EXPR_DIV] = {"/", 10}, [EXPR_MOD] = {"%", 10}, [EXPR_ADD] = {"+", 9},
    [EXPR_SUB] = {"-", 9},   [EXPR_SHL] = {"<<", 8}, [EXPR_SHR] = {">>", 8}, [EXPR_LT] = {"<", 7},
    [EXPR_LE] = {"<=", 7},   [EXPR_GT] = {">", 7},   [EXPR_GE] = {">=", 7},  [EXPR_EQ] = {"==", 6},
    [EXPR_NE] = {"!=", 6},   [EXPR_AND] = {"&", 5},  [EXPR_XOR] = {"^", 4},  [EXPR_OR] = {"|", 3},
    [EXPR_LAND] = {"&&", 2}, [EXPR_LOR] = {"||", 1}, [EXPR_COND] = {"?", 0},
};

struct infix expr_infix(enum expr_kind kind) {
  return kind < ARRAY_COUNT(infixes) ? infixes[kind] : (struct infix){NULL, 0};
}

/* What C has no operators for is printed as a call. */
static const char *const calls[] = {[EXPR_UDIV] = "udiv",         [EXPR_UMOD] = "umod",
                                    [EXPR_ULT] = "ult",           [EXPR_FADD] = "fadd",
                                    [EXPR_FSUB] = "fsub",         [EXPR_FMUL] = "fmul",
                                    [EXPR_FDIV] = "fdiv",         [EXPR_FEQ] = "feq",
                                    [EXPR_FLT] = "flt",           [EXPR_FADDF] = "faddf",
                                    [EXPR_FNARROW] = "narrow",    [EXPR_FWIDEN] = "widen",
                                    [EXPR_FFROM] = "from_int",    [EXPR_HNARROW] = "narrow_half",
                                    [EXPR_HWIDEN] = "widen_half", [EXPR_FFROMU] = "from_uint",
                                    [EXPR_FTO] = "to_int",        [EXPR_FTOU] = "to_uint"};

const char *expr_call(enum expr_kind kind) {
  return kind < ARRAY_COUNT(calls) ? calls[kind] : NULL;
}

enum { BINDS_UNARY = 11 };

static void print_register(const struct thread *thread, unsigned reg, FILE *out) {
  if (reg < thread->reg_count && thread->reg_names[reg])
    fputs(thread->reg_names[reg], out);
  else
    fprintf(out, "$%u", reg);
}

static unsigned bits_shown(struct width width) {
  if (width.is_long) return 64;
  return !width.bits ? 32 : width.bits < 8 ? 8 : width.bits;
}

static uint64_t without_sign(int64_t value, unsigned bits) {
  bool fits = value < 0 && bits < 64 && value >= -((int64_t)1 << (bits - 1));
  return fits ? (uint64_t)value & (((uint64_t)1 << bits) - 1) : (uint64_t)value;
}

static double real_of(unsigned bits, int64_t value) {
  if (bits < 64) value = expr_apply(bits == 32 ? EXPR_FWIDEN : EXPR_HWIDEN, value, 0, 0, NULL);
  return double_of_bits(value);
}

static bool is_read_as(unsigned bits, const char *text, double wide) {
  double again = bits == 32 ? (double)strtof(text, NULL) : strtod(text, NULL);
  if (bits == 16) again = real_of(16, expr_apply(EXPR_HNARROW, bits_of_double(again), 0, 0, NULL));
  return again == wide;
}

/* With as few digits as are read as the same bits; what is no number has its bits after it, unless they are the usual
 * ones. */
static void print_real(unsigned bits, int64_t value, FILE *out) {
  double wide = real_of(bits, value);
  uint64_t low = bits == 64 ? (uint64_t)value : (uint64_t)value & ((UINT64_C(1) << bits) - 1);
  bool usual = low == (bits == 16 ? 0x7e00 : bits == 32 ? 0x7fc00000 : 0x7ff8000000000000);
  if (isnan(wide) && !usual) fprintf(out, "nan:0x%" PRIx64, low);
  if (isnan(wide) && usual) fputs("nan", out);
  if (isinf(wide)) fputs(signbit(wide) ? "-inf" : "inf", out);
  if (!isfinite(wide)) return;
  char text[40];
  bool plain = wide == 0 || (fabs(wide) >= 1e-3 && fabs(wide) < 1e9);
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(text, sizeof text, plain ? "%.*f" : "%.*g", digits, wide);
    if (is_read_as(bits, text, wide)) break;
  }
  fprintf(out, "%s%s", text, strpbrk(text, ".e") ? "" : ".0");
}

void value_print_typed(const struct program *program, struct width width, int64_t value, FILE *out) {
  int location = program_addressed(program, value);
  if (location >= 0)
    fputs(program->locations[location].name, out);
  else if (program && program->hexadecimal)
    fprintf(out, "0x%" PRIx64, without_sign(value, bits_shown(width)));
  else if (width.is_real)
    print_real(width.bits ? width.bits : 64, value, out);
  else
    fprintf(out, "%" PRId64, value);
}

void value_print(const struct program *program, int64_t value, FILE *out) {
  value_print_typed(program, (struct width){0}, value, out);
}

static void print_expr(const struct program *program, const struct thread *thread, const struct expr *e, int above,
                       FILE *out) {
  switch (e->kind) {
    case EXPR_CONST:
      if (program_addressed(program, e->value) >= 0) fputc('&', out);
      value_print(program, e->value, out);
      return;
    case EXPR_REG:
      print_register(thread, e->reg, out);
      return;
    case EXPR_NEG:
    case EXPR_NOT:
    case EXPR_LNOT:
      fputs(e->kind == EXPR_NEG ? "-" : e->kind == EXPR_NOT ? "~" : "!", out);
      print_expr(program, thread, e->a, BINDS_UNARY + 1, out);
      return;
    default:
      break;
  }
  if (expr_call(e->kind)) {
    fprintf(out, "%s(", expr_call(e->kind));
    print_expr(program, thread, e->a, 0, out);
    if (e->b) fputs(", ", out);
    if (e->b) print_expr(program, thread, e->b, 0, out);
    fputc(')', out);
    return;
  }
  const struct infix *op = &infixes[e->kind];
  if (op->binds < above) fputc('(', out);
  print_expr(program, thread, e->a, e->kind == EXPR_COND ? 1 : op->binds, out);
  fprintf(out, " %s ", op->text);
  print_expr(program, thread, e->b, op->binds + 1, out);
  if (e->kind == EXPR_COND) {
    fputs(" : ", out);
    print_expr(program, thread, e->c, 0, out);
  }
  if (op->binds < above) fputc(')', out);
}

void expr_print(const struct thread *thread, const struct expr *e, FILE *out) {
  print_expr(NULL, thread, e, 0, out);
}

/* `x`, or `a[0][r0]` for the cell r0 places after a[0]. */
static void print_address(const struct program *program, const struct thread *thread, const struct address *address,
                          FILE *out) {
  const struct expr *index = address->index;
  /* What a pointer points to is told apart from a cell of an array by its form. */
  if (index && index->kind == EXPR_SUB && index->b->kind == EXPR_CONST && index->b->value == ADDRESS_FIRST) {
    print_expr(program, thread, index->a, BINDS_UNARY + 1, out);
    return;
  }
  fputs(program->locations[address->base].name, out);
  if (!address->index) return;
  fputc('[', out);
  print_expr(program, thread, address->index, 0, out);
  fputc(']', out);
}

static const char *order_word(enum order order) {
  static const char *const words[] = {"na", "relaxed", "consume", "acquire", "release", "acq_rel", "seq_cst"};
  return words[order];
}

static const char *scope_word(enum scope scope) {
  static const char *const words[] = {"",       "work_item",      "sub_group", "work_group", "queue_family",
                                      "device", "all_svm_devices"};
  return words[scope];
}

static const char *regions_word(unsigned regions) {
  static const char *const words[] = {"none", "global", "local", "global | local"};
  return words[regions & 3];
}

static void print_strength(const struct instr *instr, FILE *out) {
  fprintf(out, ", %s", order_word(instr->order));
  if (instr->kind == INSTR_CAS) fprintf(out, ", %s", order_word(instr->failure));
  if (instr->scope != SCOPE_NONE) fprintf(out, ", %s", scope_word(instr->scope));
  fputc(')', out);
}

static void print_call(const struct program *program, const struct thread *thread, const struct instr *instr,
                       const char *name, FILE *out) {
  fprintf(out, "atomic_%s_explicit%s(", name, tags_have(instr->tags, TAG_REMOTE) ? "_remote" : "");
  print_address(program, thread, &instr->address, out);
}

static void print_value(const struct program *program, const struct thread *thread, const struct expr *value,
                        FILE *out) {
  fputs(", ", out);
  print_expr(program, thread, value, 0, out);
}

/* Consecutive cells, `x[0] .. x[3]`. */
static void print_range(const struct program *program, const struct address *range, FILE *out) {
  fputs(program->locations[range->base].name, out);
  if (range->size > 1) fprintf(out, " .. %s", program->locations[range->base + range->size - 1].name);
}

static void print_load(const struct program *program, const struct thread *thread, const struct instr *instr,
                       FILE *out) {
  if (instr->awaits) fputs("await ", out);
  if (instr->order == ORDER_NA) {
    if (!program->object_count) fputc('*', out);
    print_address(program, thread, &instr->address, out);
    return;
  }
  print_call(program, thread, instr, "load", out);
  print_strength(instr, out);
}

static void print_store(const struct program *program, const struct thread *thread, const struct instr *instr,
                        FILE *out) {
  if (instr->order == ORDER_NA) {
    if (!program->object_count) fputc('*', out);
    print_address(program, thread, &instr->address, out);
    fputs(" = ", out);
    print_expr(program, thread, instr->value, 0, out);
    return;
  }
  print_call(program, thread, instr, "store", out);
  print_value(program, thread, instr->value, out);
  print_strength(instr, out);
}

static void print_cas(const struct program *program, const struct thread *thread, const struct instr *instr,
                      FILE *out) {
  static const char *const names[2][2] = {{"compare_exchange_strong", "compare_exchange_weak"},
                                          {"compare_swap_strong", "compare_swap_weak"}};
  print_call(program, thread, instr, names[instr->returns_old][instr->weak], out);
  if (instr->expected_in_memory) {
    fputs(instr->writeback ? ", &" : ", ", out);
    print_address(program, thread, &instr->expected_at, out);
  } else {
    print_value(program, thread, instr->expected, out);
  }
  print_value(program, thread, instr->value, out);
  print_strength(instr, out);
}

static void print_fence(const struct instr *instr, FILE *out) {
  if (instr->scope == SCOPE_NONE)
    fprintf(out, "atomic_thread_fence(%s)", order_word(instr->order));
  else
    fprintf(out, "atomic_work_item_fence%s(%s, %s, %s)", tags_have(instr->tags, TAG_REMOTE) ? "_remote" : "",
            regions_word(instr->regions), order_word(instr->order), scope_word(instr->scope));
}

static void print_barrier(const struct program *program, const struct instr *instr, FILE *out) {
  if (instr->barrier_label >= 0) fprintf(out, "%s: ", program->barrier_labels[instr->barrier_label]);
  fprintf(out, "barrier(%s, %s)", regions_word(instr->regions), scope_word(instr->scope));
}

/* --- languages that look like assembly ----------------------------------------------------- */

/* Every word that is not in the operation: `.acq.gpu.gen`. */
static void print_words(const struct program *program, const struct instr *instr, FILE *out) {
  tag_set tags = instr->tags | instr->read_tags | instr->write_tags;
  if (instr->order != ORDER_NA) fprintf(out, ".%s", order_name(instr->order));
  if (instr->scope != SCOPE_NONE) fprintf(out, ".%s", program_scope_name(program, instr->scope));
  for (int tag = 0; tag < TAG_COUNT; tag++) {
    if (!tags_have(tags, (enum tag)tag)) continue;
    fputc('.', out);
    for (const char *c = tag_names((enum tag)tag); *c && *c != ' '; c++) fputc(*c | 0x20, out);
  }
}

static void print_meet(const struct program *program, const struct thread *thread, const struct instr *instr,
                       FILE *out) {
  fprintf(out, " %s%s",
          instr_leaves(instr) ? "leave "
          : instr->arrive     ? "arrive "
                              : "",
          program->barrier_labels[instr->barrier_label]);
  if (instr->resource) print_value(program, thread, instr->resource, out);
  if (instr->quorum) print_value(program, thread, instr->quorum, out);
}

static void print_assembly(const struct program *program, const struct thread *thread, const struct instr *instr,
                           FILE *out) {
  static const char *const names[] = {
      [INSTR_LOAD] = "ld",     [INSTR_STORE] = "st",     [INSTR_RMW] = "rmw",  [INSTR_CAS] = "cas",
      [INSTR_FENCE] = "fence", [INSTR_MEET] = "barrier", [INSTR_MARK] = "mark"};
  fputs(names[instr->kind], out);
  if (instr->kind == INSTR_RMW) fprintf(out, ".%s", rmw_name(instr->op));
  print_words(program, instr, out);
  if (instr->kind == INSTR_MEET) print_meet(program, thread, instr, out);
  if (!instr_is_access(instr)) return;
  fputc(' ', out);
  if (instr->alias)
    fputs(program->locations[instr->alias - 1].name, out);
  else
    print_address(program, thread, &instr->address, out);
  if (instr->kind == INSTR_CAS) print_value(program, thread, instr->expected, out);
  if (instr->kind != INSTR_LOAD) print_value(program, thread, instr->value, out);
}

static bool is_assembly(const struct program *program, const struct instr *instr) {
  return program->scope_words && (instr_is_access(instr) || instr->kind == INSTR_FENCE || instr->kind == INSTR_MEET ||
                                  instr->kind == INSTR_MARK);
}

/* --- the Linux kernel's operations ---------------------------------------------------------- */

static void print_annotations(const struct program *program, tag_set tags, FILE *out) {
  char before = '{';
  for (unsigned i = 0; i < program->annotation_count; i++) {
    if (!(tags >> (TAG_COUNT + i) & 1)) continue;
    fprintf(out, "%c%s", before, program->annotations[i]);
    before = ',';
  }
  if (before == ',') fputc('}', out);
}

static bool is_annotated(const struct program *program, const struct instr *instr) {
  tag_set tags = instr->tags | instr->read_tags | instr->write_tags;
  return (program->annotation_count && tags >> TAG_COUNT) || instr->kind == INSTR_LOCK || tags_have(tags, TAG_UL);
}

static void print_annotated(const struct program *program, const struct thread *thread, const struct instr *instr,
                            FILE *out) {
  static const char *const names[] = {[INSTR_LOAD] = "__load",   [INSTR_STORE] = "__store", [INSTR_CAS] = "__cmpxchg",
                                      [INSTR_FENCE] = "__fence", [INSTR_MARK] = "__srcu",   [INSTR_RMW] = "__atomic_"};
  static const char *const locks[] = {[LOCK_TAKE] = "__lock", [LOCK_TRY] = "__trylock", [LOCK_LOOK] = "__islocked"};
  bool mutex = instr->order != ORDER_NA;
  fputs(instr->kind == INSTR_LOCK        ? (mutex ? "mtx_lock" : locks[instr->lock])
        : tags_have(instr->tags, TAG_UL) ? (mutex ? "mtx_unlock" : "__unlock")
        : instr->unless                  ? "__atomic_add_unless"
                                         : names[instr->kind],
        out);
  if (instr->kind == INSTR_RMW) fputs(rmw_name(instr->op), out);
  print_annotations(program, instr->tags, out);
  print_annotations(program, instr->read_tags, out);
  if (instr->write_tags != instr->read_tags) print_annotations(program, instr->write_tags, out);
  print_annotations(program, instr->around, out);
  if (instr->kind == INSTR_FENCE) return;
  fputc('(', out);
  print_address(program, thread, &instr->address, out);
  if (instr->kind == INSTR_CAS) print_value(program, thread, instr->expected, out);
  if (instr->value && !tags_have(instr->tags, TAG_UL)) print_value(program, thread, instr->value, out);
  fputc(')', out);
}

/* Instructions that are no C; false: it is some. */
static bool print_special(const struct program *program, const struct thread *thread, const struct instr *instr,
                          FILE *out) {
  if (is_annotated(program, instr))
    print_annotated(program, thread, instr, out);
  else if (is_assembly(program, instr))
    print_assembly(program, thread, instr, out);
  else
    return false;
  return true;
}

/* ADSM: what a call says that its kernel writes. */
static void print_written(const struct program *program, const struct instr *instr, FILE *out) {
  const char *before = " writes ";
  for (unsigned i = 0; instr->writes && i < program->object_count; i++) {
    if (!instr->writes[i]) continue;
    fprintf(out, "%s%s", before, program->objects[i].name);
    before = ", ";
  }
}

static void print_plainly(const struct program *program, const struct thread *thread, const struct instr *instr,
                          FILE *out) {
  if (instr->reg != NO_REG && (instr_is_access(instr) || instr->kind == INSTR_ASSIGN)) {
    print_register(thread, (unsigned)instr->reg, out);
    fputs(" = ", out);
  }
  if (print_special(program, thread, instr, out)) return;
  switch (instr->kind) {
    case INSTR_MARK:
    case INSTR_LOCK:
      break;
    case INSTR_MEET:
      fputs("meet", out);
      print_meet(program, thread, instr, out);
      break;
    case INSTR_LOAD:
      print_load(program, thread, instr, out);
      break;
    case INSTR_STORE:
      print_store(program, thread, instr, out);
      break;
    case INSTR_RMW:
      print_call(program, thread, instr, rmw_name(instr->op), out);
      print_value(program, thread, instr->value, out);
      print_strength(instr, out);
      break;
    case INSTR_CAS:
      print_cas(program, thread, instr, out);
      break;
    case INSTR_FENCE:
      print_fence(instr, out);
      break;
    case INSTR_BARRIER:
      print_barrier(program, instr, out);
      break;
    case INSTR_ASSIGN:
      print_expr(program, thread, instr->value, 0, out);
      break;
    case INSTR_BRANCH:
      fputs("unless ", out);
      print_expr(program, thread, instr->value, 0, out);
      fprintf(out, " goto %u", instr->target);
      break;
    case INSTR_JUMP:
      fprintf(out, "goto %u", instr->target);
      break;
    case INSTR_CALL:
      fprintf(out, "call %s", program->kernels[instr->kernel].name);
      print_written(program, instr, out);
      break;
    case INSTR_RETURN:
      fputs("return", out);
      break;
    case INSTR_SYNC:
      fputs("sync", out);
      break;
    case INSTR_FILL:
      fputs("memset ", out);
      print_range(program, &instr->address, out);
      print_value(program, thread, instr->value, out);
      break;
    case INSTR_COPY:
      fputs("memcpy ", out);
      print_range(program, &instr->address, out);
      fputs(", ", out);
      print_range(program, &instr->from, out);
      break;
    case INSTR_ALLOC:
    case INSTR_FREE:
      fprintf(out, "%s %s", instr->kind == INSTR_ALLOC ? "alloc" : "free", program->objects[instr->object].name);
      break;
  }
}

void instr_print(const struct program *program, const struct thread *thread, const struct instr *instr, FILE *out) {
  print_plainly(program, thread, instr, out);
  if (tags_have(instr->tags, TAG_HOSTADDR)) fputs(", at the host's address", out);
}

static void print_locations(const struct program *program, FILE *out) {
  ARRAY_EACH (const struct location, l, program->locations, program->location_count) {
    const char *region = l->region == REGION_LOCAL ? "local" : l->region == REGION_PRIVATE ? "private" : "global";
    fprintf(out, "%s %s%s = ", region, l->atomic ? "atomic " : "", l->name);
    value_print_typed(program, l->width, l->init, out);
    if (l->physical) fprintf(out, ", alias of %s", program->locations[l->physical - 1].name);
    if (l->generic) fprintf(out, ", generic %s", program->locations[l->generic - 1].name);
    fputc('\n', out);
  }
}

/* ADSM: what the runtime knows of the cells. */
static void print_objects(const struct program *program, FILE *out) {
  ARRAY_EACH (const struct object, object, program->objects, program->object_count) {
    fprintf(out, "%s object %s: %u cells from %s%s", object->shared ? "shared" : "host", object->name, object->size,
            program->locations[object->base].name, object->allocated ? "" : ", not allocated");
    if (object->accelerator) fprintf(out, ", on accelerator %u", object->accelerator);
    if (object->safe) fputs(", at another address there", out);
    for (unsigned k = 0; object->shared && k < program->kernel_count; k++)
      if (!object->assigned[k]) fprintf(out, ", not for %s", program->kernels[k].name);
    fputc('\n', out);
  }
  for (unsigned k = 0; k < program->kernel_count; k++)
    if (program->kernels[k].accelerator)
      fprintf(out, "kernel %s: on accelerator %u\n", program->kernels[k].name, program->kernels[k].accelerator);
}

static void print_thread(const struct program *program, const struct thread *thread, FILE *out) {
  fprintf(out, "%s: sub_group %u, work_group %u, ", thread->name, thread->sg, thread->wg);
  if (program->qf_count > program->dev_count) fprintf(out, "queue_family %u, ", thread->qf);
  fprintf(out, "device %u\n", thread->dev);
  for (unsigned i = 0; i < thread->reg_count; i++)
    if (thread->reg_init[i]) {
      fputs("      ", out);
      print_register(thread, i, out);
      fputs(" = ", out);
      value_print_typed(program, i < thread->reg_typed ? thread->reg_widths[i] : (struct width){0}, thread->reg_init[i],
                        out);
      fputs(" at first\n", out);
    }
  for (unsigned i = 0; i < thread->instr_count; i++) {
    fprintf(out, "  %2u  ", i);
    instr_print(program, thread, &thread->instrs[i], out);
    fputc('\n', out);
  }
}

void program_print(const struct program *program, FILE *out) {
  print_locations(program, out);
  print_objects(program, out);
  for (unsigned i = 0; i < program->pair_count; i++)
    fprintf(out, "P%u before P%u\n", program->pairs[i].from, program->pairs[i].to);
  for (unsigned i = 0; i < program->thread_count; i++) print_thread(program, &program->threads[i], out);
}
