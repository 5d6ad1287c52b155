/* SPDX-License-Identifier: MIT */
/* AMDGPU assembly.
 *
 *   line        = { label ":" } [ instruction ] [ comment ] | directive
 *   instruction = name [ operand { "," operand } ] { modifier } [ "::" instruction ]
 *   operand     = register | number | "off" | label
 *   modifier    = ( "offset:" | "offset0:" | "offset1:" ) number | "scope:" bit | "th:" bit | bit | counter "(" number
 * ")"
 *
 * Names are looked up in assembly_names.c; operands and modifiers are read in assembly_operands.c, waits, and what
 * follows a name without effect, in assembly_waits.c.
 */
#include "hwsem/amd/assembly.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "checker/base/array.h"
#include "checker/base/text.h"
#include "hwsem/amd/assembly_internal.h"
#include "hwsem/amd/assembly_names.h"
#include "hwsem/amd/encodings.h"

/* ---- instructions ---- */

static const char *plain_name(struct assembler *a, const char *at, size_t length) {
  if (text_part_ends_in(at, length, "_e32") || text_part_ends_in(at, length, "_e64")) length -= 4;
  if (text_part_ends_in(at, length, "_sdwa")) length -= 5;
  return arena_strndup(a->arena, at, length);
}

static bool is_dual(const struct amd_instr *instr) {
  return !strncmp(instr->name, "v_dual_", 7);
}

/* v_dual_mov_b32 is v_mov_b32 */
static const struct amd_name *look_up(struct assembler *a, const char *text) {
  bool dual = !strncmp(text, "v_dual_", 7);
  const char *single = dual ? arena_printf(a->arena, "v_%s", text + 7) : text;
  return amd_name_find(single, strlen(single), a->target->gpu);
}

static bool known_cache_instruction(const struct amd_target *target, const char *name) {
  return amd_target_names(target, AMD_INVALIDATE, name) || amd_target_names(target, AMD_WRITE_BACK, name);
}

/* `_Z10vload_halfjPU3AS1KDh` is vload_half. */
static void fail_call(struct assembler *a, const char *name, struct span span) {
  const char *called = a->symbol;
  size_t length = called ? strlen(called) : 0;
  if (called && !strncmp(called, "_Z", 2)) {
    char *end;
    size_t plain = strtoul(called + 2, &end, 10);
    if (plain && plain <= strlen(end)) {
      called = end;
      length = plain;
    }
  }
  if (called)
    ASSEMBLER_FAIL(a, span, "'%s' calls %.*s(), which is not in the code: the compiler takes it from a library", name,
                   (int)length, called);
  else
    ASSEMBLER_FAIL(a, span, "'%s' calls a function that is not in the code", name);
}

/* What the machine lacks for instructions that begin so, or are called so. */
static const struct {
  const char *begins, *lacks;
} LACKING[] = {
    {"s_barrier_signal_isfirst", "says who came first to a barrier, which the machine does not do"},
    {"s_barrier_", "is of named barriers, of which the machine has none, but the work-group's barrier (-1)"},
    {"s_get_barrier_state", "asks a barrier how many have come, which the machine does not do"},
    {"s_wakeup_barrier", "is of named barriers, of which the machine has none, but the work-group's barrier (-1)"},
    {"cluster_load_", "loads for all work-groups of a cluster, and the machine has no clusters"},
};

static bool fail_lacking(struct assembler *a, const char *name, struct span span) {
  for (size_t i = 0; i < ARRAY_COUNT(LACKING); i++)
    if (!strncmp(name, LACKING[i].begins, strlen(LACKING[i].begins))) {
      ASSEMBLER_FAIL(a, span, "'%s' %s", name, LACKING[i].lacks);
      return true;
    }
  return false;
}

static void fail_name(struct assembler *a, const char *name, struct span span) {
  unsigned count;
  if (!strcmp(name, "s_swappc_b64")) { /* the compiler inlines all others */
    fail_call(a, name, span);
    return;
  }
  if (strstr(name, "_lds_") || text_ends_in(name, "_to_lds")) {
    assembler_fail_copy(a, name, span);
    return;
  }
  if (a->target->gpu >= AMD_GFX12 && fail_lacking(a, name, span)) return;
  const struct amd_name *names = amd_names(&count);
  const char **words = ARENA_ARRAY(a->arena, const char *, count + 1);
  for (unsigned i = 0, k = 0; i < count; i++)
    if (names[i].gpus & a->target->gpu) words[k++] = names[i].text;
  ASSEMBLER_FAIL(a, span, "'%s' is not in the machine's instruction set of %s%s", name, a->target->name,
                 suggest_hint(a->arena, suggest(name, words)));
}

/* What the GPU has for an instruction of others that does the same; NULL: nothing. */
static const char *same_elsewhere(const struct assembler *a, const struct amd_name *of) {
  unsigned count;
  const struct amd_name *names = amd_names(&count);
  for (unsigned i = 0; i < count && of->op != AMD_OP_NOTHING; i++) {
    const struct amd_name *name = &names[i];
    bool same = name->op == of->op && name->fn == of->fn && name->fn2 == of->fn2 && name->words == of->words;
    if (same && name->gpus & a->target->gpu && !strncmp(name->text, of->text, 2)) return name->text;
  }
  return NULL;
}

static bool is_load_or_store(enum amd_op op) {
  return op == AMD_OP_GLOBAL_LOAD || op == AMD_OP_GLOBAL_STORE || op == AMD_OP_DS_LOAD || op == AMD_OP_DS_STORE ||
         op == AMD_OP_FLAT_LOAD || op == AMD_OP_FLAT_STORE || op == AMD_OP_PRIVATE_LOAD || op == AMD_OP_PRIVATE_STORE ||
         op == AMD_OP_SCALAR_LOAD;
}

/* How much of memory an instruction accesses, and where in a register. */
static void set_size(struct amd_instr *instr) {
  enum amd_part part = is_load_or_store(instr->op) ? (enum amd_part)instr->fn : AMD_WORDS;
  instr->bytes = part == AMD_WORDS ? 4 * instr->words : part == AMD_U8 || part == AMD_I8 ? 1 : 2;
  instr->extends = part == AMD_I8 ? AMD_SEXT8 : part == AMD_I16 ? AMD_SEXT16 : 0;
  if (part != AMD_WORDS && strstr(instr->name, "d16"))
    instr->piece = strstr(instr->name, "d16_hi") ? AMD_HIGH : AMD_LOW;
}

static bool start(struct assembler *a, struct amd_instr *instr) {
  size_t length = assembler_word_length(a);
  struct span span = assembler_span(a, a->at, length ? length : 1);
  instr->name = plain_name(a, a->at, length);
  instr->selects = text_part_ends_in(a->at, length, "_sdwa");
  instr->longer = text_part_ends_in(a->at, length, "_e64");
  instr->span = assembler_span(a, a->at, (size_t)(a->end - a->at));
  instr->source_line = a->source_line;
  const struct amd_name *name = look_up(a, instr->name);
  a->at += length;
  if (!name && known_cache_instruction(a->target, instr->name)) {
    instr->op = AMD_OP_CACHE;
    return true;
  }
  unsigned gpus = name ? name->gpus : 0;
  if (instr->selects) gpus &= AMD_FROM(AMD_GFX8) & AMD_TO(AMD_GFX10_3);
  if (is_dual(instr)) gpus &= AMD_FROM(AMD_GFX11);
  if (!(gpus & a->target->gpu)) {
    if (name)
      ASSEMBLER_FAIL(a, span, "%s does not have '%s'%s", a->target->name, instr->name,
                     suggest_hint(a->arena, same_elsewhere(a, name)));
    else if (length)
      fail_name(a, instr->name, span);
    else
      ASSEMBLER_FAIL(a, span, "expected an instruction");
    return false;
  }
  instr->op = name->op;
  instr->fn = name->fn;
  instr->fn2 = name->fn2;
  instr->words = name->words;
  instr->returns = name->returns;
  set_size(instr);
  instr->vector = !strncmp(instr->name, "v_", 2) || amd_op_space(instr->op) != AMD_SPACE_NONE;
  if (!strcmp(instr->name, "v_readfirstlane_b32") || instr->op == AMD_OP_READ_LANE || instr->op == AMD_OP_WRITE_LANE)
    instr->vector = false;
  return true;
}

/* How many operands an instruction takes; the first number is the least. */
static bool count_fits(const struct amd_instr *instr) {
  static const uint8_t MOST[][2] = {
      [AMD_OP_GLOBAL_LOAD] = {3, 3}, [AMD_OP_GLOBAL_STORE] = {3, 3},    [AMD_OP_GLOBAL_RMW] = {3, 4},
      [AMD_OP_GLOBAL_CAS] = {3, 4},  [AMD_OP_DS_LOAD] = {2, 2},         [AMD_OP_DS_STORE] = {2, 3},
      [AMD_OP_DS_RMW] = {2, 3},      [AMD_OP_DS_CAS] = {3, 4},          [AMD_OP_DS_CAS_OLD] = {3, 4},
      [AMD_OP_FLAT_LOAD] = {3, 3},   [AMD_OP_FLAT_STORE] = {3, 3},      [AMD_OP_FLAT_RMW] = {3, 4},
      [AMD_OP_FLAT_CAS] = {3, 4},    [AMD_OP_PRIVATE_LOAD] = {3, 4},    [AMD_OP_PRIVATE_STORE] = {3, 4},
      [AMD_OP_SCALAR_LOAD] = {3, 3}, [AMD_OP_SIGNAL] = {1, 1},          [AMD_OP_BARRIER_WAIT] = {1, 1},
      [AMD_OP_BRANCH] = {1, 1},      [AMD_OP_PROGRAM_COUNTER] = {1, 1}, [AMD_OP_MOVE] = {2, 2},
      [AMD_OP_BINARY] = {3, 3},      [AMD_OP_REVERSED] = {3, 3},        [AMD_OP_TERNARY] = {4, 4},
      [AMD_OP_BITS] = {3, 4},        [AMD_OP_MEDIAN] = {4, 4},          [AMD_OP_FUSED] = {3, 4},
      [AMD_OP_TWO_MOVES] = {3, 3},   [AMD_OP_CARRY_OUT] = {4, 4},       [AMD_OP_CARRY_INOUT] = {5, 5},
      [AMD_OP_CARRY_SCC] = {3, 3},   [AMD_OP_COMPARE] = {3, 3},         [AMD_OP_COMPARE_EXEC] = {2, 3},
      [AMD_OP_COMPARE_SCC] = {2, 2}, [AMD_OP_BIT_SCC] = {2, 2},         [AMD_OP_SELECT] = {3, 4},
      [AMD_OP_SELECT_SCC] = {3, 3},  [AMD_OP_SAVE_EXEC] = {2, 2},       [AMD_OP_READ_LANE] = {3, 3},
      [AMD_OP_WRITE_LANE] = {3, 3},  [AMD_OP_MBCNT] = {3, 3},           [AMD_OP_MAD_WIDE] = {5, 5},
      [AMD_OP_FIELD] = {3, 4},       [AMD_OP_INSERT] = {4, 4},          [AMD_OP_ALIGN] = {4, 4},
      [AMD_OP_PERMUTE] = {4, 4}};
  if (instr->op == AMD_OP_DS_STORE) return instr->count == (amd_has_two_addresses(instr) ? 3 : 2);
  return instr->count >= MOST[instr->op][0] && instr->count <= MOST[instr->op][1];
}

/* An instruction on numbers of 16 bits reads lower halves of registers that say nothing else; GFX8 and
 * GFX9 clear the upper half of what they write, but for GFX9's newer multiplication, others leave it. */
static void take_halves(const struct assembler *a, struct amd_instr *instr) {
  const char *type = strrchr(instr->name, '_');
  bool vector = instr->vector && amd_op_space(instr->op) == AMD_SPACE_NONE;
  instr->short_numbers = vector && type && !strcmp(type + 2, "16");
  if (!instr->short_numbers) return;
  bool compares = instr->op == AMD_OP_COMPARE || instr->op == AMD_OP_COMPARE_EXEC, gfx9 = a->target->name[3] == '9';
  bool clears = a->target->name[3] == '8' || (gfx9 && strcmp(instr->name, "v_mad_u16") != 0);
  unsigned sources = instr->op == AMD_OP_SELECT ? 3 : instr->op == AMD_OP_COMPARE_EXEC ? 2 : instr->count;
  for (unsigned k = instr->op == AMD_OP_COMPARE; k < sources; k++) {
    struct amd_operand *operand = &instr->at[k];
    if (!operand->piece) operand->piece = AMD_LOW;
    operand->is_signed |= type[1] == 'i' && (operand->piece == AMD_LOW || operand->piece == AMD_HIGH);
  }
  if (!instr->selects) instr->at[0].alone = !compares && clears;
}

/* `s_movk_i32 d, 0x8000`: the numbers of such instructions have 16 bits, and mostly a sign: -32768. */
static bool take_short_number(struct assembler *a, struct amd_instr *instr) {
  const char *name = strchr(instr->name, '_');
  struct amd_operand *last = &instr->at[instr->count ? instr->count - 1 : 0];
  bool compares = !strncmp(name, "_cmpk_", 6), sign = !compares || text_ends_in(name, "_i32");
  bool has = compares || !strcmp(name, "_movk_i32") || !strcmp(name, "_addk_i32") || !strcmp(name, "_mulk_i32");
  if (!has || last->kind != AMD_NUMBER) return true;
  int64_t number = (int64_t)last->number;
  if (number < INT16_MIN || number > UINT16_MAX)
    return ASSEMBLER_FAIL(a, last->span, "a number of %s has 16 bits", instr->name);
  if (sign) last->number = (uint64_t)(int64_t)(int16_t)number;
  return true;
}

/* `s_addk_i32 d, 1` is s_add_i32 d, d, 1. */
static void repeat_operand(struct amd_instr *instr) {
  if (instr->count != 2 || (strcmp(instr->name, "s_addk_i32") != 0 && strcmp(instr->name, "s_mulk_i32") != 0)) return;
  instr->at[instr->count++] = instr->at[1];
  instr->at[1] = instr->at[0];
}

/* `v_mad_nc_u64_u32 d, a, b, c` has no carry. */
static void add_carry(struct amd_instr *instr) {
  if (instr->op != AMD_OP_MAD_WIDE || instr->count != 4 || !strstr(instr->name, "_nc_")) return;
  for (unsigned k = instr->count++; k > 1; k--) instr->at[k] = instr->at[k - 1];
  instr->at[1] = (struct amd_operand){.kind = AMD_REG, .reg = AMD_NULL, .words = 1};
}

/* GFX6 to GFX8 add and subtract words with a carry: `v_add_i32 d, carry, a, b`. */
static void take_carry(const struct assembler *a, struct amd_instr *instr) {
  bool has = a->target->gpu <= AMD_GFX8 && text_ends_in(instr->name, "32") && assembler_is_sum(instr);
  if (!has || instr->count != 4) {
    if (has) instr->op = AMD_OP_CARRY_OUT; /* and too few operands */
    return;
  }
  if (instr->saturates) { /* nobody asks for the carry */
    instr->at[1] = instr->at[2];
    instr->at[2] = instr->at[--instr->count];
    return;
  }
  instr->fn2 = instr->op == AMD_OP_REVERSED;
  instr->op = AMD_OP_CARRY_OUT;
}

/* Before GFX10, what writes the mask of lanes writes another one too, its first operand (VCC where none is named); here
 * the last. */
static bool take_mask(const struct assembler *a, struct amd_instr *instr) {
  if (instr->op != AMD_OP_COMPARE_EXEC) return true;
  if (a->target->gpu > AMD_GFX950) return instr->count == 2;
  struct amd_operand mask = {.kind = AMD_REG, .reg = AMD_VCC, .words = 2};
  if (instr->count == 3) {
    mask = instr->at[0];
    instr->at[0] = instr->at[1];
    instr->at[1] = instr->at[2];
  }
  instr->at[2] = mask;
  instr->count += instr->count == 2;
  return true;
}

/* GFX6 and GFX7 count the offset of a scalar load in words. */
static void take_words(const struct assembler *a, struct amd_instr *instr) {
  struct amd_operand *offset = &instr->at[2];
  if (a->target->scalar_words && instr->op == AMD_OP_SCALAR_LOAD && offset->kind == AMD_NUMBER) offset->number *= 4;
}

/* `s_pack_lh_b32_b16 d, a, b`: of a the lower half, of b the upper one. */
static void take_packed(struct amd_instr *instr) {
  if (instr->fn != AMD_PACK || instr->op != AMD_OP_BINARY) return;
  for (unsigned k = 0; k < 2; k++)
    instr->at[k + 1].piece = instr->name[strlen("s_pack_") + k] == 'h' ? AMD_HIGH : AMD_LOW;
}

/* A flat instruction may do without a base in scalar registers, as a global one says with `off`. */
static void take_no_base(struct amd_instr *instr) {
  const struct amd_operand *last = &instr->at[instr->count ? instr->count - 1 : 0];
  bool base = instr->count > 1 && last->kind == AMD_REG && last->reg < AMD_V;
  if (amd_op_space(instr->op) == AMD_SPACE_FLAT && !base && instr->count < AMD_OPERANDS)
    instr->at[instr->count++] = (struct amd_operand){.kind = AMD_OFF};
}

/* Is this the destination of a vector instruction that computes, but no vector register? */
static bool is_misplaced(const struct amd_operand *destination, const struct amd_instr *instr) {
  bool computes = (instr->op >= AMD_OP_MOVE && instr->op <= AMD_OP_MAD_WIDE) || instr->op == AMD_OP_SELECT ||
                  instr->op == AMD_OP_WRITE_LANE || instr->op == AMD_OP_MBCNT;
  bool reads_lane = !strcmp(instr->name, "v_readfirstlane_b32");
  return instr->vector && computes && !reads_lane && (destination->kind != AMD_REG || destination->reg < AMD_V);
}

/* Functions return to s[30:31]; other jumps through registers are not followed. */
static bool is_return(struct assembler *a, const struct amd_instr *instr) {
  const struct amd_operand *to = &instr->at[0];
  if (instr->count == 1 && to->kind == AMD_REG && to->reg == AMD_S + 30 && to->words == 2) return true;
  return ASSEMBLER_FAIL(a, instr->span, "%s goes where only a run knows", instr->name);
}

static bool parse_idle(struct assembler *a, struct amd_instr *instr) {
  bool known, parsed = assembler_parse_idle(a, instr, &known);
  if (known) return parsed;
  return assembler_parse_operands(a, instr) && (instr->op != AMD_OP_END || is_return(a, instr));
}

static bool parse_rest(struct assembler *a, struct amd_instr *instr) {
  if (instr->op == AMD_OP_NOTHING || instr->op == AMD_OP_END) return parse_idle(a, instr);
  if (instr->op == AMD_OP_WAIT) return assembler_parse_wait(a, instr);
  if (!assembler_parse_operands(a, instr)) return false;
  if (!instr->vector && instr->name[0] == 's' && !take_short_number(a, instr)) return false;
  repeat_operand(instr);
  take_no_base(instr);
  bool fits = take_mask(a, instr);
  take_carry(a, instr);
  add_carry(instr);
  take_words(a, instr);
  take_packed(instr);
  take_halves(a, instr);
  if (amd_has_two_addresses(instr)) {
    instr->offset *= instr->fn2;
    instr->second *= instr->fn2;
  }
  if (!fits || !count_fits(instr))
    return ASSEMBLER_FAIL(a, instr->span, "%s cannot have %u operands", instr->name, instr->count);
  if (!is_misplaced(&instr->at[0], instr)) return true;
  return ASSEMBLER_FAIL(a, instr->at[0].span, "%s writes a vector register, and this is none", instr->name);
}

/* How many bytes of code it takes, where symbols follow the program counter: a scalar instruction. */
static unsigned code_bytes(const struct amd_instr *instr) {
  bool longer = false;
  for (unsigned k = 0; k < instr->count; k++) {
    int64_t number = (int64_t)instr->at[k].number;
    longer |= instr->at[k].kind == AMD_NAME || (instr->at[k].kind == AMD_NUMBER && (number < -16 || number > 64));
  }
  return longer ? 8 : 4;
}

static bool fits(struct assembler *a, const struct amd_instr *instr) {
  struct span span = {0};
  const char *misfit = NULL;
  if (a->target->gpu != AMD_EVERY_GPU) misfit = amd_misfit(a->arena, a->target, instr, &span);
  if (misfit) ASSEMBLER_FAIL(a, span, "%s", misfit);
  return !misfit;
}

static bool parse_instruction(struct assembler *a) {
  struct amd_instr instr = {.op = AMD_OP_NOTHING};
  if (!start(a, &instr) || !parse_rest(a, &instr) || !fits(a, &instr)) return false;
  bool dual = is_dual(&instr);
  if (dual != assembler_take(a, "::"))
    return ASSEMBLER_FAIL(a, instr.span, dual ? "the other half of %s is missing" : "%s is no half of an instruction",
                          instr.name);
  if (dual) {
    struct amd_instr *second = ARENA_NEW(a->arena, struct amd_instr);
    assembler_skip_space(a);
    if (!start(a, second) || !parse_rest(a, second) || !fits(a, second)) return false;
    instr.dual = second;
  }
  assembler_skip_space(a);
  if (a->at < a->end) return assembler_fail_operand(a, &instr);
  *vec_push(a->arena, &a->instrs) = instr;
  a->since = instr.op == AMD_OP_PROGRAM_COUNTER ? 0 : a->since + code_bytes(&instr);
  return true;
}

/* ---- lines ---- */

/* Directives that say which registers hold what when a kernel starts. */
static void parse_directive(struct assembler *a) {
  struct {
    const char *text;
    unsigned *value;
  } known[] = {{".amdhsa_user_sgpr_private_segment_buffer", &a->private_segment},
               {".amdhsa_user_sgpr_dispatch_ptr", &a->dispatch},
               {".amdhsa_user_sgpr_queue_ptr", &a->queue},
               {".amdhsa_user_sgpr_kernarg_segment_ptr", &a->kernarg},
               {".amdhsa_user_sgpr_count", &a->user_registers},
               {".loc", &a->source_line}};
  size_t length = assembler_word_length(a);
  for (size_t i = 0; i < ARRAY_COUNT(known); i++) {
    if (!text_part_is(a->at, length, known[i].text)) continue;
    int64_t value = 0;
    a->at += length;
    bool read = assembler_take_number(a, &value);
    if (read && known[i].value == &a->source_line)
      read = assembler_take_number(a, &value); /* after the file's number */
    if (read && value >= 0 && value < 1 << 20) *known[i].value = (unsigned)value;
    if (known[i].value == &a->kernarg && value) a->has_kernarg = true;
    return;
  }
}

/* Ends the line at a comment. */
static void cut_comment(struct assembler *a) {
  for (const char *p = a->at; p < a->end; p++)
    if (*p == ';' || (*p == '/' && p + 1 < a->end && p[1] == '/')) {
      a->end = p;
      return;
    }
}

static bool take_label(struct assembler *a) {
  size_t length = assembler_word_length(a);
  if (!length || a->at + length >= a->end || a->at[length] != ':') return false;
  if (a->at + length + 1 < a->end && a->at[length + 1] == ':') return false;
  const char *name = arena_strndup(a->arena, a->at, length);
  *vec_push(a->arena, &a->labels) = (struct label){name, (unsigned)a->instrs.count, assembler_span(a, a->at, length)};
  a->at += length + 1;
  return true;
}

static void parse_line(struct assembler *a, struct span line) {
  a->at = a->source->text + line.at;
  a->end = a->at + line.length;
  cut_comment(a);
  while (a->end > a->at && isspace((unsigned char)a->end[-1])) a->end--;
  assembler_skip_space(a);
  while (take_label(a)) assembler_skip_space(a);
  if (a->at >= a->end) return;
  if (*a->at == '.')
    parse_directive(a);
  else
    parse_instruction(a);
}

static int by_name(const void *a, const void *b) {
  const struct label *x = a, *y = b;
  int order = strcmp(x->name, y->name);
  return order ? order : x->span.at < y->span.at ? -1 : 1;
}

/* By name, so that each is found in few steps; two of one name are next to each other then. */
static void sort_labels(struct assembler *a) {
  if (a->labels.count) qsort(a->labels.at, a->labels.count, sizeof *a->labels.at, by_name);
  for (size_t i = 1; i < a->labels.count; i++) {
    const struct label *label = &a->labels.at[i];
    if (!strcmp(label[-1].name, label->name)) ASSEMBLER_FAIL(a, label->span, "duplicate label '%s'", label->name);
  }
}

static int named(const void *name, const void *label) {
  return strcmp(name, ((const struct label *)label)->name);
}

static bool resolve(struct assembler *a, bool *loops) {
  for (unsigned i = 0; i < a->instrs.count; i++) {
    struct amd_instr *instr = &a->instrs.at[i];
    if (instr->op != AMD_OP_BRANCH) continue;
    const struct amd_operand *operand = &instr->at[0];
    const struct label *found = NULL;
    if (operand->kind == AMD_NAME && a->labels.count)
      found = bsearch(operand->name, a->labels.at, a->labels.count, sizeof *a->labels.at, named);
    if (!found) {
      ASSEMBLER_FAIL(a, operand->span, "unknown label");
      continue;
    }
    instr->target = found->at;
    *loops |= found->at <= i;
    if (found->at < a->instrs.count) a->instrs.at[found->at].joins = true;
  }
  return !a->failed;
}

struct amd_code *amd_assemble(struct arena *arena, const struct amd_target *target, const struct source *source,
                              const struct span *lines, size_t line_count, struct diags *diags) {
  struct assembler a = {.arena = arena, .target = target, .source = source, .diags = diags};
  for (size_t i = 0; i < line_count; i++) parse_line(&a, lines[i]);
  sort_labels(&a);
  bool loops = false;
  if (a.failed || !resolve(&a, &loops)) return NULL;
  struct amd_code *code =
      ARENA_MAKE(arena, struct amd_code, source, a.instrs.at, (unsigned)a.instrs.count, loops, a.user_registers, -1);
  if (a.has_kernarg) code->kernarg = (int)(4 * a.private_segment + 2 * a.dispatch + 2 * a.queue);
  return code;
}
